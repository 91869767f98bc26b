import { LRUCache } from 'lru-cache'
import type { Clock } from '../../kernel/clock.ts'
import { withDeadline } from '../../kernel/with-fallback.ts'
import { createSingleFlight } from '../../kernel/single-flight.ts'

/** A value per workspace that is loaded in the background. */
export type BackgroundCache<Value> = {
  /** The cached value, which may be older than `freshMs` while it is loaded again. The first read waits up to a second. Never throws. */
  read(workspaceId: string): Promise<Value>
}

const maxWorkspaces = 500
const firstLoadMs = 1_000
/** The pause after a failed load: a platform that is away for a moment must not leave agents without names for minutes. */
const failedMs = 10_000

export function createBackgroundCache<Value>({
  load,
  fallback,
  clock,
  freshMs,
}: {
  readonly load: (workspaceId: string) => Promise<Value>
  /** Returned until the first load has finished, and if none has succeeded. */
  readonly fallback: Value
  readonly clock: Clock
  /** The age at which a value is loaded again. */
  readonly freshMs: number
}): BackgroundCache<Value> {
  const cache = new LRUCache<string, { readonly value: Value; readonly staleAt: number }>({ max: maxWorkspaces })
  const loads = createSingleFlight<Value>()

  const refresh = (workspaceId: string): Promise<Value> =>
    loads.run(workspaceId, async () => {
      try {
        const value = await load(workspaceId)
        cache.set(workspaceId, { value, staleAt: clock.now() + freshMs })
        return value
      } catch {
        const value = cache.get(workspaceId)?.value ?? fallback
        cache.set(workspaceId, { value, staleAt: clock.now() + Math.min(freshMs, failedMs) })
        return value
      }
    })

  return {
    async read(workspaceId) {
      const cached = cache.get(workspaceId)
      if (cached && clock.now() < cached.staleAt) return cached.value
      const refreshing = refresh(workspaceId)
      if (cached) return cached.value
      return withDeadline(refreshing, firstLoadMs).catch(() => fallback)
    },
  }
}
