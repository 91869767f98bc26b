import { z } from 'zod'
import { localMoment } from '../../kernel/time-zone.ts'
import type { KnownCall } from '../calls/call-facts.ts'

const directions = ['INBOUND', 'OUTBOUND'] as const
const phases = ['RINGING', 'ANSWERED', 'COMPLETED', 'MISSED'] as const

/** What the history needs of a call; whole seconds. It names nobody but the agent. */
export type CallRow = {
  readonly ucid: string
  /** Epoch milliseconds. */
  readonly startedAt: number
  readonly direction: (typeof directions)[number]
  readonly phase: (typeof phases)[number]
  /** The agent's id at the provider. */
  readonly providerAgentId: string | null
  /** The id of the agent's record. */
  readonly recordId: string | null
  readonly campaignName: string | null
  readonly disposition: string | null
  /** From the start to the answer. */
  readonly waitSeconds: number | null
  readonly talkSeconds: number | null
  readonly wrapUpSeconds: number | null
  /** Of a missed call: from its end until somebody talked to the caller. */
  readonly returnSeconds: number | null
}

const text = z.string().nullable()
const seconds = z.number().nullable()
/** A row as it is stored, without the names: there are many. */
export const storedRowSchema = z.tuple([
  z.string(),
  z.number(),
  z.enum(directions),
  z.enum(phases),
  text,
  text,
  text,
  text,
  seconds,
  seconds,
  seconds,
  seconds,
])
export type StoredRow = z.output<typeof storedRowSchema>

export function storedRow(row: CallRow): StoredRow {
  const { ucid, startedAt, direction, phase, providerAgentId, recordId, campaignName, disposition } = row
  const { waitSeconds, talkSeconds, wrapUpSeconds, returnSeconds } = row
  return [
    ucid,
    startedAt,
    direction,
    phase,
    providerAgentId,
    recordId,
    campaignName,
    disposition,
    waitSeconds,
    talkSeconds,
    wrapUpSeconds,
    returnSeconds,
  ]
}

export function rowOf(stored: StoredRow): CallRow {
  const [ucid, startedAt, direction, phase, providerAgentId, recordId, campaignName, disposition, ...times] = stored
  const [waitSeconds, talkSeconds, wrapUpSeconds, returnSeconds] = times
  return {
    ucid,
    startedAt,
    direction,
    phase,
    providerAgentId,
    recordId,
    campaignName,
    disposition,
    waitSeconds,
    talkSeconds,
    wrapUpSeconds,
    returnSeconds,
  }
}

/** Null for a call without a known start. `returnedAt`: when somebody talked to the caller of a missed call. */
export function callRow(call: KnownCall, returnedAt: string | null): CallRow | null {
  const { ucid, direction, phase, agentId, agentRecordId, campaignName, disposition, startedAt, answeredAt, endedAt } = call
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
