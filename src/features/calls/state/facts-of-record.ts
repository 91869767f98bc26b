import { isoMoment } from '../../../kernel/clock.ts'
import type { ReportedCallFacts } from '../../../ports/call-facts.ts'
import type { PlatformCall } from '../../../ports/call-records.ts'
import { numbersOf } from './number-to-call.ts'

/** What the platform's record says about the call. */
export function factsOfRecord(record: PlatformCall): ReportedCallFacts {
  return {
    direction: directionOf(record.direction) ?? 'INBOUND',
    ...numbersOf(record.phoneNumber),
    did: record.did,
    campaignName: record.campaignName,
    agentRecordId: record.agentId,
    leadId: record.leadId,
    startedAt: record.startedAt,
    answeredAt: record.answeredAt,
    endedAt: record.endedAt,
    answered: record.endedAt === null ? null : record.status !== 'MISSED',
    talkSeconds: record.durationSeconds,
    wrapUpEndedAt: wrapUpEnd(record),
    disposition: record.disposition,
    notes: record.notes,
    recordingUrl: record.recordingUrl,
  }
}

function wrapUpEnd({ endedAt, wrapUpSeconds }: PlatformCall): string | null {
  return endedAt === null || wrapUpSeconds === null ? null : isoMoment(Date.parse(endedAt) + wrapUpSeconds * 1000)
}

/** The direction in the words that workspaces use for it; null for another word. */
export function directionOf(recorded: string | null): 'INBOUND' | 'OUTBOUND' | null {
  return directions.get(recorded?.trim().toUpperCase() ?? '') ?? null
}

const directions: ReadonlyMap<string, 'INBOUND' | 'OUTBOUND'> = new Map([
  ['INBOUND', 'INBOUND'],
  ['INCOMING', 'INBOUND'],
  ['IN', 'INBOUND'],
  ['OUTBOUND', 'OUTBOUND'],
  ['OUTGOING', 'OUTBOUND'],
  ['OUT', 'OUTBOUND'],
])
