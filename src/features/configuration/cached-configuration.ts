import { LRUCache } from 'lru-cache'
import type { Clock } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import { type Configuration, type SectionName, type Sections, sectionNames } from '../../ports/configuration/configuration.ts'
import type { Target } from './document-codec.ts'
import type { Documents } from './documents.ts'

/** The read port, kept in memory. */
export type CachedConfiguration = Configuration & {
  /** The next read of the section asks the store. */
  invalidate(target: Target): void
  invalidateAll(): void
}

export type CachedConfigurationOptions = { readonly documents: Pick<Documents, 'load'>; readonly clock: Clock }

/** Workspaces whose sections stay in memory. */
const maxWorkspaces = 2_000
/** What is in use is looked at again behind its readers, in case that the news of a change was lost. */
const recheckAfterMs = 10_000

type Entry<Name extends SectionName> = { readonly values: Promise<Sections[Name]>; readonly checkedAt: number; readonly stale: boolean }
type SectionCache<Name extends SectionName> = {
  read(workspaceId: string): Promise<Sections[Name]>
  invalidate(workspaceId: string): void
  invalidateAll(): void
}

/**
 * Readers get what is in memory; a section that is known to have changed is read anew first. A store that is away leaves readers with
 * what they had.
 */
export function createCachedConfiguration(options: CachedConfigurationOptions): CachedConfiguration {
  const caches: { readonly [Name in SectionName]: SectionCache<Name> } = {
    telephony: createSectionCache('telephony', options),
    ai: createSectionCache('ai', options),
    widget: createSectionCache('widget', options),
    theme: createSectionCache('theme', options),
    platform: createSectionCache('platform', options),
  }
  return {
    read: <Name extends SectionName>(workspaceId: string, section: Name) => caches[section].read(workspaceId),
    invalidate: ({ workspaceId, section }) => caches[section].invalidate(workspaceId),
    invalidateAll() {
      for (const section of sectionNames) caches[section].invalidateAll()
    },
  }
}

function createSectionCache<Name extends SectionName>(section: Name, { documents, clock }: CachedConfigurationOptions): SectionCache<Name> {
  const entries = new LRUCache<string, Entry<Name>>({ max: maxWorkspaces })

  const load = async (workspaceId: string, former: Promise<Sections[Name]> | undefined): Promise<Sections[Name]> => {
    try {
      return (await documents.load({ workspaceId, section })).values
    } catch (error) {
      if (former && error instanceof AppError && error.reason === 'STORE_UNAVAILABLE') return await former
      throw error
    }
  }

  /** Replaces the entry at once: its readers wait for the new values. */
  const renew = (workspaceId: string, former: Promise<Sections[Name]> | undefined): Promise<Sections[Name]> => {
    const entry = { values: load(workspaceId, former), checkedAt: clock.now(), stale: false }
    entries.set(workspaceId, entry)
    entry.values.catch(() => entries.get(workspaceId) === entry && entries.delete(workspaceId))
    return entry.values
  }

  /** Looks again behind the readers; what was invalidated in between stays so. */
  const recheck = (workspaceId: string, known: Entry<Name>): void => {
    const marked = { ...known, checkedAt: clock.now() }
    entries.set(workspaceId, marked)
    const checked = load(workspaceId, known.values)
    checked.then(
      () => entries.get(workspaceId) === marked && entries.set(workspaceId, { ...marked, values: checked }),
      () => entries.get(workspaceId) === marked && entries.delete(workspaceId),
    )
  }

  const invalidate = (workspaceId: string): void => {
    const known = entries.peek(workspaceId)
    if (known) entries.set(workspaceId, { ...known, stale: true })
  }

  return {
    async read(workspaceId) {
      const known = entries.get(workspaceId)
      if (!known || known.stale) return renew(workspaceId, known?.values)
      if (clock.now() - known.checkedAt >= recheckAfterMs) recheck(workspaceId, known)
      return known.values
    },
    invalidate,
    invalidateAll() {
      for (const workspaceId of Array.from(entries.keys())) invalidate(workspaceId)
    },
  }
}
