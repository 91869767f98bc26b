import { setTimeout as delay } from 'node:timers/promises'
import type { Consumer, EachBatchPayload, Kafka } from 'kafkajs'
import { withDeadline } from '../../../kernel/with-fallback.ts'
import type { Log } from '../../../kernel/log.ts'
import { readMessage, type TopicMessage } from './message.ts'

export type ReaderOptions = {
  readonly kafka: Kafka
  readonly groupId: string
  readonly topics: readonly string[]
  /** Takes messages of one partition, in order; they are committed when it resolves, and given again when it rejects. */
  readonly accept: (messages: readonly TopicMessage[]) => Promise<void>
  readonly log: Log
}

/** Reads topics as one of a consumer group, from their beginning where the group is new. */
export interface Reader {
  start(): void
  /** Resolves when nothing is accepted any more. */
  stop(): Promise<void>
}

const atOnce = 100
const startAgainMs = { first: 200, longest: 10_000 }
const acceptAgainMs = 500
const closeMs = 5_000

/**
 * kafkajs ends a consumer for good on some faults, and starts it again on others in a way that cannot be stopped (github.com/tulios/kafkajs
 * issues 267, 852, 1443): here every end leads to a new consumer, until it is stopped.
 */
export function createReader({ kafka, groupId, topics, accept, log }: ReaderOptions): Reader {
  const stopping = Promise.withResolvers<void>()
  const stop = new AbortController()
  const isStopped = (): boolean => stop.signal.aborted
  let running: Promise<void> = Promise.resolve()

  const eachBatch = async (given: EachBatchPayload): Promise<void> => {
    const { batch } = given
    for (let at = 0; at < batch.messages.length; at += atOnce) {
      const group = batch.messages.slice(at, at + atOnce)
      const messages = group.map((message) => readMessage(batch.topic, batch.partition, message))
      for (let isAccepted = false; !isAccepted;) {
        if (isStopped() || !given.isRunning() || given.isStale()) return
        isAccepted = await accepts(messages)
        await given.heartbeat()
        if (!isAccepted) await delay(acceptAgainMs * (1 - Math.random() / 2))
      }
      given.resolveOffset(group.at(-1)?.offset ?? batch.firstOffset() ?? '0')
    }
  }

  const accepts = (messages: readonly TopicMessage[]): Promise<boolean> =>
    accept(messages).then(
      () => true,
      (error: unknown) => {
        log.warn({ groupId, err: error }, 'messages of the broker cannot be taken yet')
        return false
      },
    )

  /** Until it crashes, or all is stopped. */
  const consume = async (consumer: Consumer): Promise<void> => {
    const crashed = Promise.withResolvers<void>()
    consumer.on(consumer.events.CRASH, ({ payload }) => crashed.reject(payload.error))
    try {
      await consumer.connect()
      // A new group must not skip what came before its first commit (issues 150, 539, 1453).
      await consumer.subscribe({ topics: [...topics], fromBeginning: true })
      await consumer.run({ eachBatch, eachBatchAutoResolve: false, autoCommit: true, partitionsConsumedConcurrently: 3 })
      await Promise.race([crashed.promise, stopping.promise])
    } finally {
      crashed.promise.catch(() => undefined)
      await withDeadline(consumer.disconnect(), closeMs).catch(() => undefined)
    }
  }

  const run = async (): Promise<void> => {
    for (let tries = 0; !isStopped(); tries += 1) {
      const startedAt = performance.now()
      const consumer = kafka.consumer({
        groupId,
        allowAutoTopicCreation: false,
        sessionTimeout: 10_000,
        rebalanceTimeout: 15_000,
        heartbeatInterval: 1_500,
        maxWaitTimeInMs: 1_000,
        retry: { initialRetryTime: 100, maxRetryTime: 2_000, retries: 4, restartOnFailure: async () => false },
      })
      const fault = await consume(consumer).then(
        () => null,
        (error: unknown) => error,
      )
      if (isStopped()) return
      log.warn({ groupId, reason: fault instanceof Error ? fault.name : null }, 'reading from the broker ended; it begins again')
      if (performance.now() - startedAt > 60_000) tries = 0
      await pause(Math.min(startAgainMs.longest, startAgainMs.first * 2 ** Math.min(tries, 10)) * (1 - Math.random() / 2))
    }
  }

  const pause = (ms: number): Promise<void> => Promise.race([delay(ms, undefined, { ref: false }), stopping.promise])

  return {
    start: () => void (running = run()),
    async stop() {
      stop.abort()
      stopping.resolve()
      await running
    },
  }
}
