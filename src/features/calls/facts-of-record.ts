import type { ReportedCallFacts } from '../../ports/call-facts.ts'
import type { PlatformCall } from '../../ports/call-records.ts'

/** What the platform's record says about the call. */
export function factsOfRecord(record: PlatformCall): ReportedCallFacts {
  return {
    direction: record.direction === 'OUTBOUND' ? 'OUTBOUND' : 'INBOUND',
    phoneNumber: record.phoneNumber,
    did: record.did,
    campaignName: record.campaignName,
    agentRecordId: record.agentId,
    leadId: record.leadId,
    startedAt: record.startedAt,
    answeredAt: record.answeredAt,
    endedAt: record.endedAt,
    answered: record.endedAt === null ? null : record.status !== 'MISSED',
    talkSeconds: record.durationSeconds,
    disposition: record.disposition,
    notes: record.notes,
    recordingUrl: record.recordingUrl,
  }
}
