import { LRUCache } from 'lru-cache'
import { atMost } from '../../kernel/at-most.ts'
import { z } from 'zod'
import { hashOf } from '../../kernel/ids.ts'
import { createSecretBox, deriveKey, type SecretBox } from '../../kernel/secrets.ts'
import { createWithFallback, type WithFallback } from '../../kernel/with-fallback.ts'
import type { Lease } from '../../ports/lease.ts'
import type { Ports } from '../../ports/ports.ts'
import { Family } from '../../ports/stored/family.ts'
import { LeaseOf } from '../../ports/stored/lease-of.ts'
import { readClaims } from '../../access/token-claims.ts'

const issuedToken = z.object({ token: z.string(), expiresAt: z.string() })
const outcomeSchema = z.object({ tokens: z.object({ accessToken: issuedToken, refreshToken: issuedToken }).nullable() })
/** What a renewal led to; `tokens` is null if the platform refused. */
export type RenewalOutcome = z.output<typeof outcomeSchema>

/** For how long everybody who asks with the same token gets the same tokens. */
const sharedForMs = 30_000
/** A renewal is not urgent, so it waits longer than others: the store itself reports within half a second that it is busy. */
const storePatienceMs = 1_000
/** How long it is remembered that a token was sent, before the platform answers: a forged token takes no space for longer. */
const unprovedForMs = 3_600_000
/** A refresh token's whole life, for tokens that do not name their end. */
const tokenLifeMs = 60 * 24 * 3_600_000

const byToken = (refreshToken: string): readonly string[] => [hashOf(refreshToken)]

export const renewalOutcomes = new Family({
  name: 'auth:renewal-outcome',
  scope: 'installation',
  key: byToken,
  schema: outcomeSchema,
  sealedBy: ({ box }: { readonly box: SecretBox }) => box,
  // The platform accepts a used token for longer than this lives.
  unreadable: 'ABSENT',
  lifetime: sharedForMs,
  about: 'agent',
  what: 'renewed tokens for concurrent requests, sealed with the old one',
})

/** Epoch milliseconds. */
export const sentRenewals = new Family({
  name: 'auth:renewal-sent',
  scope: 'installation',
  key: byToken,
  schema: z.number(),
  lifetime: tokenLifeMs,
  about: 'agent',
  what: 'when a refresh token was sent, by its hash',
})

/** It outlives one request to the platform. */
export const renewalLease = new LeaseOf({
  name: 'auth:renewal-lease',
  scope: 'installation',
  key: byToken,
  what: 'a renewal of tokens under way',
})

export type RenewalStorePorts = Pick<Ports, 'store' | 'clock' | 'log'>
/**
 * What all instances share about renewals: stored by the token's hash, sealed with a key that is derived from the token. While the store is
 * away, each process goes on with what it has in memory.
 */
export type RenewalStore = ReturnType<typeof createRenewalStore>

export function createRenewalStore(ports: RenewalStorePorts) {
  const withFallback = createWithFallback({ patienceMs: storePatienceMs, pauseMs: 1_000 })
  return {
    ...createOutcomes(ports, withFallback),
    ...createSentTimes(ports, withFallback),
    /** The right to ask the platform, or null while another instance has it. While the store is away, each process has it. */
    async lease(refreshToken: string): Promise<AsyncDisposable | null> {
      const attempt: { acquiring?: Promise<Lease | null> } = {}
      const acquired = await withFallback(async () => {
        attempt.acquiring = renewalLease.acquire(ports, refreshToken, { log: ports.log })
        return { lease: await attempt.acquiring }
      }, null)
      if (acquired) return acquired.lease
      // A lease that is acquired later than this is not needed any more.
      attempt.acquiring?.then((lease) => lease?.[Symbol.asyncDispose]()).catch(() => undefined)
      return new AsyncDisposableStack()
    },
  }
}

function createOutcomes({ store, clock }: RenewalStorePorts, withFallback: WithFallback) {
  const cached = new LRUCache<string, { outcome: RenewalOutcome; until: number }>({
    ...atMost(10_000),
    ttl: sharedForMs,
    ttlAutopurge: true,
  })
  return {
    async outcome(refreshToken: string): Promise<RenewalOutcome | null> {
      const own = cached.get(hashOf(refreshToken))
      if (own && clock.now() < own.until) return own.outcome
      return withFallback(() => renewalOutcomes.read({ store, box: boxOf(refreshToken) }, refreshToken), null)
    },
    async saveOutcome(refreshToken: string, outcome: RenewalOutcome): Promise<void> {
      cached.set(hashOf(refreshToken), { outcome, until: clock.now() + sharedForMs })
      await withFallback(() => renewalOutcomes.write({ store, box: boxOf(refreshToken) }, refreshToken, { value: outcome }), undefined)
    },
  }
}

function createSentTimes(ports: RenewalStorePorts, withFallback: WithFallback) {
  const sentHere = new LRUCache<string, number>(atMost(100_000))
  return {
    /** When this token was first sent to the platform (epoch milliseconds); now, if it is sent for the first time. */
    async firstSentAt(refreshToken: string): Promise<number> {
      const key = hashOf(refreshToken)
      const now = ports.clock.now()
      const own = sentHere.get(key)
      const sent = { value: own ?? now, lifetime: unprovedForMs }
      const isFirst = await withFallback(() => sentRenewals.writeNew(ports, refreshToken, sent), null)
      const shared = isFirst === false ? await withFallback(() => sentRenewals.read(ports, refreshToken), null) : null
      const sentAt = Math.min(own ?? now, shared ?? now)
      sentHere.set(key, sentAt)
      return sentAt
    },
    /** Remembers it for the token's life, because the platform punishes a late second use. */
    async rememberSent(refreshToken: string, at: number): Promise<void> {
      const leftMs = (readClaims(refreshToken)?.expiresAt ?? Number.POSITIVE_INFINITY) - ports.clock.now()
      const sent = { value: at, lifetime: Math.min(leftMs, tokenLifeMs) }
      await withFallback(() => sentRenewals.write(ports, refreshToken, sent), undefined)
    },
  }
}

function boxOf(refreshToken: string): SecretBox {
  return createSecretBox(deriveKey(refreshToken, 'sidecar shared renewal'))
}
