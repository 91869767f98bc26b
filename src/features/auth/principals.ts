import { LRUCache } from 'lru-cache'
import { atMost } from '../../kernel/at-most.ts'
import type { ApplicationRole, Principal } from '../../access/principal.ts'
import { AppError } from '../../kernel/errors.ts'
import { hashOf } from '../../kernel/ids.ts'
import { WhileAway } from '../../kernel/while-away.ts'
import type { Member } from '../../ports/agents.ts'
import { countUse } from '../../ports/figures.ts'
import type { Ports } from '../../ports/ports.ts'
import { configurationChanged } from '../configuration/create-configuration.ts'
import type { RefusedTokens } from '../sessions/sign-ins/refused-tokens.ts'
import { readClaims } from '../../access/token-claims.ts'

/** A principal and the time (epoch milliseconds) of the oldest fact in it. */
export type FoundPrincipal = { readonly principal: Principal; readonly readAt: number }
/** The role that the platform gives a member with, or without, an agent record. */
export type RoleIf = (isAgent: boolean) => ApplicationRole | null

export interface Principals {
  /**
   * Whose token this is, at most a minute old; `isLastKnown` while the platform is away. Concurrent calls share one look-up per token. Errors: TOKEN_REFUSED
   * (`data.endedBy` if its sign-in has ended), the platform's.
   */
  resolve(accessToken: string): Promise<Principal>
  /** The same if it is known here and not older; null otherwise. Asks nobody. */
  known(accessToken: string): Principal | null
  /** Caches what a sign-in looks up, and returns it. */
  learn(accessToken: string, lookUp: () => Promise<FoundPrincipal>): Promise<FoundPrincipal>
  /** Calls the listener when the sign-in of the token ends, until the result is disposed of. */
  follow(accessToken: string, listener: () => void): Disposable
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
  {
    notifications,
    clock,
    figures,
    refusedTokens,
  }: Pick<Ports, 'notifications' | 'clock' | 'figures'> & { readonly refusedTokens: Pick<RefusedTokens, 'check' | 'follow'> },
  lookUp: (accessToken: string, onRole: (roleIf: RoleIf) => void) => Promise<FoundPrincipal>,
  { maxEntries = 20_000, awayMs }: { readonly maxEntries?: number; readonly awayMs: number },
): Principals {
  // Deleted when they are too old, not only when they are pushed out: every sign-in has a new token.
  const cached = new LRUCache<string, Entry>({ ...atMost(maxEntries), ttl: validForMs, ttlAutopurge: true })
  const lastKnown = new WhileAway<Principal>(clock, { maxEntries, validForMs: awayMs })
  let generation = 0

  const learn: Principals['learn'] = async (accessToken, find) => {
    const before = generation
    const found = await find()
    const { principal, readAt } = found
    // The sign-in may have ended since the look-up began.
    refusedTokens.check(accessToken)
    const expiresAt = readClaims(accessToken)?.expiresAt ?? Number.POSITIVE_INFINITY
    if (generation !== before) return found
    cached.set(hashOf(accessToken), { principal, validUntil: Math.min(readAt + validForMs, expiresAt) })
    lastKnown.set(hashOf(accessToken), { ...principal, isLastKnown: true }, { readAt, endsAt: expiresAt })
    return found
  }
  const drop = (isAffected: (principal: Principal) => boolean): void => {
    generation += 1
    for (const [key, { principal }] of cached.entries()) if (isAffected(principal)) cached.delete(key)
    lastKnown.drop(isAffected)
  }
  followChanges(notifications, drop)

  return {
    async resolve(accessToken) {
      refusedTokens.check(accessToken)
      const key = hashOf(accessToken)
      const entry = cached.get(key)
      const isValid = entry !== undefined && clock.now() < entry.validUntil
      countUse(figures.caches.principals, isValid)
      if (isValid) return entry.principal
      const claims = readClaims(accessToken)
      if (!claims || (claims.expiresAt !== null && claims.expiresAt <= clock.now())) throw new AppError('TOKEN_REFUSED')
      // Who asks after a change does not share a look-up that began before it.
      const onRole = (roleIf: RoleIf): void => lastKnown.keepIf(key, ({ role, agentId }) => role === roleIf(agentId !== null))
      const ask = async (): Promise<Principal> => (await learn(accessToken, () => lookUp(accessToken, onRole))).principal
      const found = await lastKnown.lookUp(key, String(generation), ask)
      // The sign-in may have ended meanwhile.
      refusedTokens.check(accessToken)
      return found
    },
    known(accessToken) {
      const entry = cached.get(hashOf(accessToken))
      return entry && clock.now() < entry.validUntil ? entry.principal : null
    },
    learn,
    follow: (accessToken, listener) => refusedTokens.follow(accessToken, listener),
    forget: ({ workspaceId, memberId }) => notifications.publish({ topic: changedTopic, workspaceId, payload: memberId }),
  }
}

/** Drops the principals that a change concerns, on this or another instance. */
function followChanges(notifications: Ports['notifications'], drop: (isAffected: (principal: Principal) => boolean) => void): void {
  notifications.subscribe(changedTopic, ({ workspaceId, payload }) => {
    drop((principal) => principal.workspaceId === workspaceId && principal.memberId === payload)
  })
  notifications.subscribe(configurationChanged, ({ workspaceId, payload }) => {
    // It says which platform roles count.
    if (payload.endsWith('/platform')) drop((principal) => principal.workspaceId === workspaceId)
  })
  notifications.onGap(() => drop(() => true))
}
