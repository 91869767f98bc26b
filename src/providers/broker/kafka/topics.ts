import type { Kafka } from 'kafkajs'
import { withDeadline } from '../../../kernel/with-fallback.ts'
import type { Log } from '../../../kernel/log.ts'
import { eventSchemas } from '../../../ports/event-catalogue.ts'
import { deadTopicOf } from './message.ts'

/** Of the events, in the order of the catalogue. */
export const eventTopics: readonly string[] = Object.values(eventSchemas).map((schema) => schema.shape.type.value)
/** Every topic that the service writes. */
export const busTopics: readonly string[] = [...eventTopics, ...eventTopics.map(deadTopicOf)]

const createWithinMs = 15_000

/** Creates the missing topics with the brokers' default number of replicas. Without the right to do so, an administrator must create them. */
export async function ensureTopics(kafka: Kafka, { topics, partitions, log }: { topics: readonly string[]; partitions: number; log: Log }) {
  const admin = kafka.admin()
  try {
    await admin.connect()
    const present = new Set(await admin.listTopics())
    const missing = topics.filter((topic) => !present.has(topic))
    if (missing.length === 0) return
    const wanted = missing.map((topic) => ({ topic, numPartitions: partitions, replicationFactor: -1 }))
    await withDeadline(admin.createTopics({ topics: wanted, waitForLeaders: true }), createWithinMs)
    log.info({ topics: missing }, 'kafka.topics-created')
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

/** Whether trying again can help. A refusal (no right to create topics) does not change, and the topics may exist nevertheless. */
export function isBrokerAway(error: unknown): boolean {
  return error instanceof Error && awayNames.has(error.name)
}
