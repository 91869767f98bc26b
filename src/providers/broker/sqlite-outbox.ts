import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { type DeadLetter, type DeadLetterStore, deadLetterSchema, deadLettersKeptMs } from '../../ports/dead-letters.ts'
import type { Outbox } from '../../ports/outbox.ts'
import type { Clock } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import type { OutboxReply, OutboxRequest, OutboxStep, OutboxWorkerData } from './outbox-protocol.ts'

export type SqliteOutboxOptions = {
  /** Owned by this process (main claims it). */
  readonly dataDir: string
  readonly clock: Clock
  /** More events than this waiting for a receiver, or one older than `maxAgeMs`, and it is full. */
  readonly maxEvents?: number
  readonly maxAgeMs?: number
}

const day = 86_400_000
/** Longer than any topic keeps its events (7 days): an id that comes again is known. */
const keepIdsMs = 8 * day
const fullRetrySeconds = 5

/** The embedded outbox: one file, `outbox.sqlite`, flushed to the disk before `add` resolves, written by a thread of its own. */
export function createSqliteOutbox({ dataDir, clock, maxEvents = 100_000, maxAgeMs = 3 * day }: SqliteOutboxOptions): Outbox {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const ask = startWorker({
    file: join(dataDir, 'outbox.sqlite'),
    maxEvents,
    maxAgeMs,
    keepIdsMs,
    deadLetterRetentionMs: deadLettersKeptMs,
  })
  const now = (): number => clock.now()
  return {
    add: async (event) => void (await ask.step({ kind: 'add', now: now(), event })),
    claim: async (claim) => (await ask.step({ kind: 'claim', now: now(), ...claim })).deliveries ?? [],
    settle: async (delivery) => void (await ask.step({ kind: 'settle', now: now(), delivery })),
    postpone: async (delivery, postponement) => void (await ask.step({ kind: 'postpone', now: now(), delivery, postponement })),
    bury: async (delivery, burial) => void (await ask.step({ kind: 'bury', now: now(), delivery, burial })),
    depth: async () => (await ask.step({ kind: 'depth', now: now() })).depth ?? nothing,
    dead: createShelf((step) => ask.step(step), now),
    close: () => ask.close(),
  }
}

const nothing = { events: 0, oldestAgeMs: 0, parked: 0, receivers: {} }

function createShelf(ask: (step: OutboxStep) => Promise<OutboxReply>, now: () => number): DeadLetterStore {
  return {
    keep: async (deadLetter) => void (await ask({ kind: 'keepDead', now: now(), deadLetter })),
    list: async (page) => deadLettersIn(await ask({ kind: 'listDead', now: now(), page })),
    read: async (id) => deadLettersIn(await ask({ kind: 'readDead', now: now(), id }))[0] ?? null,
    remove: async (id) => (await ask({ kind: 'removeDead', now: now(), id })).outcome === 'done',
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
  let fault: Error | null = null

  const fail = (error: Error): void => {
    fault ??= error
    for (const { reject } of waiting.values()) reject(unavailable(error))
    waiting.clear()
  }
  worker.on('message', (reply: OutboxReply) => {
    waiting.get(reply.call)?.resolve(reply)
    waiting.delete(reply.call)
  })
  worker.on('error', (error) => fail(error instanceof Error ? error : new Error(String(error))))
  worker.on('exit', () => {
    fail(new Error('the outbox is closed'))
    ended.resolve()
  })

  return {
    async step(step: OutboxStep): Promise<OutboxReply> {
      if (fault) throw unavailable(fault)
      calls += 1
      const answer: Waiting = Promise.withResolvers()
      waiting.set(calls, answer)
      worker.postMessage({ call: calls, step } satisfies OutboxRequest, [])
      const reply = await answer.promise
      if (reply.outcome === 'failed') throw unavailable(new Error(reply.fault))
      if (reply.outcome === 'full') throw new AppError('OVERLOADED', { data: { retryAfterSeconds: fullRetrySeconds } })
      return reply
    },
    close() {
      if (!fault) worker.postMessage('close', [])
      return ended.promise
    },
  }
}

function unavailable(cause: Error): AppError {
  return new AppError('STORE_UNAVAILABLE', { detail: 'Events cannot be kept at the moment', cause })
}
