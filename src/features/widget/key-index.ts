import type { Clock } from '../../kernel/clock.ts'
import type { WidgetKey } from './widget-key.ts'

/** Keys by their text, and by the origins that they allow. */
export type KeyIndex = {
  readonly keys: ReadonlyMap<string, WidgetKey>
  readonly origins: ReadonlyMap<string, readonly WidgetKey[]>
}

type KeyIndexCache = {
  current(): Promise<KeyIndex>
  notOlderThan(ms: number): Promise<KeyIndex>
  invalidate(): void
}
type Cached = { readonly index: Promise<KeyIndex>; readonly readAt: number; readonly isStale: boolean }

/** The index is read again in the background after this time, because a notification of a change may be lost. */
const refreshAfterMs = 10_000

/** Caches the index until it is invalidated. If a read fails, the last index counts. */
export function createKeyIndex({
  read: readAll,
  clock,
}: {
  readonly read: () => Promise<readonly WidgetKey[]>
  readonly clock: Clock
}): KeyIndexCache {
  let cached: Cached | null = null
  const read = async (): Promise<KeyIndex> => indexOf(await readAll())

  const renew = (): Promise<KeyIndex> => {
    const former = cached?.index
    const index = former ? read().catch(() => former) : read()
    const entry = { index, readAt: clock.now(), isStale: false }
    cached = entry
    index.catch(() => cached === entry && (cached = null))
    return index
  }
  const refresh = (entry: Cached): void => {
    const marked = { ...entry, readAt: clock.now() }
    cached = marked
    read().then(
      (index) => cached === marked && (cached = { ...marked, index: Promise.resolve(index) }),
      () => undefined,
    )
  }
  return {
    async current() {
      if (!cached || cached.isStale) return renew()
      if (clock.now() - cached.readAt >= refreshAfterMs) refresh(cached)
      return cached.index
    },
    async notOlderThan(ms) {
      return cached && clock.now() - cached.readAt < ms ? cached.index : renew()
    },
    invalidate() {
      if (cached) cached = { ...cached, isStale: true }
    },
  }
}

function indexOf(all: readonly WidgetKey[]): KeyIndex {
  const byOrigin = all.flatMap((key) => key.origins.map((origin) => ({ origin, key })))
  const origins = Map.groupBy(byOrigin, ({ origin }) => origin)
  return {
    keys: new Map(all.map((key) => [key.key, key])),
    origins: new Map(Array.from(origins, ([origin, entries]) => [origin, entries.map(({ key }) => key)])),
  }
}
