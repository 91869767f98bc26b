import { z } from 'zod'
import type { Actor } from '../../access/actor.ts'
import { isoMoment } from '../../kernel/clock.ts'
import { type Connection, type PageRequest, readConnection } from '../../kernel/connection.ts'
import { invalidInput } from '../../kernel/errors.ts'
import { dialledDigits, notAPhoneNumber, reportedToE164 } from '../../kernel/phone.ts'
import type { CallQuery, PlatformCall } from '../../ports/call-records.ts'
import { asPerson } from '../../ports/record-access.ts'
import type { KnownCall } from '../calls/state/call-facts.ts'
import { readCalls } from '../calls/state/call-state-store.ts'
import { agentNames } from '../supervision/agent-names.ts'
import type { SupervisionPorts } from '../supervision/supervision-ports.ts'
import { daysOf, readableAgent } from './history-days.ts'

export type HistoryCallsInput = Omit<CallQuery, 'from' | 'to' | 'skip'> & { readonly from: string; readonly to: string }
export type ListedCall = PlatformCall & Pick<KnownCall, 'automaticDisposition'> & { readonly agentName: string | null }

/** The start of the last call, and how many calls with this start were read: an import may have given thousands of calls the same one. */
const positionSchema = z.object({ at: z.string(), read: z.int().min(0).max(1_000_000) })

/**
 * A page of call records, newest first, with the actor's own rights on the platform. Errors: INVALID_INPUT, NOT_YOURS, the platform's.
 */
export async function listHistoryCalls(
  ports: Pick<SupervisionPorts, 'agentEntries' | 'callRecords' | 'configuration' | 'store'>,
  { principal, ...actor }: Actor,
  { first, after, ...input }: HistoryCallsInput & PageRequest,
): Promise<Connection<ListedCall>> {
  const { workspaceId } = principal
  const agentId = readableAgent({ principal, ...actor }, input.agentId)
  const { timeZone } = (await ports.configuration.read(workspaceId, 'platform')).visits
  const { from, to } = daysOf(input, timeZone)
  const phoneNumber = await searchedNumber(ports, workspaceId, input.phoneNumber ?? null)
  const names = agentNames(await ports.agentEntries.read(workspaceId), [])
  const access = asPerson(workspaceId, actor.accessToken)
  const list = { name: 'history-calls', workspaceId, position: positionSchema }
  return readConnection(list, { first, after }, async (position, count) => {
    const read = position?.read ?? 0
    const query = { ...input, agentId, phoneNumber, from: isoMoment(from), to: position?.at ?? isoMoment(to), skip: read }
    const calls = await withAutomatic(ports, workspaceId, await ports.callRecords.search(access, query, count))
    const entries = calls.map((call, index) => {
      const at = call.startedAt ?? query.from
      const same = calls.slice(0, index + 1).filter(({ startedAt }) => startedAt === at).length
      const { agentName } = names.find(call.agentId === null ? null : { providerAgentId: null, recordId: call.agentId })
      return { node: { ...call, agentName }, position: { at, read: same + (at === position?.at ? read : 0) } }
    })
    return { entries }
  })
}

/**
 * What the provider wrote in the place of an outcome: our store has it for a week. Records of earlier versions have it as the outcome. The list is
 * worth having also while the store is away.
 */
async function withAutomatic(ports: Pick<SupervisionPorts, 'store'>, workspaceId: string, records: readonly PlatformCall[]) {
  const ucids = records.flatMap(({ ucid }) => ucid ?? [])
  const known = await readCalls(ports, workspaceId, ucids).catch(() => [])
  const texts = new Map(known.map((call) => [call?.ucid, call?.automaticDisposition]))
  return records.map((record) => {
    const automaticDisposition = texts.get(record.ucid ?? undefined) ?? null
    const isOutcome = automaticDisposition === null || record.disposition !== automaticDisposition
    return { ...record, disposition: isOutcome ? record.disposition : null, automaticDisposition }
  })
}

async function searchedNumber(
  { configuration }: Pick<SupervisionPorts, 'configuration'>,
  workspaceId: string,
  written: string | null,
): Promise<string | null> {
  if (written === null) return null
  const { defaultCountry } = await configuration.read(workspaceId, 'telephony')
  const number = reportedToE164(written, defaultCountry) ?? dialledDigits(written)
  if (number === '') throw invalidInput('phoneNumber', notAPhoneNumber)
  return number
}
