import { Kafka, logLevel } from 'kafkajs'
import { z } from 'zod'
import { viewTopic } from '../../harness/kafka/topic.ts'
import { waitFor } from '../../harness/wait-for.ts'
import type { PlayedCall } from '../stage/traffic.ts'

const ucidSchema = z.object({ ucid: z.string() })

/** What became of the calls: those without an event in the topics, and messages that a consumer has not read. */
export type EventsLeft = { readonly lost: readonly PlayedCall[]; readonly unread: number }

/** Waits, at most three minutes, until every call has its event and the consumers have read all of them. */
export async function eventsOf(broker: string, calls: readonly PlayedCall[]): Promise<EventsLeft> {
  const lost = [...(await without(broker, 'call.completed', calls)), ...(await without(broker, 'call.missed', calls))]
  let unread = Number.NaN
  const isRead = async (): Promise<boolean> => (unread = await unreadOf(broker)) === 0
  await waitFor(isRead, { deadlineMs: 60_000, what: 'the consumers' }).catch(() => null)
  return { lost, unread }
}

async function without(broker: string, topic: PlayedCall['event'], calls: readonly PlayedCall[]): Promise<readonly PlayedCall[]> {
  await using view = await viewTopic(broker, topic)
  let missing = calls.filter(({ event }) => event === topic)
  const areThere = async (): Promise<boolean> => {
    const messages = await view.messages(() => true, 0)
    const published = new Set(messages.map(({ value }) => ucidSchema.parse(JSON.parse(String(value))).ucid))
    missing = missing.filter(({ ucid }) => !published.has(ucid))
    return missing.length === 0
  }
  await waitFor(areThere, { deadlineMs: 60_000, what: `the events of ${topic}` }).catch(() => null)
  return missing
}

/** Messages that the service's consumer groups have not committed. */
async function unreadOf(broker: string): Promise<number> {
  const admin = new Kafka({ brokers: [broker], clientId: 'prove', logLevel: logLevel.NOTHING }).admin()
  await admin.connect()
  try {
    const { groups } = await admin.listGroups()
    const own = groups.filter(({ groupId }) => groupId.startsWith('call-center-sidecar.'))
    const read = (await Promise.all(own.map(({ groupId }) => admin.fetchOffsets({ groupId })))).flat()
    let unread = 0
    for (const { topic, partitions } of read) {
      const ends = await admin.fetchTopicOffsets(topic)
      for (const { partition, offset } of partitions) {
        const end = Number(ends.find((one) => one.partition === partition)?.offset ?? 0)
        unread += Math.max(0, end - Math.max(0, Number(offset)))
      }
    }
    return unread
  } finally {
    await admin.disconnect()
  }
}
