import { setTimeout as delay } from 'node:timers/promises'
import type { Consumer, EachBatchPayload, Kafka } from 'kafkajs'
import { withDeadline } from '../../../kernel/with-fallback.ts'
import type { Log } from '../../../kernel/log.ts'
import { readMessage, type TopicMessage } from './message.ts'

export type ReaderOptions = {
  readonly kafka: Kafka
  readonly groupId: string
  readonly topics: readonly string[]
  /** Receives messages of one partition, in order. They are committed when it resolves, and passed again if it rejects. */
  readonly accept: (messages: readonly TopicMessage[]) => Promise<void>
  readonly log: Log
}

/** Reads topics as a member of a consumer group. A new group reads from the beginning. */
export interface Reader {
  start(): void
  /** Resolves when no more messages are accepted. */
  stop(): Promise<void>
}

const maxGroup = 100
const restartMs = { first: 200, longest: 10_000 }
const longRunMs = 60_000
const acceptAgainMs = 500
const closeMs = 5_000

type Stopping = { readonly signal: AbortSignal; readonly stopped: Promise<void> }

/**
 * kafkajs ends a consumer for ever after some errors, and restarts it after others in a way that cannot be stopped (github.com/tulios/kafkajs
 * issues 267, 852, 1443). So here each consumer that ends is replaced by a new one, until the reader is stopped.
 */
export function createReader(options: ReaderOptions): Reader {
  const { groupId, log } = options
  const stopped = Promise.withResolvers<void>()
  const controller = new AbortController()
  const stopping: Stopping = { signal: controller.signal, stopped: stopped.promise }
  let running: Promise<void> = Promise.resolve()

  const run = async (): Promise<void> => {
    for (let tries = 0; !controller.signal.aborted; tries += 1) {
      const startedAt = performance.now()
      const error = await consume(options, stopping).then(
        () => null,
        (failure: unknown) => failure,
      )
      if (controller.signal.aborted) return
      log.warn({ groupId, reason: error instanceof Error ? error.name : null }, 'kafka.consumer-ended')
      if (performance.now() - startedAt > longRunMs) tries = 0
      const pauseMs = Math.min(restartMs.longest, restartMs.first * 2 ** Math.min(tries, 10)) * (1 - Math.random() / 2)
      await Promise.race([delay(pauseMs, undefined, { ref: false }), stopping.stopped])
    }
  }

  return {
    start: () => void (running = run()),
    async stop() {
      controller.abort()
      stopped.resolve()
      await running
    },
  }
}

/** Runs one consumer until it fails or the reader is stopped. */
async function consume(options: ReaderOptions, stopping: Stopping): Promise<void> {
  const consumer = createConsumer(options)
  const crashed = Promise.withResolvers<void>()
  // It may crash while it still begins, when nobody waits.
  crashed.promise.catch(() => undefined)
  consumer.on(consumer.events.CRASH, ({ payload }) => crashed.reject(payload.error))
  try {
    await consumer.connect()
    // A new group must not skip messages from before its first commit (issues 150, 539, 1453).
    await consumer.subscribe({ topics: [...options.topics], fromBeginning: true })
    await consumer.run({
      eachBatch: (payload) => acceptBatch(options, payload, stopping.signal),
      eachBatchAutoResolve: false,
      autoCommit: true,
      partitionsConsumedConcurrently: 3,
    })
    await Promise.race([crashed.promise, stopping.stopped])
  } finally {
    await withDeadline(consumer.disconnect(), closeMs).catch(() => undefined)
  }
}

function createConsumer({ kafka, groupId }: ReaderOptions): Consumer {
  return kafka.consumer({
    groupId,
    allowAutoTopicCreation: false,
    sessionTimeout: 10_000,
    rebalanceTimeout: 15_000,
    heartbeatInterval: 1_500,
    maxWaitTimeInMs: 1_000,
    retry: { initialRetryTime: 100, maxRetryTime: 2_000, retries: 4, restartOnFailure: async () => false },
  })
}

async function acceptBatch({ accept, groupId, log }: ReaderOptions, payload: EachBatchPayload, signal: AbortSignal): Promise<void> {
  const { batch } = payload
  for (let start = 0; start < batch.messages.length; start += maxGroup) {
    const group = batch.messages.slice(start, start + maxGroup)
    const messages = group.map((message) => readMessage(batch.topic, batch.partition, message))
    for (let isAccepted = false; !isAccepted;) {
      if (signal.aborted || !payload.isRunning() || payload.isStale()) return
      isAccepted = await accept(messages).then(
        () => true,
        (error: unknown) => {
          log.warn({ groupId, err: error }, 'kafka.messages-not-accepted')
          return false
        },
      )
      await payload.heartbeat()
      if (!isAccepted) await delay(acceptAgainMs * (1 - Math.random() / 2))
    }
    payload.resolveOffset(group.at(-1)?.offset ?? batch.firstOffset() ?? '0')
  }
}
