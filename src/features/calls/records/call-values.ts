import type { CallValues } from '../../../ports/records/call.ts'
import type { KnownCall } from '../state/call-facts.ts'
import { numberToCall } from '../state/number-to-call.ts'

/** What the platform's record of a call gets; a fact that is unknown leaves its field as it is. */
export function callValues(call: KnownCall): CallValues {
  return {
    direction: call.direction,
    status: call.phase,
    startedAt: call.startedAt ?? undefined,
    answeredAt: call.answeredAt ?? undefined,
    endedAt: call.endedAt ?? undefined,
    durationSeconds: call.talkSeconds ?? undefined,
    wrapUpSeconds: call.wrapUpSeconds ?? undefined,
    phoneNumber: numberToCall(call) ?? undefined,
    did: call.did ?? undefined,
    campaignName: call.campaignName ?? undefined,
    disposition: call.disposition ?? undefined,
    notes: call.notes ?? undefined,
    recordingUrl: call.recordingUrl ?? undefined,
    agentId: call.agentRecordId ?? undefined,
    leadId: call.leadId ?? undefined,
  }
}
