import type { Admin } from 'kafkajs'
import type { Log } from '../../../kernel/log.ts'
import { createKafkaClient, type KafkaAccess } from './client.ts'
import { busTopics } from './topics.ts'

export type KafkaReport = {
  readonly brokers: number
  /** Topics of the bus that the brokers have, with their partitions, and those that they lack. */
  readonly topics: Readonly<Record<string, number>>
  readonly missing: readonly string[]
  /** How many messages each of our consumer groups has yet to read; groups that never read are not named. */
  readonly lag: Readonly<Record<string, number>>
}

/** Reads what the brokers have of the bus; changes nothing. Rejects if no broker answers. */
export async function inspectKafka(access: KafkaAccess, log: Log): Promise<KafkaReport> {
  const admin = createKafkaClient(access, log).admin()
  try {
    await admin.connect()
    const { brokers } = await admin.describeCluster()
    const present = new Set(await admin.listTopics())
    const known = busTopics.filter((topic) => present.has(topic))
    const { topics } = known.length === 0 ? { topics: [] } : await admin.fetchTopicMetadata({ topics: known })
    return {
      brokers: brokers.length,
      topics: Object.fromEntries(topics.map(({ name, partitions }) => [name, partitions.length])),
      missing: busTopics.filter((topic) => !present.has(topic)),
      lag: await lagOf(admin, access.group, known),
    }
  } finally {
    await admin.disconnect().catch(() => undefined)
  }
}

async function lagOf(admin: Admin, group: string, topics: readonly string[]): Promise<Readonly<Record<string, number>>> {
  const { groups } = await admin.listGroups()
  const ours = groups.map(({ groupId }) => groupId).filter((groupId) => groupId.startsWith(`${group}.`))
  const ends = new Map<string, number>()
  for (const topic of topics) {
    for (const { partition, offset } of await admin.fetchTopicOffsets(topic)) ends.set(`${topic}:${partition}`, Number(offset))
  }
  const lags = await Promise.all(
    ours.map(async (groupId) => {
      const read = await admin.fetchOffsets({ groupId, topics: [...topics] })
      const behind = read.flatMap(({ topic, partitions }) =>
        // -1: the group does not read this partition.
        partitions
          .filter(({ offset }) => Number(offset) >= 0)
          .map(({ partition, offset }) => (ends.get(`${topic}:${partition}`) ?? 0) - Number(offset)),
      )
      return [groupId, behind.reduce((sum, count) => sum + Math.max(0, count), 0)] as const
    }),
  )
  return Object.fromEntries(lags)
}
