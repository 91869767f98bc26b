import { type Admin, type Kafka, Partitioners } from 'kafkajs'
import { withDeadline } from '../../../kernel/with-fallback.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { NewMessage } from './message.ts'
import { refusalOf } from './refusal.ts'

/** Sends messages to topics. */
export interface Sender {
  /**
   * Resolves when all in-sync replicas have acknowledged it. Throws PROVIDER_UNAVAILABLE if the brokers cannot be reached (the message may be
   * in the topic nevertheless), PROVIDER_REFUSED if they reject this message.
   */
  send(message: NewMessage): Promise<void>
  /** Resolves if a broker answers. */
  ping(): Promise<void>
  /** How many messages of the topic the group has not taken yet. Rejects if no broker answers within two seconds. */
  lag(group: ConsumerGroup): Promise<number>
  close(): Promise<void>
}

export type ConsumerGroup = { readonly groupId: string; readonly topic: string }

function describe(error: unknown): string {
  const refusal = refusalOf(error)
  return refusal === null ? 'The event broker is not available' : `The event broker answers, and refuses: ${refusal}`
}

const ackTimeoutMs = 10_000
const closeMs = 3_000
const lagMs = 2_000

export function createSender(kafka: Kafka): Sender {
  const producer = kafka.producer({ allowAutoTopicCreation: false, createPartitioner: Partitioners.DefaultPartitioner })
  const admin = kafka.admin({ retry: { retries: 0 } })
  let connecting: Promise<void> | null = null

  const connected = async (): Promise<void> => {
    connecting ??= producer.connect()
    const attempt = connecting
    await attempt.catch((error: unknown) => {
      if (connecting === attempt) connecting = null
      throw error
    })
  }

  return {
    async send({ topic, key, value, headers }) {
      try {
        await connected()
        await producer.send({ topic, acks: -1, timeout: ackTimeoutMs, messages: [{ key, value, headers: { ...headers } }] })
      } catch (cause) {
        throw new AppError(isRefusal(cause) ? 'PROVIDER_REFUSED' : 'PROVIDER_UNAVAILABLE', {
          detail: describe(cause),
          cause,
        })
      }
    },
    async ping() {
      try {
        await admin.connect()
        await admin.describeCluster()
      } catch (cause) {
        throw new AppError('PROVIDER_UNAVAILABLE', { detail: describe(cause), cause })
      }
    },
    lag: (group) => withDeadline(lagOf(admin, group), lagMs),
    close: async () => {
      const ends = [producer.disconnect(), admin.disconnect()]
      await withDeadline(Promise.allSettled(ends), closeMs).catch(() => undefined)
    },
  }
}

/** Errors that concern the message or its topic, not the brokers. */
const refusals: ReadonlySet<string> = new Set([
  'MESSAGE_TOO_LARGE',
  'RECORD_LIST_TOO_LARGE',
  'INVALID_RECORD',
  'UNKNOWN_TOPIC_OR_PARTITION',
  'TOPIC_AUTHORIZATION_FAILED',
])

function isRefusal(error: unknown): boolean {
  return refusals.has(refusalOf(error) ?? '')
}

/** A group that has committed nothing begins with the oldest message. */
async function lagOf(admin: Admin, { groupId, topic }: ConsumerGroup): Promise<number> {
  await admin.connect()
  const [ends, [committed]] = await Promise.all([admin.fetchTopicOffsets(topic), admin.fetchOffsets({ groupId, topics: [topic] })])
  const taken = new Map(committed?.partitions.map(({ partition, offset }) => [partition, Number(offset)]))
  return ends.reduce((sum, { partition, low, high }) => {
    const offset = taken.get(partition) ?? -1
    return sum + Math.max(0, Number(high) - (offset < 0 ? Number(low) : offset))
  }, 0)
}
