import { z } from 'zod'
import type { CallRecord, CallRecordQuery, MissedCall, Telephony } from '../../../ports/telephony.ts'
import { AppError, invalidInput } from '../../../kernel/errors.ts'
import type { CountryCode } from '../../../kernel/phone.ts'
import type { Answer } from './answers.ts'
import type { OzonetelClient } from './client.ts'
import { refusalOf } from './refusals.ts'
import { dispositionOf, indiaTimeOf, instantOf, numberOf, present, secondsOf } from './wire.ts'
import type { Within } from './within.ts'

const value = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((text) => String(text ?? '').trim())
const identifier = z.union([z.string(), z.number()]).transform(String).pipe(z.string().regex(/^\d+$/))

const missedSchema = z.object({ monitorUCID: identifier, callerID: value, did: value, agentID: value, callTime: value })
const recordSchema = z.object({
  UCID: identifier.optional(),
  monitorUCID: identifier.optional(),
  Type: value,
  Status: value,
  CallerID: value,
  DID: value,
  CampaignName: value,
  AgentID: value,
  CallDate: value,
  StartTime: value,
  PickupTime: value,
  EndTime: value,
  TalkTime: value,
  Disposition: value,
  Comments: value,
  CallAudio: value,
})

/** The provider's reports of past calls. */
export function reportMethods(
  client: OzonetelClient,
  country: CountryCode,
  within: Within,
): Pick<Telephony, 'missedCalls' | 'callRecords'> {
  return {
    missedCalls: () =>
      within(async (signal) => {
        const answer = await client.api({ method: 'GET', path: '/ca_apis/abandonCalls', fields: {}, signal })
        return listIn(answer, 'message', missedSchema).flatMap((call) => missedCall(call, country) ?? [])
      }),
    callRecords: (query) =>
      within(async (signal) => {
        const path = query.ucid === undefined ? '/ca_reports/fetchCDRDetails' : '/ca_reports/fetchCdrByUCID'
        const answer = await client.api({ method: 'GET', path, fields: { ...rangeOf(query), ucid: query.ucid }, signal })
        const records = listIn(answer, 'details', recordSchema).flatMap((record) => callRecord(record, country) ?? [])
        return records.toSorted((a, b) => a.startedAt.localeCompare(b.startedAt))
      }),
  }
}

function rangeOf({ from, to }: CallRecordQuery): { fromDate: string; toDate: string } {
  const [fromDate, toDate] = [indiaTimeOf(from), indiaTimeOf(to)]
  if (fromDate.slice(0, 10) !== toDate.slice(0, 10) || fromDate > toDate) {
    throw invalidInput('range', 'must lie in one day of the provider (India Standard Time)')
  }
  return { fromDate, toDate }
}

/** Skips entries that cannot be parsed. If none can be parsed, the answer is invalid. */
function listIn<Schema extends z.ZodType>(answer: Answer, name: string, schema: Schema): readonly z.output<Schema>[] {
  const list = answer.body[name]
  // If nothing was found, some answers have a text instead of the list.
  if (!Array.isArray(list) && (answer.succeeded || /no (?:data|record)/i.test(answer.text))) return []
  if (!Array.isArray(list)) throw refusalOf(answer)
  const parsed = list.map((entry) => schema.safeParse(entry))
  const readable = parsed.flatMap((entry) => (entry.success ? [entry.data] : []))
  if (readable.length > 0 || list.length === 0) return readable
  throw new AppError('PROVIDER_ANSWER_INVALID', {
    detail: 'The telephony provider gave call records that cannot be read',
    cause: parsed[0]?.error,
  })
}

/** Null if the entry has no time. */
function missedCall(call: z.output<typeof missedSchema>, country: CountryCode): MissedCall | null {
  const at = instantOf(call.callTime)
  if (at === null) return null
  const did = numberOf(call.did, country) ?? present(call.did)
  return { ucid: call.monitorUCID, phoneNumber: numberOf(call.callerID, country), did, agentId: present(call.agentID), at }
}

/** Null for a record without an identifier or a start time, because it cannot be used. */
function callRecord(record: z.output<typeof recordSchema>, country: CountryCode): CallRecord | null {
  const ucid = record.monitorUCID ?? record.UCID
  const moment = (time: string): string | null => instantOf(time.includes('-') ? time : `${record.CallDate} ${time}`)
  const startedAt = moment(record.StartTime)
  if (ucid === undefined || startedAt === null) return null
  const answered = /^answered$/i.test(record.Status)
  return {
    ucid,
    direction: /^inbound$/i.test(record.Type) ? 'INBOUND' : 'OUTBOUND',
    answered,
    phoneNumber: numberOf(record.CallerID, country),
    did: numberOf(record.DID, country) ?? present(record.DID),
    campaignName: present(record.CampaignName),
    agentId: present(record.AgentID),
    startedAt,
    answeredAt: answered ? moment(record.PickupTime) : null,
    endedAt: afterMidnight(moment(record.EndTime), startedAt),
    talkSeconds: answered ? secondsOf(record.TalkTime) : 0,
    disposition: dispositionOf(record.Disposition),
    notes: present(record.Comments),
    recordingUrl: present(record.CallAudio),
  }
}

/** Times have no date: a time before the start of the call belongs to the next day. */
function afterMidnight(at: string | null, startedAt: string): string | null {
  return at !== null && at < startedAt ? new Date(Date.parse(at) + 86_400_000).toISOString() : at
}
