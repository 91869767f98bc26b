import type { Kafka } from 'kafkajs'
import { withDeadline } from '../../../kernel/with-fallback.ts'
import type { Log } from '../../../kernel/log.ts'

const createWithinMs = 15_000

/** Makes the topics that are missing, with as many replicas as the brokers do by themselves. Where we may not, somebody else must. */
export async function ensureTopics(kafka: Kafka, { topics, partitions, log }: { topics: readonly string[]; partitions: number; log: Log }) {
  const admin = kafka.admin()
  try {
    await admin.connect()
    const present = new Set(await admin.listTopics())
    const missing = topics.filter((topic) => !present.has(topic))
    if (missing.length === 0) return
    const wanted = missing.map((topic) => ({ topic, numPartitions: partitions, replicationFactor: -1 }))
    await withDeadline(admin.createTopics({ topics: wanted, waitForLeaders: true }), createWithinMs)
    log.info({ topics: missing }, 'topics were made at the broker')
  } finally {
    await admin.disconnect().catch(() => undefined)
  }
}

const awayNames: ReadonlySet<string> = new Set([
  'KafkaJSConnectionError',
  'KafkaJSConnectionClosedError',
  'KafkaJSRequestTimeoutError',
  'KafkaJSNumberOfRetriesExceeded',
  'KafkaJSBrokerNotFound',
  'TookTooLong',
])

/** Whether trying again can help; a refusal (no right to make topics) stands, and the topics may be there all the same. */
export function isBrokerAway(error: unknown): boolean {
  return error instanceof Error && awayNames.has(error.name)
}
