import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { type DeadLetter, type DeadLetterStore, deadLetterSchema, deadLetterRetentionMs } from '../../ports/dead-letters.ts'
import { type Outbox, outboxBound } from '../../ports/outbox.ts'
import type { Clock } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import { createOutboxCleanup } from './outbox-cleanup.ts'
import { idRetentionMs, outboxFull } from './outbox-limits.ts'
import type { OutboxReply, OutboxRequest, OutboxStep, OutboxWorkerData } from './outbox-protocol.ts'

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
  const worker = startWorker({ file: join(dataDir, 'outbox.sqlite'), ...outboxBound, ...bound })
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

function startWorker(workerData: OutboxWorkerData) {
  const worker = new Worker(new URL('./outbox-worker.ts', import.meta.url), { workerData, name: 'outbox' })
  const waiting = new Map<number, Waiting>()
  const ended = Promise.withResolvers<void>()
  let calls = 0
  let failure: Error | null = null

  const fail = (error: Error): void => {
    failure ??= error
    for (const { reject } of waiting.values()) reject(unavailable(error))
    waiting.clear()
  }
  worker.on('message', (reply: OutboxReply) => {
    waiting.get(reply.call)?.resolve(reply)
    waiting.delete(reply.call)
  })
  worker.on('error', (cause) => fail(new Error('the outbox has failed', { cause })))
  worker.on('exit', () => {
    fail(new Error('the outbox is closed'))
    ended.resolve()
  })

  return {
    async step(step: OutboxStep): Promise<OutboxReply> {
      if (failure) throw unavailable(failure)
      calls += 1
      // First, because it throws if the step cannot be copied.
      worker.postMessage({ call: calls, step } satisfies OutboxRequest, [])
      const pending: Waiting = Promise.withResolvers()
      waiting.set(calls, pending)
      const reply = await pending.promise
      if (reply.outcome === 'failed') throw unavailable(new Error(reply.error))
      if (reply.outcome === 'full') throw outboxFull()
      return reply
    },
    close() {
      if (!failure) worker.postMessage('close', [])
      return ended.promise
    },
  }
}

function unavailable(cause: Error): AppError {
  return new AppError('STORE_UNAVAILABLE', { detail: 'Events cannot be stored at the moment. Try again later.', cause })
}
