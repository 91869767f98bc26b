import { scaled } from '../kernel/deadlines.ts'
import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '../kernel/errors.ts'
import { newId } from '../kernel/ids.ts'
import type { Log } from '../kernel/log.ts'
import { type Store, versionOf } from './store.ts'

/** How long a lease outlives a process that dies: what was acknowledged is on the platform within half a minute of a crash. */
export const leaseMs = 15_000

/**
 * The right to do something that one process at a time may do, over all instances that share the store. It renews itself until it is
 * disposed of. When its process dies, it expires after `ttlMs`.
 */
export type Lease = AsyncDisposable & {
  /** Aborts when the lease is lost: somebody else may hold it now, so the work must not go on. */
  readonly lost: AbortSignal
  /** Replaces the lease's value. Resolves to false if the lease is lost. Throws STORE_UNAVAILABLE. */
  update(value: string): Promise<boolean>
}

export type LeaseOptions = {
  /** How long the lease outlives a process that dies; the default is 15 s. It is renewed three times in this time. */
  readonly ttlMs?: number
  /** How long to wait for a holder to release it; 0 (the default) does not wait. */
  readonly waitMs?: number
  /** Ends the waiting early, with the signal's reason. */
  readonly signal?: AbortSignal
  /** A short text that says what the lease is held for; no secrets. */
  readonly value?: string
  /** Whether to take the lease from a holder with this value. The holder learns it through `lost`. Default: never. */
  readonly takesOver?: (value: string) => boolean
  /** Receives failed releases and renewals. */
  readonly log?: Log
}

const pollMs = 40
const maxTakeOvers = 10

/**
 * Takes the lease; null if somebody else holds it for longer than `waitMs`. A write whose answer was lost is looked up. Releasing never
 * throws: a release that fails is logged, and the lease expires. Errors: STORE_UNAVAILABLE (a lease that was written all the same expires),
 * the reason of `signal`.
 */
export async function acquireLease(store: Store, key: string, options: LeaseOptions): Promise<Lease | null> {
  const token = newId()
  const giveUpAt = performance.now() + scaled(options.waitMs ?? 0)
  for (;;) {
    options.signal?.throwIfAborted()
    const attempt = { token, options: { ...options, ttlMs: options.ttlMs ?? leaseMs }, startedAt: performance.now() }
    if (await tryAcquire(store, key, attempt)) return hold(store, key, attempt)
    if (performance.now() >= giveUpAt) return null
    await delay(pollMs, undefined, options.signal && { signal: options.signal }).catch(() => undefined)
  }
}

/** Runs the step while this process holds the lease; throws `onBusy()` (default OVERLOADED) if somebody else holds it for too long. */
export async function withLease<T>(
  store: Store,
  key: string,
  { step, onBusy, ...options }: LeaseOptions & { readonly step: (lost: AbortSignal) => Promise<T>; readonly onBusy?: () => AppError },
): Promise<T> {
  await using lease = await acquireLease(store, key, options)
  if (!lease) throw onBusy?.() ?? new AppError('OVERLOADED', { data: { retryAfterSeconds: 5 } })
  // Awaited here: the lease is held until the step is over.
  return await step(lease.lost)
}

/** `startedAt`: by `performance.now()`, before the store is asked. The entry expires `ttlMs` after that or later. */
type Attempt = { readonly token: string; readonly options: LeaseOptions & { readonly ttlMs: number }; readonly startedAt: number }

/** The value of the lease that somebody holds now; null if nobody holds it. */
export async function readLease(store: Store, key: string): Promise<string | null> {
  const entry = await store.get(key)
  return entry === null ? null : valueIn(entry)
}

async function tryAcquire(store: Store, key: string, { token, options }: Attempt): Promise<boolean> {
  const mine = entryOf(token, options.value ?? '')
  try {
    if (await store.setIfAbsent(key, mine, { ttlMs: options.ttlMs })) return true
    return options.takesOver !== undefined && (await takeOver(store, key, { mine, ttlMs: options.ttlMs, takesOver: options.takesOver }))
  } catch (error) {
    // The write may have been made although its answer was lost.
    const held = await store.get(key).catch(() => null)
    if (held === mine) return true
    throw error
  }
}

type TakeOver = { readonly mine: string; readonly ttlMs: number; readonly takesOver: (value: string) => boolean }

/** Several may take over at the same time: who loses takes over from the winner, if it may. */
async function takeOver(store: Store, key: string, { mine, ttlMs, takesOver }: TakeOver): Promise<boolean> {
  for (let tries = 0; tries < maxTakeOvers; tries += 1) {
    const held = await store.get(key)
    if (held !== null && !takesOver(valueIn(held))) return false
    const isTaken =
      held === null
        ? await store.setIfAbsent(key, mine, { ttlMs })
        : await store.compareAndSet(key, { version: versionOf(held), value: mine, ttlMs })
    if (isTaken) return true
  }
  return false
}

function hold(store: Store, key: string, { token, startedAt, options: { ttlMs, value = '', log } }: Attempt): Lease {
  const lost = new AbortController()
  let entry = entryOf(token, value)
  const expire = (): void => lost.abort(new AppError('STORE_UNAVAILABLE', { detail: 'The lease could not be renewed in time' }))
  // Before the entry expires in the store: from then on somebody else may hold the lease.
  const safeMs = ttlMs * 0.9
  const expireAfter = (writtenAt: number): NodeJS.Timeout => setTimeout(expire, Math.max(1, writtenAt + safeMs - performance.now())).unref()
  let expiry = expireAfter(startedAt)
  // One write at a time: each expects what the one before wrote.
  let writing: Promise<unknown> = Promise.resolve()

  const write = async (next: string): Promise<boolean> => {
    const writtenAt = performance.now()
    const isMine = (await store.compareAndSet(key, { version: versionOf(entry), value: next, ttlMs })) || (await repair(next))
    if (isMine) {
      entry = next
      clearTimeout(expiry)
      expiry = expireAfter(writtenAt)
    } else lost.abort(new AppError('OVERLOADED', { detail: 'Another process holds the lease now' }))
    return isMine
  }
  /** A write whose answer was lost leaves an entry with our token that we do not expect. Null if the entry is not ours. */
  const unexpectedEntry = async (): Promise<string | null> => {
    const held = await store.get(key)
    return held !== null && tokenIn(held) === token ? held : null
  }
  const repair = async (next: string): Promise<boolean> => {
    const expected = await unexpectedEntry()
    return expected !== null && store.compareAndSet(key, { version: versionOf(expected), value: next, ttlMs })
  }
  const release = async (): Promise<void> => {
    if (await store.compareAndDelete(key, versionOf(entry))) return
    const expected = await unexpectedEntry()
    if (expected !== null) await store.compareAndDelete(key, versionOf(expected))
  }
  const change = (nextEntry: () => string): Promise<boolean> => {
    const changing = writing.then(() => !lost.signal.aborted && write(nextEntry()))
    writing = changing.catch(() => false)
    return changing
  }
  const timer = setInterval(() => {
    change(() => entry).catch((error: unknown) => log?.warn({ err: error, lease: areaOf(key) }, 'lease.renewal-failed'))
  }, ttlMs / 3).unref()

  return {
    lost: lost.signal,
    update: (next) => change(() => entryOf(token, next)),
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await writing
      clearTimeout(expiry)
      await release().catch((error: unknown) => {
        log?.warn({ err: error, lease: areaOf(key) }, 'lease.release-failed')
      })
    },
  }
}

/** Keys name people and records behind their first part; the log gets the first part only. */
function areaOf(key: string): string {
  return key.split(':', 1)[0] ?? ''
}

function entryOf(token: string, value: string): string {
  return `${token} ${value}`
}

function tokenIn(entry: string): string {
  return entry.slice(0, entry.indexOf(' '))
}

function valueIn(entry: string): string {
  return entry.slice(entry.indexOf(' ') + 1)
}
