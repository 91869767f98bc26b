import type { CallRecords, CallWrite, PlatformCall } from '../../ports/call-records.ts'
import { AppError } from '../../kernel/errors.ts'
import { derivedId, isUuid } from '../../kernel/ids.ts'
import type { RecordAccess } from '../../ports/record-access.ts'
import { callRecord } from '../../ports/records/call.ts'
import { platformErrorOf } from './failure.ts'
import { phonePattern } from './field-values.ts'
import { type Filter, withId } from './filter.ts'
import { readRecord } from './read-record.ts'
import type { RecordObject, Values } from './record-object.ts'
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
    if (!other)
      throw new AppError('PROVIDER_ANSWER_INVALID', { detail: 'The platform reports a call with this UCID, but does not return it' })
    await records.update(access, 'call', { id: other.id, values })
    return other.id
  }

  const writeOnce: CallRecords['write'] = async (access, call) => {
    const record = newRecord(access, call)
    const { created } = await records.create(access, 'call', record)
    if (created) return { id: record.id }
    return { id: await change(access, { id: record.id, ucid: call.ucid, values: call.values }) }
  }

  return {
    ofLead: async (access, leadId, first) => (isUuid(leadId) ? list(access, equals('leadId', leadId), first) : []),
    withPhone: (access, phoneNumber, first) => list(access, (call) => phoneFilter(call, phoneNumber), first),
    began: (access, { from, to }, first) => {
      const filter: CallFilter = (call) => {
        const column = call.column('startedAt')
        return column === null ? null : { and: [{ [column]: { gte: from } }, { [column]: { lte: to } }] }
      }
      return list(access, filter, first)
    },
    async byUcid(access, ucid) {
      const [call] = await list(access, equals('ucid', ucid), 1)
      return call ?? null
    },
    async byId(access, id) {
      const [call] = await list(access, () => withId(id), 1)
      return call ?? null
    },
    async write(access, call) {
      try {
        return await writeOnce(access, call)
      } catch (error) {
        if (platformErrorOf(error)?.facts.kind !== 'VANISHED_RELATION') throw error
        return writeOnce(access, await withoutVanished(records, access, call))
      }
    },
    async writeMany(access, calls) {
      await records.upsertMany(
        access,
        'call',
        calls.map((call) => newRecord(access, call)),
      )
    },
  }
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

function newRecord({ workspaceId }: RecordAccess, { ucid, values }: CallWrite): NewRecord<'call'> {
  return { id: derivedId('call', workspaceId, ucid), values: { name: `Call ${ucid}`, ...values, ucid } }
}

function phoneFilter(call: RecordObject<'call'>, phoneNumber: string): Filter | null {
  const column = call.column('phoneNumber')
  if (column === null) return null
  const pattern = phonePattern(phoneNumber)
  return { [column]: call.isComposite('phoneNumber') ? { primaryPhoneNumber: { ilike: pattern } } : { ilike: pattern } }
}
