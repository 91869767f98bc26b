import { LRUCache } from 'lru-cache'
import type { AgentDirectory, AgentEntry } from '../../ports/call-records.ts'
import type { Clock } from '../../kernel/clock.ts'
import { createSingleFlight } from '../../kernel/single-flight.ts'
import type { RecordAccess } from '../../ports/record-access.ts'
import { textOf } from './field-values.ts'
import type { Row } from './record-object.ts'
import type { Records } from './records.ts'

const cachedForMs = 300_000
/**
 * For each page: an agent may have been created since, and the record of a call, which is written once, would have no agent. On each instance,
 * unknown agents cost two requests a minute at most; a reading that fails is repeated for the next one.
 */
const unknownForMs = 30_000
/** The platform's longest page. */
const pageSize = 200
/** A call center with more agents has several workspaces. */
const mostAgents = 5_000

type Agents = ReadonlyMap<string, AgentEntry>
type Cached = {
  readonly byName: Agents
  readonly readAt: number
  /** The last reading because of an unknown agent, unless it has failed. Nobody else waits for it. */
  again: { readonly askedAt: number; readonly byName: Promise<Agents> } | null
}

/** All agents of a workspace, in one request for 200 of them, cached for five minutes; for an agent who is not among them, for half a minute a page. */
export function createAgentDirectory(records: Records, clock: Clock): AgentDirectory {
  const cache = new LRUCache<string, Cached>({ max: 500 })

  const read = async (access: RecordAccess): Promise<Agents> => {
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

  const readings = createSingleFlight<Cached>()
  const readAgain = (access: RecordAccess): Promise<Cached> =>
    readings.run(access.workspaceId, async () => {
      const readAt = clock.now()
      const fresh: Cached = { byName: await read(access), readAt, again: null }
      cache.set(access.workspaceId, fresh)
      return fresh
    })
  const cached = async (access: RecordAccess): Promise<Cached> => {
    const known = cache.get(access.workspaceId)
    return known && clock.now() - known.readAt < cachedForMs ? known : readAgain(access)
  }

  return {
    async recordOf(access, providerAgentId) {
      const known = await cached(access)
      const found = known.byName.get(providerAgentId)
      if (found) return found
      const pages = Math.floor(known.byName.size / pageSize) + 1
      const { askedAt } = known.again ?? { askedAt: known.readAt }
      if (clock.now() - askedAt >= pages * unknownForMs) {
        const byName = readAgain(access).then(
          (fresh) => fresh.byName,
          (error: unknown) => {
            known.again = null
            throw error
          },
        )
        known.again = { askedAt: clock.now(), byName }
      }
      return (await known.again?.byName)?.get(providerAgentId) ?? null
    },
    all: async (access) => [...(await cached(access)).byName.values()],
  }
}
