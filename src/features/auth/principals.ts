import { LRUCache } from 'lru-cache'
import type { Clock } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import { hashOf } from '../../kernel/ids.ts'
import type { Notifications } from '../../ports/notifications.ts'
import type { FoundPrincipal, LookUpPrincipal } from './look-up-principal.ts'
import type { Principal } from '../../access/principal.ts'
import { readClaims } from './token-claims.ts'

export interface Principals {
  /** Who the token belongs to, at most a minute ago. One look-up at a time per token. Errors: TOKEN_REFUSED, those of the platform. */
  resolve(accessToken: string): Promise<Principal>
  /** What a sign-in has just found out. */
  learn(accessToken: string, found: FoundPrincipal): void
  /** A member's role or agent record changed, or the member is gone: the next use asks the platform, on every instance. */
  forget(member: { readonly workspaceId: string; readonly memberId: string }): Promise<void>
}

export type PrincipalsOptions = {
  readonly lookUp: LookUpPrincipal
  readonly notifications: Notifications
  readonly clock: Clock
  readonly maxEntries?: number
}

type Entry = { readonly principal: Principal; readonly goodUntil: number }

const goodForMs = 60_000
const changedTopic = 'principal.changed'

/**
 * Principals by a hash of their token. Only what the platform confirmed gets in, so a forged token takes no place and pushes nobody
 * out; what was asked for before a change is not kept.
 */
export function createPrincipals({ lookUp, notifications, clock, maxEntries = 20_000 }: PrincipalsOptions): Principals {
  const known = new LRUCache<string, Entry>({ max: maxEntries })
  const underWay = new Map<string, Promise<Principal>>()
  let changes = 0

  const keep = (key: string, { principal, readAt }: FoundPrincipal, expiresAt: number | null): void => {
    const goodUntil = Math.min(readAt + goodForMs, expiresAt ?? Number.POSITIVE_INFINITY)
    known.set(key, { principal, goodUntil })
  }
  const ask = async (key: string, accessToken: string, expiresAt: number | null): Promise<Principal> => {
    const before = changes
    const found = await lookUp(accessToken)
    if (changes === before) keep(key, found, expiresAt)
    return found.principal
  }
  const drop = (isMeant: (principal: Principal) => boolean): void => {
    changes += 1
    for (const [key, entry] of known.entries()) if (isMeant(entry.principal)) known.delete(key)
    underWay.clear()
  }
  notifications.subscribe(changedTopic, ({ workspaceId, payload }) => {
    drop((principal) => principal.workspaceId === workspaceId && principal.memberId === payload)
  })
  notifications.onGap(() => drop(() => true))

  return {
    async resolve(accessToken) {
      const key = hashOf(accessToken)
      const entry = known.get(key)
      if (entry && clock.now() < entry.goodUntil) return entry.principal
      const claims = readClaims(accessToken)
      if (!claims || (claims.expiresAt !== null && claims.expiresAt <= clock.now())) throw new AppError('TOKEN_REFUSED')
      const asked = underWay.get(key)
      if (asked) return asked
      const asking = ask(key, accessToken, claims.expiresAt).finally(() => {
        if (underWay.get(key) === asking) underWay.delete(key)
      })
      underWay.set(key, asking)
      return asking
    },
    learn: (accessToken, found) => keep(hashOf(accessToken), found, readClaims(accessToken)?.expiresAt ?? null),
    forget: ({ workspaceId, memberId }) => notifications.publish({ topic: changedTopic, workspaceId, payload: memberId }),
  }
}
