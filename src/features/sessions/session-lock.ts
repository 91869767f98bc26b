import { z } from 'zod'
import { TookTooLong, withDeadline } from '../../kernel/with-fallback.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Store } from '../../ports/store.ts'
import { type ProviderAgentKey, agentStoreKey } from './provider-agent-key.ts'

const lockSchema = z.strictObject({ memberId: z.string(), ip: z.string(), lockedAt: z.string() })
/** Who holds a seat, from where, since when: exactly what the record in the store says. `lockedAt` tells two sign-ins of a member apart. */
export type SessionLock = z.output<typeof lockSchema>
/** `expiresAt`: epoch milliseconds. */
export type StandingLock = { readonly lock: SessionLock; readonly expiresAt: number }

/** How long a session lasts without a heartbeat. */
export const sessionMs = 3_600_000
/** How long a lock lasts until the answer to the sign-in has gone out. */
export const provisionalMs = 60_000
/** How long a sign-in waits for the store. */
const patienceMs = 350

export interface SessionLocks {
  /**
   * Takes the seat provisionally, or says who has it; in one step, so that of any number at once one wins. Throws STORE_UNAVAILABLE
   * within 350 ms, and then nothing stays locked for longer than the provisional time.
   */
  take(agentKey: ProviderAgentKey, lock: SessionLock): Promise<{ readonly holder: SessionLock | null }>
  /** The lock as it stands; null where there is none. */
  read(agentKey: ProviderAgentKey): Promise<StandingLock | null>
  /** The locks of many seats, in their order. */
  readMany(agentKeys: readonly ProviderAgentKey[]): Promise<readonly (StandingLock | null)[]>
  /** Gives exactly this lock `ttlMs` from now; false where it stands no more (it is never brought back). */
  renew(agentKey: ProviderAgentKey, lock: SessionLock, ttlMs: number): Promise<boolean>
  /** Releases exactly this lock; false where it stands no more. */
  release(agentKey: ProviderAgentKey, lock: SessionLock): Promise<boolean>
}

export function createSessionLocks(store: Store): SessionLocks {
  const read = async (agentKey: ProviderAgentKey): Promise<StandingLock | null> => {
    const entry = await store.entry(agentStoreKey(agentKey, 'lock'))
    return entry && { lock: lockSchema.parse(JSON.parse(entry.value)), expiresAt: entry.expiresAt ?? Number.POSITIVE_INFINITY }
  }
  const release = (agentKey: ProviderAgentKey, lock: SessionLock): Promise<boolean> =>
    store.compareAndDelete(agentStoreKey(agentKey, 'lock'), recordOf(lock))

  const attempt = async (agentKey: ProviderAgentKey, lock: SessionLock): Promise<{ holder: SessionLock | null }> => {
    for (let tries = 0; tries < 5; tries += 1) {
      if (await store.setIfAbsent(agentStoreKey(agentKey, 'lock'), recordOf(lock), { ttlMs: provisionalMs })) return { holder: null }
      const standing = await read(agentKey)
      // It may have ended between the two steps; then the seat is free.
      if (standing) return { holder: standing.lock }
    }
    throw new AppError('OVERLOADED', { data: { retryAfterSeconds: 1 } })
  }

  return {
    read,
    readMany: (agentKeys) => Promise.all(agentKeys.map(read)),
    release,
    renew: (agentKey, lock, ttlMs) =>
      store.compareAndSet(agentStoreKey(agentKey, 'lock'), { expected: recordOf(lock), value: recordOf(lock), ttlMs }),
    async take(agentKey, lock) {
      const attempting = attempt(agentKey, lock)
      try {
        return await withDeadline(attempting, patienceMs)
      } catch (error) {
        // The lock may have been taken all the same: its answer was late or lost.
        void attempting
          .then(
            () => release(agentKey, lock),
            () => release(agentKey, lock),
          )
          .catch(() => undefined)
        throw error instanceof TookTooLong ? new AppError('STORE_UNAVAILABLE', { data: { retryAfterSeconds: 5 }, cause: error }) : error
      }
    },
  }
}

/** The record's form is fixed, because it is compared as a text. */
function recordOf({ memberId, ip, lockedAt }: SessionLock): string {
  return JSON.stringify({ memberId, ip, lockedAt })
}
