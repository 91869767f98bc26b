import { z } from 'zod'
import { localMoment } from '../../kernel/time-zone.ts'
import type { KnownCall } from '../calls/state/call-facts.ts'

const text = z.string().nullable()
const seconds = z.number().nullable()
/** What the history needs of a call; whole seconds. It names nobody but the agent. */
const rowSchema = z.object({
  ucid: z.string(),
  /** Epoch milliseconds. */
  startedAt: z.number(),
  direction: z.enum(['INBOUND', 'OUTBOUND']),
  phase: z.enum(['RINGING', 'ANSWERED', 'COMPLETED', 'MISSED']),
  /** The agent's id at the provider. */
  providerAgentId: text,
  /** The id of the agent's record. */
  recordId: text,
  campaignName: text,
  disposition: text,
  /** From the start to the answer. */
  waitSeconds: seconds,
  talkSeconds: seconds,
  wrapUpSeconds: seconds,
  /** Of a missed call: from its end until somebody talked to the caller. */
  returnSeconds: seconds,
  /** What the provider wrote because nobody gave an outcome; not in rows of earlier versions. */
  automaticDisposition: text.default(null),
})
export type CallRow = Readonly<z.output<typeof rowSchema>>

/** A row as it is stored, without the names, in the order of the schema: there are many. */
export type StoredRow = readonly unknown[]
const columns = rowSchema.keyof().options

export function storedRow(row: CallRow): StoredRow {
  return columns.map((column) => row[column])
}

/** Null for a row in another form. */
export function rowOf(stored: StoredRow): CallRow | null {
  return rowSchema.safeParse(Object.fromEntries(columns.map((column, index) => [column, stored[index]]))).data ?? null
}

/** Null for a call without a known start. `returnedAt`: when somebody talked to the caller of a missed call. */
export function callRow(call: KnownCall, returnedAt: string | null): CallRow | null {
  const {
    ucid,
    direction,
    phase,
    agentId,
    agentRecordId,
    campaignName,
    disposition,
    automaticDisposition,
    startedAt,
    answeredAt,
    endedAt,
  } = call
  if (startedAt === null) return null
  const isMissed = phase === 'MISSED' && direction === 'INBOUND'
  return {
    ucid,
    startedAt: Date.parse(startedAt),
    direction,
    phase,
    providerAgentId: agentId,
    recordId: agentRecordId,
    campaignName,
    disposition,
    waitSeconds: secondsBetween(startedAt, answeredAt),
    talkSeconds: call.talkSeconds === null ? null : Math.round(call.talkSeconds),
    wrapUpSeconds: call.wrapUpSeconds,
    returnSeconds: isMissed ? secondsBetween(endedAt ?? startedAt, returnedAt) : null,
    automaticDisposition,
  }
}

/** Null if one of the moments is unknown. */
export function secondsBetween(from: string | null, to: string | null): number | null {
  if (from === null || to === null) return null
  return Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 1000))
}

/** The hour of the clinic's local time, such as `2026-11-21T14`. An hour that occurs twice, when the clock is set back, is one. */
export function hourOf(moment: number, timeZone: string): string {
  return localMoment(moment, timeZone).slice(0, 13)
}
