import type { CallRecords, CallWrite, PlatformCall } from '../../ports/call-records.ts'
import { AppError } from '../../kernel/errors.ts'
import { derivedId, isUuid } from '../../kernel/ids.ts'
import type { RecordAccess } from '../../ports/record-access.ts'
import { callRecord } from '../../ports/records/call.ts'
import { platformErrorOf } from './failure.ts'
import { answeredCalls, phoneFilter, searchCalls } from './call-search.ts'
import { type Filter, withId } from './filter.ts'
import { readRecord } from './read-record.ts'
import type { RecordObject, Row, Values } from './record-object.ts'
import type { NewRecord, Records } from './records.ts'

type Change = { readonly id: string; readonly ucid: string; readonly values: Values<'call'> }
type CallFilter = (call: RecordObject<'call'>) => Filter | null

/** The platform's call records. Their ids are derived from workspace and UCID. */
export function createCallRecords(records: Records): CallRecords {
  const list = async (access: RecordAccess, filter: CallFilter, first: number): Promise<readonly PlatformCall[]> =>
    (await records.list(access, 'call', { filter, newestBy: 'startedAt', first })).map((row) => readRecord(callRecord, row))

  /** Another program may have created the record of this call, with another id. */
  const change = async (access: RecordAccess, { id, ucid, values }: Change): Promise<string> => {
    const found = await records.update(access, 'call', { id, values }).catch((error: unknown) => {
      if (error instanceof AppError && error.reason === 'NOT_FOUND') return null
      throw error
    })
    if (found) return id
    const [other] = await list(access, equals('ucid', ucid), 1)
    // Somebody deleted the record: it stays deleted.
    if (!other) return id
    await records.update(access, 'call', { id: other.id, values })
    return other.id
  }

  const writeOnce: CallRecords['write'] = async (access, call) => {
    const record = newRecord(access, call)
    const { created } = await records.create(access, 'call', record)
    if (created) return { id: record.id }
    return { id: await change(access, { id: record.id, ucid: call.ucid, values: call.values }) }
  }

  const write: CallRecords['write'] = async (access, call) => {
    try {
      return await writeOnce(access, call)
    } catch (error) {
      if (platformErrorOf(error)?.facts.kind !== 'VANISHED_RELATION') throw error
      return writeOnce(access, await withoutVanished(records, access, call))
    }
  }

  return {
    ofLead: async (access, leadId, first) => (isUuid(leadId) ? list(access, equals('leadId', leadId), first) : []),
    withPhone: (access, phoneNumber, first) => list(access, (call) => phoneFilter(call, phoneNumber), first),
    answered: (access, wanted, first) => answeredCalls(records, access, { ...wanted, first }),
    search: (access, query, first) => searchCalls(records, access, { ...query, first }),
    async byUcid(access, ucid) {
      const [call] = await list(access, equals('ucid', ucid), 1)
      return call ?? null
    },
    async byId(access, id) {
      const [call] = await list(access, () => withId(id), 1)
      return call ?? null
    },
    write,
    async writeMany(access, calls) {
      const [only, ...others] = calls
      // Without an upsert, one call needs no reading first.
      if (only && others.length === 0) await write(access, only)
      else await upsertCalls(records, access, calls)
    },
  }
}

async function upsertCalls(records: Records, access: RecordAccess, calls: readonly CallWrite[]): Promise<void> {
  const state = await stateOf(records, access, calls)
  const rows = calls.flatMap((call) => {
    const record = newRecord(access, call)
    const found = state.filter(({ id, ucid }) => id === record.id || ucid === call.ucid)
    const current = found.find(({ deletedAt }) => !deletedAt)
    if (found.length > 0 && !current) return []
    return current ? [{ id: current.id, values: { ...call.values, ucid: call.ucid }, current }] : [record]
  })
  if (rows.length > 0) await records.upsertMany(access, 'call', rows)
}

/** The records of these calls, deleted ones too: an upsert would restore them. */
async function stateOf(records: Records, access: RecordAccess, calls: readonly CallWrite[]): Promise<readonly Row<'call'>[]> {
  const ids = calls.map(({ ucid }) => recordId(access, ucid))
  const filter: CallFilter = (call) => {
    const column = call.column('ucid')
    const byUcid = column === null ? [] : [{ [column]: { in: calls.map(({ ucid }) => ucid) } }]
    return {
      and: [{ or: [{ id: { in: ids } }, ...byUcid] }, { or: [{ deletedAt: { is: 'NULL' } }, { deletedAt: { is: 'NOT_NULL' } }] }],
    }
  }
  return records.list(access, 'call', { fields: ['ucid', 'recordingUrl', 'deletedAt'], filter, first: 2 * calls.length })
}

function equals(field: 'leadId' | 'ucid', value: string): CallFilter {
  return (call) => {
    const column = call.column(field)
    return column === null ? null : { [column]: { eq: value } }
  }
}

async function withoutVanished(records: Records, access: RecordAccess, { ucid, values }: CallWrite): Promise<CallWrite> {
  const exists = async (name: 'lead' | 'agent', id: string | undefined): Promise<boolean> =>
    id === undefined || (await records.list(access, name, { fields: [], filter: () => withId(id), first: 1 })).length === 1
  const { leadId, agentId, ...others } = values
  const [hasLead, hasAgent] = await Promise.all([exists('lead', leadId), exists('agent', agentId)])
  return { ucid, values: { ...others, ...(hasLead && { leadId }), ...(hasAgent && { agentId }) } }
}

function recordId({ workspaceId }: RecordAccess, ucid: string): string {
  return derivedId('call', workspaceId, ucid)
}

function newRecord(access: RecordAccess, { ucid, values }: CallWrite): NewRecord<'call'> {
  return { id: recordId(access, ucid), values: { name: `Call ${ucid}`, ...values, ucid } }
}
