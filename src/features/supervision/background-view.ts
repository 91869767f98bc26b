import { LRUCache } from 'lru-cache'
import { withDeadline } from '../../kernel/with-fallback.ts'
import { createSingleFlight } from '../../kernel/single-flight.ts'

export type BackgroundViewOptions<View> = {
  readonly read: (workspaceId: string) => Promise<View>
  /** What is shown until the first reading, and where none succeeds. */
  readonly otherwise: View
  readonly now: () => number
  /** How old a view may be before it is read anew, also after a reading that failed. */
  readonly freshMs: number
}

/** How long the very first look waits. */
const patienceMs = 1_000

/** Something read elsewhere, kept per workspace: a look gets what is there, and the reading goes on behind it. Never throws. */
export function createBackgroundView<View>({ read, otherwise, now, freshMs }: BackgroundViewOptions<View>) {
  const kept = new LRUCache<string, { readonly view: View | null; readonly readAt: number }>({ max: 500 })
  const shared = createSingleFlight<View>()

  const refresh = (workspaceId: string): Promise<View> =>
    shared.run(workspaceId, async () => {
      const view = await read(workspaceId).catch(() => kept.get(workspaceId)?.view ?? null)
      kept.set(workspaceId, { view, readAt: now() })
      return view ?? otherwise
    })

  return async (workspaceId: string): Promise<View> => {
    const known = kept.get(workspaceId)
    if (known && now() - known.readAt < freshMs) return known.view ?? otherwise
    const reading = refresh(workspaceId)
    if (known) return known.view ?? otherwise
    return withDeadline(reading, patienceMs).catch(() => otherwise)
  }
}
