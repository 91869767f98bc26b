import type { CallWrite } from '../../../ports/call-records.ts'
import type { Ports } from '../../../ports/ports.ts'
import type { ServiceAccess } from '../../../ports/record-access.ts'
import { factsOf, type KnownCall } from '../state/call-facts.ts'
import { addCallFacts } from '../state/call-state-store.ts'
import { callValues } from './call-values.ts'
import { linkMissedCall } from '../missed-calls/missed-call-store.ts'
import { publishCallChange } from '../state/update-call.ts'

export type RelateCallsPorts = Pick<Ports, 'agentDirectory' | 'clock' | 'leadRecords' | 'notifications' | 'store'>

/** The calls with their leads and agents, as far as these are known. What is found is stored with the call; live streams and the list of missed calls get the lead. */
export async function relateCalls(
  ports: RelateCallsPorts,
  access: ServiceAccess,
  calls: readonly KnownCall[],
): Promise<readonly CallWrite[]> {
  const numbers = calls.flatMap(({ leadId, phoneNumber }) => (leadId === null && phoneNumber !== null ? [phoneNumber] : []))
  const leads = await ports.leadRecords.byPhones(access, [...new Set(numbers)])
  return Promise.all(
    calls.map(async (call) => {
      const leadId = call.leadId ?? leads.get(call.phoneNumber ?? '')?.id ?? null
      const agentRecordId = call.agentRecordId ?? (await agentRecordOf(ports, access, call.agentId))
      const found = { leadId, agentRecordId }
      if (leadId !== call.leadId || agentRecordId !== call.agentRecordId) {
        const key = { workspaceId: access.workspaceId, ucid: call.ucid }
        const { after } = await addCallFacts(ports, key, factsOf(found, { source: 'GUESSED', receivedAt: ports.clock.now() }))
        if (leadId !== null && leadId !== call.leadId) {
          if (after.phase === 'MISSED' && after.leadId !== null) await linkMissedCall(ports, key, after.leadId)
          await publishCallChange(ports, access.workspaceId, after)
        }
      }
      return { ucid: call.ucid, values: callValues({ ...call, ...found }) }
    }),
  )
}

async function agentRecordOf(
  { agentDirectory }: RelateCallsPorts,
  access: ServiceAccess,
  providerAgentId: string | null,
): Promise<string | null> {
  if (providerAgentId === null) return null
  return (await agentDirectory.recordOf(access, providerAgentId))?.id ?? null
}
