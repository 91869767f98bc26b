import { LRUCache } from 'lru-cache'
import { atMost } from '../../kernel/at-most.ts'
import type { Principal } from '../../access/principal.ts'
import { AppError } from '../../kernel/errors.ts'
import { hashOf } from '../../kernel/ids.ts'
import { createSingleFlight } from '../../kernel/single-flight.ts'
import type { Member } from '../../ports/agents.ts'
import { countUse } from '../../ports/figures.ts'
import type { Ports } from '../../ports/ports.ts'
import { configurationChanged } from '../configuration/create-configuration.ts'
import { readClaims } from './token-claims.ts'

/** A principal and the time (epoch milliseconds) of the oldest fact in it. */
export type FoundPrincipal = { readonly principal: Principal; readonly readAt: number }

export interface Principals {
  /** Whose token this is, at most a minute old. Concurrent calls share one look-up per token. Errors: TOKEN_REFUSED, the platform's. */
  resolve(accessToken: string): Promise<Principal>
  /** The same if it is known here and not older; null otherwise. Asks nobody. */
  known(accessToken: string): Principal | null
  /** Caches what a sign-in looks up, and returns it. */
  learn(accessToken: string, lookUp: () => Promise<FoundPrincipal>): Promise<FoundPrincipal>
  /** A member's role or agent record changed, or the member is gone: the next use asks the platform, on every instance. */
  forget(member: Member): Promise<void>
}

type Entry = { readonly principal: Principal; readonly validUntil: number }

const validForMs = 60_000
const changedTopic = 'principal.changed'

/**
 * Caches principals by a hash of their token. Only principals that the platform confirmed are cached, so forged tokens push nobody out. A
 * look-up that began before a change is not cached.
 */
export function createPrincipals(
  { notifications, clock, figures }: Pick<Ports, 'notifications' | 'clock' | 'figures'>,
  lookUp: (accessToken: string) => Promise<FoundPrincipal>,
  maxEntries = 20_000,
): Principals {
  // Deleted when they are too old, not only when they are pushed out: every sign-in has a new token.
  const cached = new LRUCache<string, Entry>({ ...atMost(maxEntries), ttl: validForMs, ttlAutopurge: true })
  const lookUps = createSingleFlight<Principal>()
  let generation = 0

  const learn: Principals['learn'] = async (accessToken, find) => {
    const before = generation
    const found = await find()
    const { principal, readAt } = found
    const expiresAt = readClaims(accessToken)?.expiresAt ?? Number.POSITIVE_INFINITY
    if (generation === before) cached.set(hashOf(accessToken), { principal, validUntil: Math.min(readAt + validForMs, expiresAt) })
    return found
  }
  const drop = (isAffected: (principal: Principal) => boolean): void => {
    generation += 1
    for (const [key, { principal }] of cached.entries()) if (isAffected(principal)) cached.delete(key)
  }
  notifications.subscribe(changedTopic, ({ workspaceId, payload }) => {
    drop((principal) => principal.workspaceId === workspaceId && principal.memberId === payload)
  })
  notifications.subscribe(configurationChanged, ({ workspaceId, payload }) => {
    // It says which platform roles count.
    if (payload.endsWith('/platform')) drop((principal) => principal.workspaceId === workspaceId)
  })
  notifications.onGap(() => drop(() => true))

  return {
    async resolve(accessToken) {
      const key = hashOf(accessToken)
      const entry = cached.get(key)
      const isValid = entry !== undefined && clock.now() < entry.validUntil
      countUse(figures.caches.principals, isValid)
      if (isValid) return entry.principal
      const claims = readClaims(accessToken)
      if (!claims || (claims.expiresAt !== null && claims.expiresAt <= clock.now())) throw new AppError('TOKEN_REFUSED')
      // Who asks after a change does not share a look-up that began before it.
      return lookUps.run(`${generation}:${key}`, async () => (await learn(accessToken, () => lookUp(accessToken))).principal)
    },
    known(accessToken) {
      const entry = cached.get(hashOf(accessToken))
      return entry && clock.now() < entry.validUntil ? entry.principal : null
    },
    learn,
    forget: ({ workspaceId, memberId }) => notifications.publish({ topic: changedTopic, workspaceId, payload: memberId }),
  }
}
