import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { MessageChannel, Worker } from 'node:worker_threads'
import { type DeadLetter, type DeadLetterStore, deadLetterSchema, deadLetterRetentionMs } from '../../ports/dead-letters.ts'
import { type Outbox, outboxBound } from '../../ports/outbox.ts'
import type { Clock } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import { createOutboxCleanup } from './outbox-cleanup.ts'
import { idRetentionMs, outboxFull } from './outbox-limits.ts'
import { opening, type OutboxFile, type OutboxOpening, type OutboxReply, type OutboxRequest, type OutboxStep } from './outbox-protocol.ts'

export type SqliteOutboxOptions = {
  /** Owned by this process. */
  readonly dataDir: string
  readonly clock: Clock
  /** The outbox is full if so many events wait for a receiver, or one is older than `maxAgeMs`. */
  readonly maxEvents?: number
  readonly maxAgeMs?: number
}

/** The embedded outbox: one file, `outbox.sqlite`, written by a worker thread and flushed to the disk before `add` resolves. */
export function createSqliteOutbox({ dataDir, clock, ...bound }: SqliteOutboxOptions): Outbox {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const worker = openInThread({ file: join(dataDir, 'outbox.sqlite'), ...outboxBound, ...bound })
  const now = (): number => clock.now()
  const moveToDeadLetters: Outbox['moveToDeadLetters'] = async (delivery, cause) =>
    void (await worker.step({ kind: 'moveToDeadLetters', now: now(), delivery, cause }))
  const cleanup = createOutboxCleanup({
    clock,
    moveToDeadLetters,
    addedBefore: async (time, limit) => (await worker.step({ kind: 'addedBefore', now: now(), time, limit })).deliveries ?? [],
    purge: async () =>
      void (await worker.step({ kind: 'purge', now: now(), known: now() - idRetentionMs, deadLetters: now() - deadLetterRetentionMs })),
  })
  return {
    add: async (event) => (await worker.step({ kind: 'add', now: now(), event })).outcome === 'done',
    async claim(claim) {
      await cleanup.runIfDue()
      return (await worker.step({ kind: 'claim', now: now(), ...claim })).deliveries ?? []
    },
    renew: async (renewal) => void (await worker.step({ kind: 'renew', now: now(), ...renewal })),
    settle: async (delivery) => void (await worker.step({ kind: 'settle', now: now(), delivery })),
    postpone: async (delivery, postponement) => void (await worker.step({ kind: 'postpone', now: now(), delivery, postponement })),
    moveToDeadLetters,
    depth: async () => (await worker.step({ kind: 'depth', now: now() })).depth ?? emptyDepth,
    deadLetters: createDeadLetterStore((step) => worker.step(step), now),
    close: () => worker.close(),
  }
}

const emptyDepth = { events: 0, oldestAgeMs: 0, parked: 0, receivers: {}, deadLetters: 0 }

function createDeadLetterStore(run: (step: OutboxStep) => Promise<OutboxReply>, now: () => number): DeadLetterStore {
  return {
    add: async (deadLetter) => void (await run({ kind: 'addDeadLetter', now: now(), deadLetter })),
    list: async (page) => deadLettersIn(await run({ kind: 'listDeadLetters', now: now(), page })),
    read: async (id) => deadLettersIn(await run({ kind: 'readDeadLetter', now: now(), id }))[0] ?? null,
    remove: async (id) => (await run({ kind: 'removeDeadLetter', now: now(), id })).outcome === 'done',
  }
}

function deadLettersIn({ deadLetters = [] }: OutboxReply): readonly DeadLetter[] {
  return deadLetters.map((deadLetter) => deadLetterSchema.parse(JSON.parse(deadLetter)))
}

type Waiting = PromiseWithResolvers<OutboxReply>

/** One thread for all outboxes of this process; it ends with it. */
let thread: Worker | null = null

function outboxThread(): Worker {
  if (thread) return thread
  const started = new Worker(new URL('./outbox-worker.ts', import.meta.url), { name: 'outbox' })
  const forget = (): void => {
    if (thread === started) thread = null
  }
  // One listener for each open outbox.
  started.setMaxListeners(0).on('error', forget).once('exit', forget).unref()
  thread = started
  return started
}

function openInThread(outbox: OutboxFile) {
  const worker = outboxThread()
  const { port1: port, port2 } = new MessageChannel()
  const waiting = new Map<number, Waiting>()
  const ended = Promise.withResolvers<void>()
  let calls: number = opening
  let failure: Error | null = null

  const fail = (error: Error): void => {
    failure ??= error
    for (const { reject } of waiting.values()) reject(unavailable(error))
    waiting.clear()
  }
  const failWithThread = (cause: unknown): void => fail(new Error('the outbox has failed', { cause }))
  worker.on('error', failWithThread)
  port.on('message', (reply: OutboxReply) => {
    if (reply.call === opening) return fail(new Error(`the outbox cannot be opened: ${reply.error}`))
    waiting.get(reply.call)?.resolve(reply)
    waiting.delete(reply.call)
  })
  port.once('close', () => {
    worker.off('error', failWithThread)
    fail(new Error('the outbox is closed'))
    ended.resolve()
  })
  worker.postMessage({ outbox, port: port2 } satisfies OutboxOpening, [port2])

  return {
    async step(step: OutboxStep): Promise<OutboxReply> {
      if (failure) throw unavailable(failure)
      calls += 1
      // First, because it throws if the step cannot be copied.
      port.postMessage({ call: calls, step } satisfies OutboxRequest, [])
      const pending: Waiting = Promise.withResolvers()
      waiting.set(calls, pending)
      const reply = await pending.promise
      if (reply.outcome === 'failed') throw unavailable(new Error(reply.error))
      if (reply.outcome === 'full') throw outboxFull()
      return reply
    },
    close() {
      if (!failure) port.postMessage('close', [])
      return ended.promise
    },
  }
}

function unavailable(cause: Error): AppError {
  return new AppError('STORE_UNAVAILABLE', { detail: 'Events cannot be stored at the moment. Try again later.', cause })
}
