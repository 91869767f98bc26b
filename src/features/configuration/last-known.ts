import { LRUCache } from 'lru-cache'
import type { WithFallback } from '../../kernel/with-fallback.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Configuration, SectionName, Sections } from '../../ports/configuration/configuration.ts'

const maxWorkspaces = 1_000
type Known = { readonly [Name in keyof Sections]: LRUCache<string, Sections[Name]> }

/**
 * A configuration that does not wait for a store that hangs or is away: then it returns the values that it read last. A section that was
 * never read here is waited for. For work that must go on without the store, such as signing in.
 */
export function withLastKnown(configuration: Configuration, withFallback: WithFallback): Configuration {
  const cache = <Value extends object>() => new LRUCache<string, Value>({ max: maxWorkspaces })
  const known: Known = { telephony: cache(), ai: cache(), widget: cache(), theme: cache(), platform: cache(), alerts: cache() }

  const readNow = async <Name extends SectionName>(workspaceId: string, section: Name): Promise<Sections[Name]> => {
    const values = await configuration.read(workspaceId, section)
    known[section].set(workspaceId, values)
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
