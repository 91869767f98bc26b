import { LRUCache } from 'lru-cache'
import type { AgentDirectory, AgentEntry } from '../../ports/call-records.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { RecordAccess } from '../../ports/record-access.ts'
import { textOf } from './field-values.ts'
import type { Row } from './record-object.ts'
import type { Records } from './records.ts'

const cachedForMs = 300_000
/**
 * For each page: an agent may have been created since, and the record of a call, which is written once, would have no agent. Unknown agents cost two
 * requests a minute at most.
 */
const unknownForMs = 30_000
/** The platform's longest page. */
const pageSize = 200
/** A call center with more agents has several workspaces. */
const mostAgents = 5_000

type Cached = { readonly byName: Promise<ReadonlyMap<string, AgentEntry>>; readonly readAt: number }

/** All agents of a workspace, in one request for 200 of them, cached for five minutes; for an agent who is not among them, for half a minute a page. */
export function createAgentDirectory(records: Records, clock: Clock): AgentDirectory {
  const cache = new LRUCache<string, Cached>({ max: 500 })

  const read = async (access: RecordAccess): Promise<ReadonlyMap<string, AgentEntry>> => {
    const rows: Row<'agent'>[] = []
    for (let offset = 0; offset === rows.length && offset < mostAgents; offset += pageSize) {
      const fields = ['name', 'providerAgentId', 'sipExtension'] as const
      rows.push(...(await records.list(access, 'agent', { fields, filter: () => ({}), first: pageSize, offset })))
    }
    // Newest first, so the oldest one of a name overwrites the others.
    return new Map(
      rows.flatMap((row) => {
        const providerAgentId = textOf(row.providerAgentId) ?? row.id
        return [[providerAgentId, { id: row.id, name: textOf(row.name), providerAgentId, sipExtension: textOf(row.sipExtension) }] as const]
      }),
    )
  }

  const entries = async (access: RecordAccess, maxAgeMs: number): Promise<ReadonlyMap<string, AgentEntry>> => {
    const known = cache.get(access.workspaceId)
    if (known && clock.now() - known.readAt < maxAgeMs) return known.byName
    const byName = read(access)
    cache.set(access.workspaceId, { byName, readAt: clock.now() })
    byName.catch(() => {
      if (cache.peek(access.workspaceId)?.byName === byName) cache.set(access.workspaceId, known)
    })
    return byName
  }

  return {
    async recordOf(access, providerAgentId) {
      const known = await entries(access, cachedForMs)
      const pages = Math.floor(known.size / pageSize) + 1
      return known.get(providerAgentId) ?? (await entries(access, pages * unknownForMs)).get(providerAgentId) ?? null
    },
    all: async (access) => [...(await entries(access, cachedForMs)).values()],
  }
}
