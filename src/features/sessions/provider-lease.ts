import { acquireLease } from '../../ports/lease.ts'
import type { Store } from '../../ports/store.ts'
import { type ProviderAgentKey, agentStoreKey } from './provider-agent-key.ts'

/** The right to act for a seat at the telephony provider, until it is ended. */
export type ProviderTurn = { end(): Promise<void> }

/**
 * One at a time, on all instances, acts for a seat at the provider: so a sign-out that was begun for an old session never reaches the
 * provider after the sign-in of a newer one.
 */
export interface ProviderTurns {
  /** The turn, or null where another has had it for longer than `waitMs`. Throws STORE_UNAVAILABLE. */
  take(agentKey: ProviderAgentKey, waitMs: number): Promise<ProviderTurn | null>
}

/** Longer than any one act at the provider with the store around it; a turn whose owner died is free after it. */
const turnMs = 30_000

export function createProviderTurns(store: Store): ProviderTurns {
  return {
    async take(agentKey, waitMs) {
      const lease = await acquireLease(store, agentStoreKey(agentKey, 'turn'), { ttlMs: turnMs, waitMs })
      return lease && { end: async () => lease[Symbol.asyncDispose]() }
    },
  }
}
