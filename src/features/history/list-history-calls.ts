import { z } from 'zod'
import type { Actor } from '../../access/actor.ts'
import { isoMoment } from '../../kernel/clock.ts'
import { type Connection, type PageRequest, readConnection } from '../../kernel/connection.ts'
import type { CallQuery, PlatformCall } from '../../ports/call-records.ts'
import { asPerson } from '../../ports/record-access.ts'
import { agentNames } from '../supervision/agent-names.ts'
import type { SupervisionPorts } from '../supervision/supervision-ports.ts'
import { daysOf, readableAgent } from './history-days.ts'

export type HistoryCallsInput = Omit<CallQuery, 'from' | 'to'> & { readonly from: string; readonly to: string }
export type ListedCall = PlatformCall & { readonly agentName: string | null }

/** The start of the last call, and the calls with this start that were read: a page has whole calls, but not whole seconds. */
const positionSchema = z.object({ at: z.string(), read: z.array(z.string()) })
/** Calls with one start whose ids fit into a cursor. */
const maxRead = 30

/**
 * A page of call records, newest first, with the actor's own rights on the platform. Errors: INVALID_INPUT, NOT_YOURS, the platform's.
 */
export async function listHistoryCalls(
  ports: Pick<SupervisionPorts, 'agentEntries' | 'callRecords' | 'configuration'>,
  { principal, ...actor }: Actor,
  { first, after, ...input }: HistoryCallsInput & PageRequest,
): Promise<Connection<ListedCall>> {
  const { workspaceId } = principal
  const agentId = readableAgent({ principal, ...actor }, input.agentId)
  const { timeZone } = (await ports.configuration.read(workspaceId, 'platform')).visits
  const { from, to } = daysOf(input, timeZone)
  const names = agentNames(await ports.agentEntries.read(workspaceId), [])
  const access = asPerson(workspaceId, actor.accessToken)
  const list = { name: 'history-calls', workspaceId, position: positionSchema }
  return readConnection(list, { first, after }, async (position, count) => {
    const read = position?.read ?? []
    const query = { ...input, agentId, from: isoMoment(from), to: position?.at ?? isoMoment(to) }
    const found = await ports.callRecords.search(access, query, count + read.length)
    const calls = found.filter(({ id }) => !read.includes(id)).slice(0, count)
    const entries = calls.map((call, index) => {
      const at = call.startedAt ?? query.from
      const same = calls.slice(0, index + 1).filter(({ startedAt }) => startedAt === at)
      const ids = [...(at === position?.at ? read : []), ...same.map(({ id }) => id)].slice(-maxRead)
      const { agentName } = names.find(call.agentId === null ? null : { providerAgentId: null, recordId: call.agentId })
      return { node: { ...call, agentName }, position: { at, read: ids } }
    })
    return { entries }
  })
}
