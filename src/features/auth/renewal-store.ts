import { LRUCache } from 'lru-cache'
import { atMost } from '../../kernel/at-most.ts'
import { z } from 'zod'
import { hashOf } from '../../kernel/ids.ts'
import { createSecretBox, deriveKey, type SecretBox } from '../../kernel/secrets.ts'
import { createWithFallback, type WithFallback } from '../../kernel/with-fallback.ts'
import { acquireLease, type Lease } from '../../ports/lease.ts'
import type { Ports } from '../../ports/ports.ts'
import { readClaims } from './token-claims.ts'

const issuedToken = z.object({ token: z.string(), expiresAt: z.string() })
const outcomeSchema = z.object({ tokens: z.object({ accessToken: issuedToken, refreshToken: issuedToken }).nullable() })
/** What a renewal led to; `tokens` is null if the platform refused. */
export type RenewalOutcome = z.output<typeof outcomeSchema>

/** For how long everybody who asks with the same token gets the same tokens. */
const sharedForMs = 30_000
/** A renewal is not urgent, so it waits longer than others: the store itself reports within half a second that it is busy. */
const storePatienceMs = 1_000
/** Longer than one request to the platform. */
const leaseMs = 15_000
/** How long it is remembered that a token was sent, before the platform answers: a forged token takes no space for longer. */
const unprovedForMs = 3_600_000
/** A refresh token's whole life, for tokens that do not name their end. */
const tokenLifeMs = 60 * 24 * 3_600_000

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
        attempt.acquiring = acquireLease(ports.store, keyOf('lease', refreshToken), { ttlMs: leaseMs, log: ports.log })
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
      const key = keyOf('outcome', refreshToken)
      const own = cached.get(key)
      if (own && clock.now() < own.until) return own.outcome
      const sealed = await withFallback(() => store.get(key), null)
      return sealed === null ? null : outcomeSchema.parse(JSON.parse(boxOf(refreshToken).open(sealed, key)))
    },
    async saveOutcome(refreshToken: string, outcome: RenewalOutcome): Promise<void> {
      const key = keyOf('outcome', refreshToken)
      cached.set(key, { outcome, until: clock.now() + sharedForMs })
      const sealed = boxOf(refreshToken).seal(JSON.stringify(outcome), key)
      await withFallback(() => store.set(key, sealed, { ttlMs: sharedForMs }), undefined)
    },
  }
}

function createSentTimes({ store, clock }: RenewalStorePorts, withFallback: WithFallback) {
  const sentHere = new LRUCache<string, number>(atMost(100_000))
  return {
    /** When this token was first sent to the platform (epoch milliseconds); now, if it is sent for the first time. */
    async firstSentAt(refreshToken: string): Promise<number> {
      const key = keyOf('sent', refreshToken)
      const now = clock.now()
      const own = sentHere.get(key)
      const isFirst = await withFallback(() => store.setIfAbsent(key, String(own ?? now), { ttlMs: unprovedForMs }), null)
      const shared = isFirst === false ? await withFallback(() => store.get(key), null) : null
      const sentAt = Math.min(own ?? now, shared === null ? now : Number(shared))
      sentHere.set(key, sentAt)
      return sentAt
    },
    /** Remembers it for the token's life, because the platform punishes a late second use. */
    async rememberSent(refreshToken: string, at: number): Promise<void> {
      const leftMs = (readClaims(refreshToken)?.expiresAt ?? Number.POSITIVE_INFINITY) - clock.now()
      await withFallback(() => store.set(keyOf('sent', refreshToken), String(at), { ttlMs: Math.min(leftMs, tokenLifeMs) }), undefined)
    },
  }
}

function keyOf(what: 'outcome' | 'sent' | 'lease', refreshToken: string): string {
  return `auth:renewal-${what}:${hashOf(refreshToken)}`
}

function boxOf(refreshToken: string): SecretBox {
  return createSecretBox(deriveKey(refreshToken, 'sidecar shared renewal'))
}
