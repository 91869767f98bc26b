import { z } from 'zod'
import { AppError } from '../../kernel/errors.ts'
import { TookTooLong, withDeadline } from '../../kernel/with-fallback.ts'
import type { Store } from '../../ports/store.ts'
import { Family } from '../../ports/stored/family.ts'
import { byAgent, type ProviderAgentKey } from './provider-agent-key.ts'

const lockSchema = z.strictObject({
  memberId: z.string(),
  ip: z.string(),
  lockedAt: z.string(),
  /** Distinguishes two sign-ins of one member in the same millisecond. Locks of an earlier version have none. */
  id: z.string().optional(),
})
/** Who holds an agent session, from where and since when: exactly the stored value. No two sign-ins have the same. */
export type SessionLock = z.output<typeof lockSchema>
/** A session's lock and the provider agent that it locks. */
export type LockedSession = { readonly agentKey: ProviderAgentKey; readonly lock: SessionLock }
/** `expiresAt`: epoch milliseconds. */
export type StoredLock = { readonly lock: SessionLock; readonly expiresAt: number }

/** How long a session lasts without a heartbeat. */
export const sessionLockTtlMs = 3_600_000
/** How long a lock lasts until the answer to the sign-in has been sent. */
export const provisionalLockTtlMs = 60_000
/** How long a sign-in waits for the store. */
const storeTimeoutMs = 350

export const sessionLocks = new Family({
  name: 'sessions:*:lock',
  key: byAgent,
  schema: lockSchema,
  lifetime: sessionLockTtlMs,
  about: 'agent',
  what: 'who has the session of an agent, and from which address',
})

/**
 * Takes the lock provisionally. Returns null, or the lock that holds the agent already. One atomic step: one of any number
 * of concurrent callers wins. Throws STORE_UNAVAILABLE within 350 ms; then nothing stays locked for longer than the provisional time.
 */
export async function takeLock(store: Store, session: LockedSession): Promise<StoredLock | null> {
  const taking = tryToTake(store, session)
  try {
    return await withDeadline(taking, storeTimeoutMs)
  } catch (error) {
    // The lock may have been taken although its answer was late or lost.
    const release = (): Promise<boolean> => releaseLock(store, session)
    void taking.then(release, release).catch(() => undefined)
    throw error instanceof TookTooLong ? new AppError('STORE_UNAVAILABLE', { data: { retryAfterSeconds: 5 }, cause: error }) : error
  }
}

async function tryToTake(store: Store, { agentKey, lock }: LockedSession): Promise<StoredLock | null> {
  for (let tries = 0; tries < 5; tries += 1) {
    if (await sessionLocks.writeNew({ store }, agentKey, { value: inOrder(lock), lifetime: provisionalLockTtlMs })) return null
    const held = await readLock(store, agentKey)
    // The other session may have ended between the two steps; then the agent is free.
    if (held) return held
  }
  throw new AppError('OVERLOADED', { data: { retryAfterSeconds: 1 } })
}

/** The current lock; null if there is none. */
export async function readLock(store: Store, agentKey: ProviderAgentKey): Promise<StoredLock | null> {
  const stored = await sessionLocks.readWithEnd({ store }, agentKey)
  return stored && { lock: stored.value, expiresAt: stored.expiresAt ?? Number.POSITIVE_INFINITY }
}

/**
 * The current locks with one read, in the order of the keys. Without their ends, which only a read of each gives. One in another form, which another
 * version of this service may have written, counts as none, so that it does not hide the others.
 */
export function readLocks(store: Store, agentKeys: readonly ProviderAgentKey[]): Promise<readonly (SessionLock | null)[]> {
  return sessionLocks.readMany({ store }, agentKeys)
}

/** Lets exactly this lock expire `ttlMs` from now; returns false if it is gone (it is never restored). */
export function renewLock(store: Store, session: LockedSession, ttlMs: number): Promise<boolean> {
  return replaceLock(store, session, { from: session.lock, ttlMs })
}

/** Puts a session's lock in the place of exactly the lock `from`; returns false if that one is gone. */
export async function replaceLock(
  store: Store,
  { agentKey, lock }: LockedSession,
  { from, ttlMs }: { readonly from: SessionLock; readonly ttlMs: number },
): Promise<boolean> {
  const version = sessionLocks.versionOf(inOrder(from))
  return (await sessionLocks.replace({ store }, agentKey, { version, value: inOrder(lock), lifetime: ttlMs })) !== null
}

/** Releases exactly this lock; returns false if it is gone. */
export function releaseLock(store: Store, { agentKey, lock }: LockedSession): Promise<boolean> {
  return sessionLocks.deleteVersion({ store }, agentKey, sessionLocks.versionOf(inOrder(lock)))
}

/** Its stored text is compared, so the order of its fields is fixed. */
function inOrder({ memberId, ip, lockedAt, id }: SessionLock): SessionLock {
  return { memberId, ip, lockedAt, id }
}
