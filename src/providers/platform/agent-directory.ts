import { LRUCache } from 'lru-cache'
import type { AgentDirectory, AgentEntry } from '../../ports/call-records.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { RecordAccess } from '../../ports/record-access.ts'
import { textOf } from './field-values.ts'
import type { Records } from './records.ts'

const keptMs = 300_000
/** The platform's longest page; a call center with more agents than that has them in several workspaces. */
const mostAgents = 200

type Kept = { readonly byName: Promise<ReadonlyMap<string, AgentEntry>>; readonly readAt: number }

/** All agents of a workspace in one request, kept for five minutes. */
export function createAgentDirectory(records: Records, clock: Clock): AgentDirectory {
  const kept = new LRUCache<string, Kept>({ max: 500 })

  const read = async (access: RecordAccess): Promise<ReadonlyMap<string, AgentEntry>> => {
    const rows = await records.list(access, 'agent', { fields: ['name', 'providerAgentId'], filter: () => ({}), first: mostAgents })
    // Newest first: the oldest is put last, and stays.
    return new Map(
      rows.flatMap((row) => {
        const providerAgentId = textOf(row.providerAgentId) ?? row.id
        return [[providerAgentId, { id: row.id, name: textOf(row.name), providerAgentId }] as const]
      }),
    )
  }

  const entries = async (access: RecordAccess): Promise<ReadonlyMap<string, AgentEntry>> => {
    const known = kept.get(access.workspaceId)
    if (known && clock.now() - known.readAt < keptMs) return known.byName
    const byName = read(access)
    kept.set(access.workspaceId, { byName, readAt: clock.now() })
    byName.catch(() => kept.peek(access.workspaceId)?.byName === byName && kept.delete(access.workspaceId))
    return byName
  }

  return {
    recordOf: async (access, providerAgentId) => (await entries(access)).get(providerAgentId) ?? null,
    all: async (access) => [...(await entries(access)).values()],
  }
}
