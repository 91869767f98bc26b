import { setTimeout as pause } from 'node:timers/promises'
import { newId } from '../../kernel/ids.ts'
import type { Store } from '../../ports/store.ts'
import { type Seat, seatKey } from './provider-agent-key.ts'

/** The right to act for a seat at the telephony provider, until it is ended. */
export type ProviderTurn = { end(): Promise<void> }

/**
 * One at a time, on all instances, acts for a seat at the provider: so a sign-out that was begun for an old session never reaches the
 * provider after the sign-in of a newer one.
 */
export interface ProviderTurns {
  /** The turn, or null where another has had it for longer than `waitMs`. Throws STORE_UNAVAILABLE. */
  take(seat: Seat, waitMs: number): Promise<ProviderTurn | null>
}

/** Longer than any one act at the provider with the store around it; a turn whose owner died is free after it. */
const turnMs = 30_000
const pollMs = 40

export function createProviderTurns(store: Store): ProviderTurns {
  return {
    async take(seat, waitMs) {
      const key = seatKey(seat, 'turn')
      const mine = newId()
      const giveUpAt = performance.now() + waitMs
      while (!(await store.setIfAbsent(key, mine, { ttlMs: turnMs }))) {
        if (performance.now() >= giveUpAt) return null
        await pause(pollMs)
      }
      return {
        end: async () => {
          // Whoever cannot give it back leaves it to its expiry.
          await store.compareAndDelete(key, mine).catch(() => false)
        },
      }
    },
  }
}
