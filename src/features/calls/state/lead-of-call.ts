import type { CallRecords, LeadRecords } from '../../../ports/call-records.ts'
import { asService, type ServiceLane } from '../../../ports/record-access.ts'
import type { Ports } from '../../../ports/ports.ts'
import { factsOf } from './call-facts.ts'
import { type CallKey, readCall } from './call-state-store.ts'
import { updateCall } from './update-call.ts'

export type LeadOfCallPorts = Pick<Ports, 'clock' | 'notifications' | 'store'> & {
  readonly callRecords: Pick<CallRecords, 'byUcid'>
  readonly leadRecords: Pick<LeadRecords, 'byPhones'>
}

/**
 * The id of the lead that a call was about, read with the service's own rights: the known one, else the only lead with the number; null
 * if there is none. Errors: STORE_UNAVAILABLE, the platform's.
 */
export async function leadOfCall(ports: LeadOfCallPorts, key: CallKey, lane: ServiceLane): Promise<string | null> {
  const access = asService(key.workspaceId, lane)
  const call = await readCall(ports, key)
  if (!call) return (await ports.callRecords.byUcid(access, key.ucid))?.leadId ?? null
  if (call.leadId !== null || call.phoneNumber === null) return call.leadId
  const lead = (await ports.leadRecords.byPhones(access, [call.phoneNumber])).get(call.phoneNumber)
  if (!lead) return null
  await updateCall(ports, key, factsOf({ leadId: lead.id }, { source: 'GUESSED', receivedAt: ports.clock.now() }))
  return lead.id
}
