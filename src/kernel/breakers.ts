import { LRUCache } from 'lru-cache'
import { type BreakerCounts, type BreakerRules, CircuitBreaker, type PauseCause, type UpstreamParty } from './circuit-breaker.ts'
import type { Log } from './log.ts'

export type Paused = UpstreamParty & { readonly cause: PauseCause; readonly seconds: number }

/** The breakers of all upstreams. */
export interface Breakers {
  /** The breaker of this key, made on first use. */
  of(key: string, upstream: UpstreamParty, rules?: BreakerRules): CircuitBreaker
  /** The upstreams that get no calls at present. */
  paused(): readonly Paused[]
  /** By party, since the start. */
  readonly counts: ReadonlyMap<string, BreakerCounts>
}

const maxBreakers = 1_000

/** Stores breakers for as long as they are used, and logs when one opens and closes. */
export function createBreakers(log: Log): Breakers {
  const breakers = new LRUCache<string, CircuitBreaker>({ max: maxBreakers })
  const counts = new Map<string, BreakerCounts>()
  const countsOf = (party: string): BreakerCounts => {
    const found = counts.get(party) ?? { openings: 0, refused: 0, retries: 0 }
    counts.set(party, found)
    return found
  }
  return {
    counts,
    of(key, upstream, rules) {
      const known = breakers.get(key)
      if (known) return known
      const breaker = new CircuitBreaker(upstream, rules, countsOf(upstream.party))
      breaker.onChange((cause) => {
        const { party, workspaceId } = upstream
        if (cause === null) log.info({ party, workspaceId }, 'upstream.resumed')
        else log.warn({ party, workspaceId, cause }, 'upstream.paused')
      })
      breakers.set(key, breaker)
      return breaker
    },
    paused: () =>
      [...breakers.values()].flatMap(({ upstream, cause, openSince }) =>
        cause === null ? [] : [{ ...upstream, cause, seconds: Math.round((performance.now() - openSince) / 1_000) }],
      ),
  }
}
