import { LRUCache } from 'lru-cache'
import type { Clock } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import { type Configuration, type SectionName, type Sections, sectionNames } from '../../ports/configuration/configuration.ts'
import { countUse, type Figures } from '../../ports/figures.ts'
import type { Target } from './section-codec.ts'
import type { SectionStore } from './section-store.ts'

/** The configuration with a cache in memory. */
export type CachedConfiguration = Configuration & {
  /** The next read of the section asks the store. */
  invalidate(target: Target): void
  invalidateAll(): void
}

type Source = { readonly sections: Pick<SectionStore, 'load'>; readonly clock: Clock; readonly figures: Pick<Figures, 'caches'> }

/** Workspaces whose sections are cached. */
const maxWorkspaces = 2_000
/** A section in use is read again in the background after this time, in case the notification of a change was lost. */
const recheckAfterMs = 10_000
/** A section that has changed is read again so long after the store was away. */
const tryAgainAfterMs = 1_000

type Loaded<Name extends SectionName> = { readonly values: Sections[Name]; readonly isCurrent: boolean }
type Entry<Name extends SectionName> = {
  readonly values: Promise<Sections[Name]>
  readonly checkedAt: number
  /** From when on the next reader asks the store, in `performance.now()` time; null while nobody knows of a change. */
  readonly staleFrom: number | null
}
type SectionCache<Name extends SectionName> = {
  read(workspaceId: string): Promise<Sections[Name]>
  invalidate(workspaceId: string): void
  invalidateAll(): void
}

/**
 * Readers get the cached values. A section that is known to have changed is read again first. While the store is away, readers keep the values
 * that they had, and one of them tries again each second.
 */
export function createCachedConfiguration(source: Source): CachedConfiguration {
  const caches: { readonly [Name in SectionName]: SectionCache<Name> } = {
    telephony: createSectionCache('telephony', source),
    ai: createSectionCache('ai', source),
    widget: createSectionCache('widget', source),
    theme: createSectionCache('theme', source),
    platform: createSectionCache('platform', source),
    alerts: createSectionCache('alerts', source),
  }
  return {
    read: <Name extends SectionName>(workspaceId: string, section: Name) => caches[section].read(workspaceId),
    invalidate: ({ workspaceId, section }) => caches[section].invalidate(workspaceId),
    invalidateAll() {
      for (const section of sectionNames) caches[section].invalidateAll()
    },
  }
}

function createSectionCache<Name extends SectionName>(section: Name, { sections, clock, figures }: Source): SectionCache<Name> {
  const entries = new LRUCache<string, Entry<Name>>({ max: maxWorkspaces })

  const load = async (workspaceId: string, last: Promise<Sections[Name]> | undefined): Promise<Loaded<Name>> => {
    try {
      return { values: (await sections.load({ workspaceId, section })).values, isCurrent: true }
    } catch (error) {
      if (last && error instanceof AppError && error.reason === 'STORE_UNAVAILABLE') return { values: await last, isCurrent: false }
      throw error
    }
  }

  /** Replaces the entry at once: its readers wait for the new values. */
  const reload = (workspaceId: string, last: Promise<Sections[Name]> | undefined): Promise<Sections[Name]> => {
    const loaded = load(workspaceId, last)
    const entry = { values: loaded.then(({ values }) => values), checkedAt: clock.now(), staleFrom: null }
    entries.set(workspaceId, entry)
    loaded.then(
      ({ isCurrent }) => {
        if (isCurrent || entries.get(workspaceId) !== entry) return
        entries.set(workspaceId, { ...entry, staleFrom: performance.now() + tryAgainAfterMs })
      },
      () => entries.get(workspaceId) === entry && entries.delete(workspaceId),
    )
    return entry.values
  }

  /** Reads again in the background. An entry that is invalidated meanwhile stays invalid. */
  const recheck = (workspaceId: string, known: Entry<Name>): void => {
    const marked = { ...known, checkedAt: clock.now() }
    entries.set(workspaceId, marked)
    const checked = load(workspaceId, known.values).then(({ values }) => values)
    checked.then(
      () => entries.get(workspaceId) === marked && entries.set(workspaceId, { ...marked, values: checked }),
      () => entries.get(workspaceId) === marked && entries.delete(workspaceId),
    )
  }

  const invalidate = (workspaceId: string): void => {
    const known = entries.peek(workspaceId)
    if (known) entries.set(workspaceId, { ...known, staleFrom: 0 })
  }

  return {
    async read(workspaceId) {
      const known = entries.get(workspaceId)
      const isHit = known !== undefined && (known.staleFrom === null || performance.now() < known.staleFrom)
      countUse(figures.caches.configuration, isHit)
      if (!isHit) return reload(workspaceId, known?.values)
      if (clock.now() - known.checkedAt >= recheckAfterMs) recheck(workspaceId, known)
      return known.values
    },
    invalidate,
    invalidateAll() {
      for (const workspaceId of Array.from(entries.keys())) invalidate(workspaceId)
    },
  }
}
