import { LRUCache } from 'lru-cache'
import { atMost } from '../../kernel/at-most.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Store } from '../../ports/store.ts'
import { Counter } from '../../ports/stored/counter.ts'

/** Counts the requests of one workspace's API key, together with the other instances. */
export interface RequestWindow {
  /** Takes `cost` requests if this share of the minute's requests is then still free; else returns how long to wait at least. */
  take(workspaceId: string, cost: number, reservedShare: number): Promise<{ readonly waitMs: number }>
  /** The platform has reported that a limit is reached: no request is free for a while, and a lower limit than ours is used from now on. */
  learn(workspaceId: string, limit: PlatformLimit | null): void
}

/** `requests` in any `windowMs`, as the platform's error says it. */
export type PlatformLimit = { readonly requests: number; readonly windowMs: number }

/** What the platform lets an API key do in a minute on the records endpoint, and in a second (Twenty 2.21, measured). */
export const platformRequestsPerMinute = 100
const platformRequestsPerSecond = 100

type SliceKey = { readonly workspaceId: string; readonly slice: number }
type Span = { readonly ms: number; readonly sliceMs: number; readonly counter: Counter<SliceKey> }
const minute = spanOf('minute', 60_000)
const second = spanOf('second', 1_000)
export const platformRequests = [minute.counter, second.counter]
/** The platform gives its requests back one by one; after a refusal we wait for so many. */
const awaited = 5
/** Somebody may raise the platform's limit. */
const learntForMs = 3_600_000

type Limits = { readonly perMinute: number; readonly perSecond: number; readonly until: number }
type Counted = { readonly used: number; readonly waitMs: number; readonly takeBack: () => Promise<unknown> }

/**
 * Sliding windows over slices of time in the store. They never count fewer requests than the platform does, because each instance first
 * adds its requests and then takes back the excess. If the store is unavailable, this process counts alone.
 */
export function createRequestWindow({ store, clock, perMinute }: { store: Store; clock: Clock; perMinute: number }): RequestWindow {
  const blockedUntil = new Map<string, number>()
  const learnt = new Map<string, Limits>()
  const local = new LRUCache<string, number>(atMost(10_000))

  const limitsOf = (workspaceId: string): Limits => {
    const known = learnt.get(workspaceId)
    return known && known.until > clock.now() ? known : { perMinute, perSecond: platformRequestsPerSecond, until: 0 }
  }

  const addTo = async ({ counter }: Span, key: SliceKey, by: number): Promise<number> => {
    const own = (local.get(counter.keyText(key)) ?? 0) + by
    local.set(counter.keyText(key), own)
    return counter.add({ store }, key, by).catch(() => own)
  }

  /** All slices that overlap the span; the oldest one counts completely. */
  const count = async (span: Span, workspaceId: string, cost: number): Promise<Counted> => {
    const { ms, sliceMs, counter } = span
    const now = clock.now()
    const key = { workspaceId, slice: Math.floor(now / sliceMs) }
    const earlier = Array.from({ length: ms / sliceMs }, (_, back) => ({ workspaceId, slice: key.slice - back - 1 }))
    const countedHere = (): readonly number[] => earlier.map((each) => local.get(counter.keyText(each)) ?? 0)
    const before = await counter.readMany({ store }, earlier).catch(countedHere)
    const used = before.reduce((sum, one) => sum + one, await addTo(span, key, cost))
    return { used, waitMs: sliceMs - (now % sliceMs), takeBack: () => addTo(span, key, -cost) }
  }

  return {
    async take(workspaceId, cost, reservedShare) {
      const blockedMs = (blockedUntil.get(workspaceId) ?? 0) - clock.now()
      if (blockedMs > 0) return { waitMs: blockedMs }
      const limits = limitsOf(workspaceId)
      const long = await count(minute, workspaceId, cost)
      if (long.used > Math.floor(limits.perMinute * (1 - reservedShare))) {
        await long.takeBack()
        return { waitMs: long.waitMs }
      }
      if (limits.perMinute <= limits.perSecond) return { waitMs: 0 }
      const short = await count(second, workspaceId, cost)
      if (short.used <= limits.perSecond) return { waitMs: 0 }
      await Promise.all([long.takeBack(), short.takeBack()])
      return { waitMs: short.waitMs }
    },
    learn(workspaceId, limit) {
      const now = clock.now()
      const { perMinute: ours, perSecond } = limitsOf(workspaceId)
      const { requests, windowMs } = limit ?? { requests: ours, windowMs: minute.ms }
      blockedUntil.set(workspaceId, now + Math.ceil((windowMs / requests) * awaited))
      const perSpan = (span: Span): number => Math.floor((requests * Math.min(span.ms, windowMs)) / windowMs)
      const until = now + learntForMs
      if (windowMs > second.ms) learnt.set(workspaceId, { perMinute: Math.max(1, Math.min(ours, perSpan(minute))), perSecond, until })
      else learnt.set(workspaceId, { perMinute: ours, perSecond: Math.max(1, Math.min(perSecond, perSpan(second))), until })
    },
  }
}

function spanOf(name: string, ms: number): Span {
  const sliceMs = ms / 10
  const counter = new Counter({
    name: `platform-requests:*:${name}`,
    key: ({ workspaceId, slice }: SliceKey) => [workspaceId, String(slice)],
    lifetime: ms + sliceMs,
    about: 'nothing',
    what: `how many requests the platform's API key made in a tenth of a ${name}`,
  })
  return { ms, sliceMs, counter }
}
