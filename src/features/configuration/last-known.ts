import { LRUCache } from 'lru-cache'
import { AppError } from '../../kernel/errors.ts'
import type { Configuration, SectionName, Sections } from '../../ports/configuration/configuration.ts'
import type { Ports } from '../../ports/ports.ts'
import { configurationChanged } from './create-configuration.ts'

const maxWorkspaces = 1_000
type Known = { readonly [Name in keyof Sections]: LRUCache<string, Sections[Name]> }

/**
 * A configuration that does not wait for a store that hangs or is away: then it returns the values that it read last. A section that was
 * never read here, or not since it was changed, is waited for: who lost a role must not have it for longer because the store was slow. For work that
 * must go on without the store, such as signing in.
 */
export function withLastKnown(
  configuration: Configuration,
  { notifications, withFallback }: Pick<Ports, 'notifications' | 'withFallback'>,
): Configuration {
  const cache = <Value extends object>() => new LRUCache<string, Value>({ max: maxWorkspaces })
  const known: Known = { telephony: cache(), ai: cache(), widget: cache(), theme: cache(), platform: cache(), alerts: cache() }
  let changes = 0
  notifications.subscribe(configurationChanged, ({ workspaceId }) => {
    changes += 1
    for (const values of Object.values(known)) values.delete(workspaceId)
  })

  const readNow = async <Name extends SectionName>(workspaceId: string, section: Name): Promise<Sections[Name]> => {
    const before = changes
    const values = await configuration.read(workspaceId, section)
    if (changes === before) known[section].set(workspaceId, values)
    return values
  }
  return {
    async read(workspaceId, section) {
      const last = known[section].get(workspaceId)
      if (last === undefined) return readNow(workspaceId, section)
      const outcome = await withFallback(() => outcomeOf(readNow(workspaceId, section)), { values: last })
      if ('error' in outcome) throw outcome.error
      return outcome.values
    },
  }
}

/** A document that cannot be read does not mean that the store is away: its error is passed on. */
async function outcomeOf<Value>(reading: Promise<Value>): Promise<{ values: Value } | { error: unknown }> {
  try {
    return { values: await reading }
  } catch (error) {
    if (error instanceof AppError && error.reason === 'STORE_UNAVAILABLE') throw error
    return { error }
  }
}
