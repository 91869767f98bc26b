import type { CallQuery, PlatformCall } from '../../ports/call-records.ts'
import type { RecordAccess } from '../../ports/record-access.ts'
import { callRecord } from '../../ports/records/call.ts'
import { phonePattern } from './field-values.ts'
import type { Filter } from './filter.ts'
import { readRecord } from './read-record.ts'
import type { RecordObject } from './record-object.ts'
import type { Records } from './records.ts'

/** The platform returns no more records at once (Twenty 2.21). */
const maxPage = 200

type First = { readonly first: number }

/** See `CallRecords.search`. */
export async function searchCalls(
  records: Records,
  access: RecordAccess,
  { first, skip = 0, ...query }: CallQuery & First,
): Promise<readonly PlatformCall[]> {
  const found: PlatformCall[] = []
  while (found.length < first) {
    const page = { first: Math.min(maxPage, first - found.length), offset: skip + found.length }
    const rows = await records.list(access, 'call', { filter: (call) => searchFilter(call, query), newestBy: 'startedAt', ...page })
    found.push(...rows.map((row) => readRecord(callRecord, row)))
    if (rows.length < page.first) break
  }
  return found
}

type Answered = First & { readonly phoneNumbers: readonly string[]; readonly from: string; readonly to: string }

/** See `CallRecords.answered`. */
export async function answeredCalls(
  records: Records,
  access: RecordAccess,
  { phoneNumbers, from, to, first }: Answered,
): Promise<readonly PlatformCall[]> {
  const filter = (call: RecordObject<'call'>): Filter | null => {
    const column = call.column('answeredAt')
    const numbers = phoneNumbers.map((phoneNumber) => phoneFilter(call, phoneNumber)).filter((each) => each !== null)
    if (column === null || numbers.length === 0) return null
    return { and: [{ [column]: { gte: from } }, { [column]: { lte: to } }, { or: numbers }] }
  }
  const rows = await records.list(access, 'call', { filter, earliestBy: 'answeredAt', first })
  return rows.map((row) => readRecord(callRecord, row))
}

function searchFilter(call: RecordObject<'call'>, { from, to, phoneNumber = null, ...wanted }: Omit<CallQuery, 'skip'>): Filter | null {
  const began = call.column('startedAt')
  const conditions = searched.flatMap((field) => {
    const value = wanted[field] ?? null
    return value === null ? [] : [{ column: call.column(field), value: choiceOf(call.choices(field), value) }]
  })
  const matching = conditions.flatMap(({ column, value }) => (column === null ? [] : [{ [column]: { eq: value } }]))
  const number = phoneNumber === null ? null : phoneFilter(call, phoneNumber)
  if (began === null || matching.length < conditions.length || (phoneNumber !== null && number === null)) return null
  return { and: [{ [began]: { gte: from } }, { [began]: { lte: to } }, ...matching, ...(number === null ? [] : [number])] }
}

const searched = ['agentId', 'campaignName', 'direction', 'status', 'disposition'] as const

/** A choice may be written in another case. */
function choiceOf(choices: readonly string[] | null, value: string): string {
  return choices?.find((choice) => choice.toUpperCase() === value.toUpperCase()) ?? value
}

/** Calls with this number, E.164 or digits, however it is written. Null if the workspace has no field for it. */
export function phoneFilter(call: RecordObject<'call'>, phoneNumber: string): Filter | null {
  const column = call.column('phoneNumber')
  if (column === null) return null
  const pattern = phonePattern(phoneNumber)
  return { [column]: call.isComposite('phoneNumber') ? { primaryPhoneNumber: { ilike: pattern } } : { ilike: pattern } }
}
