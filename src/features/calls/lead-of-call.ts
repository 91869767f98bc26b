import { asService } from '../../ports/record-access.ts'
import type { CallStateStore } from './call-state-store.ts'
import { factsOf } from './call-facts.ts'
import type { UpdateCall } from './update-call.ts'
import type { CallRecords, LeadRecords } from '../../ports/call-records.ts'

export type LeadOfCallDeps = {
  readonly book: CallStateStore
  readonly note: UpdateCall
  readonly leads: LeadRecords
  readonly calls: CallRecords
  readonly now: () => number
}

/** The lead that a call was about, for the service itself: as it is known, else by the number; null where nobody can tell. */
export type LeadOfCall = (workspaceId: string, ucid: string) => Promise<string | null>

export function createLeadOfCall({ book, note, leads, calls, now }: LeadOfCallDeps): LeadOfCall {
  return async (workspaceId, ucid) => {
    const access = asService(workspaceId, 'INSIGHTS')
    const call = await book.read(workspaceId, ucid)
    if (!call) return (await calls.byUcid(access, ucid))?.leadId ?? null
    if (call.leadId !== null || call.phoneNumber === null) return call.leadId
    const lead = (await leads.byPhones(access, [call.phoneNumber])).get(call.phoneNumber)
    if (!lead) return null
    await note(workspaceId, ucid, factsOf({ leadId: lead.id }, { source: 'GUESSED', receivedAt: now() }))
    return lead.id
  }
}
