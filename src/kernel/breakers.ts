import { LRUCache } from 'lru-cache'
import { type BreakerCounts, type BreakerRules, CircuitBreaker, type PauseCause, type UpstreamParty } from './circuit-breaker.ts'
import type { Log } from './log.ts'
import type { AccountFault } from './refusal.ts'

export type Paused = UpstreamParty & { readonly cause: PauseCause; readonly seconds: number }

/** Of all accounts of a party, the worst. `seconds`: since when it is so. */
export type UpstreamState = Pick<UpstreamParty, 'party'> & { readonly works: boolean; readonly seconds: number }

/** `key`: the account, the same on every instance. `agoMs`: the last call that has shown it. */
export type Verdict = UpstreamParty & { readonly key: string; readonly works: boolean; readonly agoMs: number }

/** The breakers of all upstreams. */
export interface Breakers {
  /** A new breaker that is stored until the process ends: of an upstream that every instance has. */
  add(upstream: UpstreamParty, rules?: BreakerRules): CircuitBreaker
  /** The breaker of this key, made on first use. */
  of(key: string, upstream: UpstreamParty, rules?: BreakerRules): CircuitBreaker
  /** The upstreams that get no calls at present, and that somebody has called in the last minute. */
  paused(): readonly Paused[]
  /** The upstreams that refuse all calls of the account; of those that somebody has called in the last ten minutes. */
  refusing(): readonly (UpstreamParty & { readonly fault: AccountFault })[]
  /** What upstreams have shown to their callers; of those that somebody has called in the last ten minutes. */
  verdicts(): readonly Verdict[]
  /** Every party that has answered or failed since the start. Those that fail come first. */
  states(): readonly UpstreamState[]
  /** By party, since the start. */
  readonly counts: ReadonlyMap<string, BreakerCounts>
}

const maxBreakers = 1_000
const verdictForMs = 600_000

/** Stores breakers for as long as they are used, and logs when one opens and closes. */
export function createBreakers(log: Log): Breakers {
  const breakers = new LRUCache<string, CircuitBreaker>({ max: maxBreakers })
  const lasting: CircuitBreaker[] = []
  const counts = new Map<string, BreakerCounts>()
  const countsOf = (party: string): BreakerCounts => {
    const found = counts.get(party) ?? { openings: 0, refused: 0, retries: 0 }
    counts.set(party, found)
    return found
  }
  const create = (upstream: UpstreamParty, rules?: BreakerRules): CircuitBreaker => {
    const breaker = new CircuitBreaker(upstream, rules, countsOf(upstream.party))
    breaker.onChange((cause) => {
      const { party, workspaceId } = upstream
      if (cause === null) log.info({ party, workspaceId }, 'upstream.resumed')
      else log.warn({ party, workspaceId, cause }, 'upstream.paused')
    })
    return breaker
  }
  return {
    counts,
    add(upstream, rules) {
      const breaker = create(upstream, rules)
      lasting.push(breaker)
      return breaker
    },
    of(key, upstream, rules) {
      const known = breakers.get(key)
      if (known) return known
      const breaker = create(upstream, rules)
      breakers.set(key, breaker)
      return breaker
    },
    verdicts: () =>
      [...lasting.map((breaker) => [breaker.upstream.party, breaker] as const), ...breakers.entries()].flatMap(([key, breaker]) => {
        const { upstream, verdict } = breaker
        return verdict && breaker.usedWithin(verdictForMs) ? [{ ...upstream, ...verdict, key }] : []
      }),
    refusing: () =>
      [...lasting, ...breakers.values()].flatMap((breaker) => {
        const { upstream, accountFault: fault } = breaker
        return fault !== null && breaker.usedWithin(verdictForMs) ? [{ ...upstream, fault }] : []
      }),
    states: () => worstOfEach([...lasting, ...breakers.values()]),
    paused: () => [...lasting, ...breakers.values()].flatMap(({ upstream, pause }) => (pause === null ? [] : [{ ...upstream, ...pause }])),
  }
}

function worstOfEach(breakers: readonly CircuitBreaker[]): readonly UpstreamState[] {
  const states = breakers.flatMap((breaker) => {
    const { upstream, state } = breaker
    // An account that failed and is no longer called may be gone.
    return state !== null && (state.works || breaker.usedWithin(verdictForMs)) ? [{ party: upstream.party, ...state }] : []
  })
  const ranked = states.toSorted(
    (one, other) => Number(one.works) - Number(other.works) || (one.works ? one.seconds - other.seconds : other.seconds - one.seconds),
  )
  const ofParty = Map.groupBy(ranked, ({ party }) => party)
  return [...ofParty.values()].flatMap(([worst]) => worst ?? [])
}
