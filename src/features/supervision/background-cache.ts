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
  /** The age at which a value is loaded again; also the pause after a failed load. */
  readonly freshMs: number
}): BackgroundCache<Value> {
  const cache = new LRUCache<string, { readonly value: Value; readonly loadedAt: number }>({ max: maxWorkspaces })
  const loads = createSingleFlight<Value>()

  const refresh = (workspaceId: string): Promise<Value> =>
    loads.run(workspaceId, async () => {
      const value = await load(workspaceId).catch(() => cache.get(workspaceId)?.value ?? fallback)
      cache.set(workspaceId, { value, loadedAt: clock.now() })
      return value
    })

  return {
    async read(workspaceId) {
      const cached = cache.get(workspaceId)
      if (cached && clock.now() - cached.loadedAt < freshMs) return cached.value
      const refreshing = refresh(workspaceId)
      if (cached) return cached.value
      return withDeadline(refreshing, firstLoadMs).catch(() => fallback)
    },
  }
}
