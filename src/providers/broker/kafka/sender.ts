import { type Kafka, Partitioners } from 'kafkajs'
import { withDeadline } from '../../../kernel/with-fallback.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { NewMessage } from './message.ts'

/** Sends messages to topics. */
export interface Sender {
  /**
   * Resolves when all in-sync replicas have acknowledged it. Throws PROVIDER_UNAVAILABLE if the brokers cannot be reached (the message may be
   * in the topic nevertheless), PROVIDER_REFUSED if they reject this message.
   */
  send(message: NewMessage): Promise<void>
  /** Resolves if a broker answers. */
  ping(): Promise<void>
  close(): Promise<void>
}

const unavailable = 'The event broker is not available'
const ackTimeoutMs = 10_000
const closeMs = 3_000

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
          detail: unavailable,
          cause,
        })
      }
    },
    async ping() {
      try {
        await admin.connect()
        await admin.describeCluster()
      } catch (cause) {
        throw new AppError('PROVIDER_UNAVAILABLE', { detail: unavailable, cause })
      }
    },
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
  if (!(error instanceof Error)) return false
  return ('type' in error && typeof error.type === 'string' && refusals.has(error.type)) || isRefusal(error.cause)
}
