import { setTimeout as pause } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { createWithFallback } from '../../kernel/with-fallback.ts'
import type { Clock } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import { hashOf, newId } from '../../kernel/ids.ts'
import { createSecretBox, deriveKey } from '../../kernel/secrets.ts'
import type { Store } from '../../ports/store.ts'
import { type SettleTry, outcomeOf } from './credential-gate.ts'
import type { Identity, IssuedTokens } from '../../ports/identity.ts'
import { readClaims } from './token-claims.ts'

/**
 * Renews by a refresh token, asking the platform once however many ask with the same token, on all instances, within 30 s; all get the
 * same tokens. A renewal whose answer was lost may be sent again for a minute, which the platform allows, and never after it: then the
 * platform would take it for theft. `enter` is passed before the platform is asked, by the first of those who ask together. Errors:
 * TOKEN_REFUSED, those of `enter` and of the platform.
 */
export type ShareRenewal = (refreshToken: string, enter: () => Promise<SettleTry>) => Promise<IssuedTokens>

export type SharedRenewalsOptions = {
  readonly identity: Identity
  readonly store: Store
  readonly clock: Clock
}

/** How long all who ask with the same token get the same tokens. */
const sharedForMs = 30_000
/** The platform's grace is a minute from the first use; a request sent now may take 10 s to arrive. */
const sendAgainForMs = 50_000
/** Nobody is in such a hurry here that a busy store should count as one that is away: it says so by itself within half a second. */
const storePatienceMs = 1_000
/** Longer than one request to the platform. */
const claimMs = 15_000
const waitMs = 14_000
/** How often those who wait for another instance look: soon at first. */
const firstLookMs = 30
const longestLookMs = 250
/** How often they try to take over from one that died. */
const claimAgainMs = 1_000
/** How long it is remembered that a token was sent, before the platform said anything of it: a forged one takes no place for longer. */
const unprovenForMs = 3_600_000
/** A refresh token's whole life, for tokens that do not name their end. */
const tokenLifeMs = 60 * 24 * 3_600_000

const issuedToken = z.object({ token: z.string(), expiresAt: z.string() })
const outcomeSchema = z.object({ tokens: z.object({ accessToken: issuedToken, refreshToken: issuedToken }).nullable() })
/** Tokens, or null where the platform refused. */
type Outcome = z.output<typeof outcomeSchema>

/** A refresh token that is none, has ended, or was used up: only a sign-in helps. */
export function refreshRefused(): AppError {
  return new AppError('TOKEN_REFUSED', { detail: 'The refresh token was refused; sign in again' })
}

export function createSharedRenewals(options: SharedRenewalsOptions): ShareRenewal {
  const { identity, clock } = options
  const shelf = createShelf(options)
  const underWay = new Map<string, Promise<Outcome>>()

  const ask = async (refreshToken: string, enter: () => Promise<SettleTry>): Promise<Outcome> => {
    const firstSentAt = await shelf.sent(refreshToken)
    if (clock.now() - firstSentAt > sendAgainForMs) return { tokens: null }
    const settle = await enter()
    try {
      const tokens = await identity.renew(refreshToken)
      settle('RIGHT')
      await shelf.rememberSent(refreshToken, firstSentAt)
      return { tokens }
    } catch (error) {
      settle(outcomeOf(error))
      if (error instanceof AppError && error.reason === 'TOKEN_REFUSED') return { tokens: null }
      // The answer may have been lost, and the token used up.
      await shelf.rememberSent(refreshToken, firstSentAt)
      throw error
    }
  }

  /** Null where another instance has it in hand. */
  const askAlone = async (refreshToken: string, enter: () => Promise<SettleTry>): Promise<Outcome | null> => {
    const claim = await shelf.claim(refreshToken)
    if (!claim) return null
    try {
      // Somebody may have finished between the look and the claim.
      return (await shelf.outcome(refreshToken)) ?? (await shelf.keep(refreshToken, await ask(refreshToken, enter)))
    } finally {
      await claim.end()
    }
  }

  const renewOnce = async (refreshToken: string, enter: () => Promise<SettleTry>): Promise<Outcome> => {
    const giveUpAt = performance.now() + waitMs
    let claimAt = 0
    for (let lookMs = firstLookMs; performance.now() < giveUpAt; lookMs = Math.min(lookMs * 2, longestLookMs)) {
      const ready = await shelf.outcome(refreshToken)
      if (ready) return ready
      if (performance.now() >= claimAt) {
        claimAt = performance.now() + claimAgainMs
        const outcome = await askAlone(refreshToken, enter)
        if (outcome) return outcome
      }
      await pause(lookMs)
    }
    throw new AppError('DEADLINE_PASSED', { detail: 'Another renewal of this token takes too long' })
  }

  return async (refreshToken, enter) => {
    const key = hashOf(refreshToken)
    const renewing = underWay.get(key) ?? renewOnce(refreshToken, enter).finally(() => underWay.delete(key))
    underWay.set(key, renewing)
    const { tokens } = await renewing
    if (!tokens) throw refreshRefused()
    return tokens
  }
}

/** What instances share about a renewal: under the token's hash, sealed with a key that only who has the token can make. */
function createShelf({ store, clock }: SharedRenewalsOptions) {
  const here = new LRUCache<string, { outcome: Outcome; until: number }>({ max: 10_000 })
  const sentHere = new LRUCache<string, number>({ max: 100_000 })
  const withFallback = createWithFallback({ patienceMs: storePatienceMs, pauseMs: 1_000 })
  const keyOf = (what: string, refreshToken: string): string => `auth:renewal-${what}:${hashOf(refreshToken)}`
  const boxOf = (refreshToken: string) => createSecretBox(deriveKey(refreshToken, 'sidecar shared renewal'))

  return {
    async outcome(refreshToken: string): Promise<Outcome | null> {
      const key = keyOf('outcome', refreshToken)
      const own = here.get(key)
      if (own && clock.now() < own.until) return own.outcome
      const sealed = await withFallback(() => store.get(key), null)
      return sealed === null ? null : outcomeSchema.parse(JSON.parse(boxOf(refreshToken).open(sealed, key)))
    },
    async keep(refreshToken: string, outcome: Outcome): Promise<Outcome> {
      const key = keyOf('outcome', refreshToken)
      here.set(key, { outcome, until: clock.now() + sharedForMs })
      const sealed = boxOf(refreshToken).seal(JSON.stringify(outcome), key)
      await withFallback(() => store.set(key, sealed, { ttlMs: sharedForMs }), undefined)
      return outcome
    },
    /** When this token was first sent to the platform: now, where it was not yet. */
    async sent(refreshToken: string): Promise<number> {
      const key = keyOf('sent', refreshToken)
      const now = clock.now()
      const own = sentHere.get(key)
      const isFirst = await withFallback(() => store.setIfAbsent(key, String(own ?? now), { ttlMs: unprovenForMs }), null)
      const shared = isFirst === false ? await withFallback(() => store.get(key), null) : null
      const firstSentAt = Math.min(own ?? now, shared === null ? now : Number(shared))
      sentHere.set(key, firstSentAt)
      return firstSentAt
    },
    /** Remembers it for the token's life: a late second use is what the platform punishes. */
    async rememberSent(refreshToken: string, at: number): Promise<void> {
      const left = (readClaims(refreshToken)?.expiresAt ?? Number.POSITIVE_INFINITY) - clock.now()
      await withFallback(() => store.set(keyOf('sent', refreshToken), String(at), { ttlMs: Math.min(left, tokenLifeMs) }), undefined)
    },
    /** The right to ask the platform, or null while another instance has it. While the store is away each process has it. */
    async claim(refreshToken: string): Promise<{ end(): Promise<void> } | null> {
      const key = keyOf('claim', refreshToken)
      const mine = newId()
      const isMine = await withFallback(() => store.setIfAbsent(key, mine, { ttlMs: claimMs }), true)
      return isMine ? { end: async () => void (await withFallback(() => store.compareAndDelete(key, mine), false)) } : null
    },
  }
}
