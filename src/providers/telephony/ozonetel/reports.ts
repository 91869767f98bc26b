import { z } from 'zod'
import type { CallRecordQuery, MissedCall, Telephony } from '../../../ports/telephony.ts'
import type { CallUpdate } from '../../../ports/telephony-webhooks.ts'
import { isoMoment } from '../../../kernel/clock.ts'
import { AppError, invalidInput } from '../../../kernel/errors.ts'
import type { CountryCode } from '../../../kernel/phone.ts'
import { addressOf, field, instantOf, present, rawText, said, secondsOf } from '../field-values.ts'
import { otherParty } from '../other-party.ts'
import { type Answer, textIn, who } from './answers.ts'
import type { OzonetelClient } from './client.ts'
import type { ReportDeps } from './end-of-call.ts'
import { refusalOf } from './refusals.ts'
import type { ReportBudget } from './report-budget.ts'
import { reportedOutcome } from './reported-outcome.ts'
import { answeredOf, didOf, directionOf, indiaTimeOf, talkOf } from './wire.ts'
import type { Within } from './within.ts'

const identifier = z.union([z.string(), z.number()]).transform(String).pipe(z.string().regex(/^\d+$/))

const missedSchema = z.object({ monitorUCID: identifier, callerID: field, did: field, agentID: field, callTime: field })
const recordSchema = z.object({
  UCID: identifier.optional().catch(undefined),
  monitorUCID: identifier.optional().catch(undefined),
  Type: field,
  Status: field,
  AgentDialStatus: field,
  CustomerDialStatus: field,
  CallerID: field,
  DID: field,
  CampaignName: rawText,
  AgentID: field,
  CallDate: field,
  StartTime: field,
  PickupTime: field,
  EndTime: field,
  TalkTime: field,
  Disposition: rawText,
  Comments: rawText,
  CallAudio: field,
})

type Reports = Pick<Telephony, 'missedCalls' | 'callRecordPage' | 'callRecord'>

/** The most that the provider gives on a page. */
const pageSize = 500

/** The provider's reports of past calls. */
export function reportMethods(
  client: OzonetelClient,
  { budget, within, ...deps }: ReportDeps & { readonly budget: ReportBudget; readonly within: Within },
): Reports {
  return {
    missedCalls: () =>
      within(async (signal) => {
        const answer = await client.api({ method: 'GET', path: '/ca_apis/abandonCalls', fields: {}, signal })
        const readable = (row: unknown): MissedCall | null => missedCall(row, deps.defaultCountry)
        return readableIn(rowsIn(answer, 'message'), readable)
      }),
    callRecordPage: (query) =>
      within(async (signal) => {
        const page = pageOf(query)
        await budget.take(query.forPerson === true ? 'PERSON' : 'JOB')
        const path = `/ca_reports/fetchCdrByPagination?pageNo=${page.number}&pageSize=${pageSize}`
        const fields = { fromDate: page.fromDate, toDate: page.toDate }
        const answer = await client.api({ method: 'GET', path, fields, signal })
        const rows = rowsIn(answer, 'details')
        const records = rows.flatMap((row) => callRecord(row, deps) ?? [])
        const total = Number(textIn(answer.body, 'totalCount') || Number.NaN)
        const isLast = rows.length === 0 || (Number.isNaN(total) ? rows.length < pageSize : page.number * pageSize >= total)
        return { records, unreadable: rows.length - records.length, next: isLast ? page.nextDay : page.nextPage }
      }),
    callRecord: ({ ucid, startedAt }) =>
      within(async (signal) => {
        await budget.take('PERSON')
        const fromDate = indiaTimeOf(startedAt)
        const answer = await client.api({
          method: 'GET',
          path: '/ca_reports/fetchCdrByUCID',
          fields: { fromDate, toDate: earlier(indiaTimeOf(isoMoment(Date.parse(startedAt) + 1_000)), endOfDay(dayOf(fromDate))), ucid },
          signal,
        })
        const records = readableIn(rowsIn(answer, 'details'), (row) => callRecord(row, deps))
        return records.find((record) => record.ucid === ucid) ?? null
      }),
  }
}

/** The provider gives a page of one of its days, so `after` names both: `2025-01-15 2`. */
function pageOf({ from, to, after }: CallRecordQuery) {
  const [first, last] = [indiaTimeOf(from), indiaTimeOf(to)]
  if (first > last) throw invalidInput('range', 'must end after it begins')
  const [day = dayOf(first), number = 1] = after === null ? [] : [after.slice(0, 10), Number(after.slice(11))]
  const nextDay = indiaTimeOf(isoMoment(Date.parse(`${day}T12:00:00+05:30`) + dayMs)).slice(0, 10)
  return {
    number,
    fromDate: later(first, `${day} 00:00:00`),
    toDate: earlier(last, endOfDay(day)),
    nextPage: `${day} ${number + 1}`,
    nextDay: day < dayOf(last) ? `${nextDay} 1` : null,
  }
}

const dayMs = 86_400_000
const dayOf = (indiaTime: string): string => indiaTime.slice(0, 10)
const endOfDay = (day: string): string => `${day} 23:59:59`
const earlier = (one: string, other: string): string => (one < other ? one : other)
const later = (one: string, other: string): string => (one > other ? one : other)

function rowsIn(answer: Answer, name: string): readonly unknown[] {
  const list = answer.body[name]
  if (Array.isArray(list)) return list
  // If nothing was found, some answers have a text instead of the list.
  if (answer.succeeded || /no (?:data|record)/i.test(answer.text)) return []
  throw refusalOf(answer)
}

/** Skips rows that cannot be read. If none can be read, the answer is invalid. */
function readableIn<Row>(rows: readonly unknown[], read: (row: unknown) => Row | null): readonly Row[] {
  const readable = rows.flatMap((row) => read(row) ?? [])
  if (readable.length > 0 || rows.length === 0) return readable
  throw new AppError('PROVIDER_ANSWER_INVALID', { detail: `${who} gave call records that cannot be read` })
}

/** Null for a row without an identifier or a time. */
function missedCall(row: unknown, country: CountryCode): MissedCall | null {
  const call = missedSchema.safeParse(row).data
  const at = call ? instantOf(call.callTime) : null
  if (call === undefined || at === null) return null
  const did = didOf(call.did, country)
  return { ucid: call.monitorUCID, ...otherParty(call.callerID, country), did, agentId: present(call.agentID), at }
}

/** Null for a row without an identifier or a start time, because it cannot be used. */
function callRecord(row: unknown, { defaultCountry: country, dispositions = [] }: ReportDeps): CallUpdate | null {
  const record = recordSchema.safeParse(row).data
  const ucid = record?.monitorUCID ?? record?.UCID
  if (record === undefined || ucid === undefined) return null
  const { CallDate: day } = record
  const startedAt = instantOf(isDated(record.StartTime) ? record.StartTime : `${day} ${record.StartTime}`)
  if (startedAt === null) return null
  const talkSeconds = secondsOf(record.TalkTime)
  const answered = answeredOf(record.Status, talkSeconds, [record.AgentDialStatus, record.CustomerDialStatus])
  const { disposition, automatic } = reportedOutcome(record.Disposition, dispositions)
  const endedAt = momentInCall(record.EndTime, { day, startedAt })
  const pickedUpAt = answered === true ? momentInCall(record.PickupTime, { day, startedAt }) : null
  return {
    about: 'CALL',
    ucid,
    source: 'RECORD',
    facts: {
      direction: directionOf(record.Type),
      answered,
      ...otherParty(record.CallerID, country),
      did: didOf(record.DID, country),
      campaignName: said(record.CampaignName),
      agentId: present(record.AgentID),
      startedAt,
      // An empty clock, `00:00:00`, would be the midnight after the call.
      answeredAt: pickedUpAt !== null && endedAt !== null && pickedUpAt > endedAt ? null : pickedUpAt,
      endedAt,
      talkSeconds: talkOf(answered, talkSeconds),
      disposition,
      notes: said(record.Comments),
      recordingUrl: addressOf(record.CallAudio),
    },
    automaticDisposition: automatic,
  }
}

/** Most times have no date: one before the start of the call belongs to the next day. */
function momentInCall(time: string, { day, startedAt }: { readonly day: string; readonly startedAt: string }): string | null {
  if (isDated(time)) return instantOf(time)
  const at = instantOf(`${day} ${time}`)
  return at !== null && at < startedAt ? isoMoment(Date.parse(at) + dayMs) : at
}

function isDated(time: string): boolean {
  return time.includes('-')
}
