import type { Clock } from '../../kernel/clock.ts'
import type { Store } from '../../ports/store.ts'

/** Counts the requests of one workspace's API key over the last minute, together with the other instances. */
export interface RequestWindow {
  /** Takes `cost` requests if the minute then still has `reserve` requests left; else returns how long to wait at least. */
  take(workspaceId: string, cost: number, reserve: number): Promise<{ readonly waitMs: number }>
  /** The platform has reported that its limit is reached, so no request is free for a while. */
  exhaust(workspaceId: string): void
}

/** What the platform lets an API key do in a minute on the records endpoint (Twenty 2.21, measured). */
export const platformRequestsPerMinute = 100
const windowMs = 60_000
const sliceMs = 6_000
const slices = windowMs / sliceMs
/** After "Limit reached": the platform gives back its requests one by one, so waiting for a few is enough. */
const exhaustedMs = 3_000

/**
 * A sliding window over ten slices of six seconds in the store. It never counts fewer requests than the platform does, because each
 * instance first adds its requests and then takes back the excess. If the store is unavailable, this process counts alone.
 */
export function createRequestWindow({ store, clock, perMinute }: { store: Store; clock: Clock; perMinute: number }): RequestWindow {
  const exhaustedUntil = new Map<string, number>()
  const local = new Map<string, number>()

  const sliceKey = (workspaceId: string, slice: number): string => `platform-requests:${workspaceId}:${slice}`

  const addTo = async (key: string, by: number): Promise<number> => {
    const own = (local.get(key) ?? 0) + by
    local.set(key, own)
    return store.increment(key, by, { ttlMs: windowMs + sliceMs }).catch(() => own)
  }

  const earlier = async (keys: readonly string[]): Promise<readonly number[]> => {
    const counts = await store.getMany(keys).catch(() => keys.map((key) => String(local.get(key) ?? 0)))
    return counts.map((count) => Number(count ?? 0))
  }

  const forget = (slice: number): void => {
    for (const key of local.keys()) if (Number(key.slice(key.lastIndexOf(':') + 1)) <= slice - slices) local.delete(key)
  }

  return {
    async take(workspaceId, cost, reserve) {
      const now = clock.now()
      const blockedMs = (exhaustedUntil.get(workspaceId) ?? 0) - now
      if (blockedMs > 0) return { waitMs: blockedMs }
      const slice = Math.floor(now / sliceMs)
      forget(slice)
      const key = sliceKey(workspaceId, slice)
      // All slices that overlap the last minute. The oldest one counts completely.
      const before = await earlier(Array.from({ length: slices }, (_, back) => sliceKey(workspaceId, slice - back - 1)))
      const used = before.reduce((sum, count) => sum + count, await addTo(key, cost))
      if (used <= perMinute - reserve) return { waitMs: 0 }
      await addTo(key, -cost)
      return { waitMs: sliceMs - (now % sliceMs) }
    },
    exhaust: (workspaceId) => void exhaustedUntil.set(workspaceId, clock.now() + exhaustedMs),
  }
}
