import { AppError } from '../../../kernel/errors.ts'
import type { RecordAccess } from '../../../ports/record-access.ts'
import type { Agent } from '../../sessions/read-agent.ts'
import type { CallPorts } from '../state/call-ports.ts'
import { isCallOf, type OwnCall } from '../state/find-own-call.ts'

type Agents = { readonly own: Agent | null; readonly call: OwnCall | null }
/** `isOther`: not the actor. */
type AgentOfOutcome = { readonly providerAgentId: string; readonly recordId: string | null; readonly isOther: boolean }

/** Whose outcome it is: that of the call's agent, also if a manager sends it; of a call without an agent, the actor's. */
export async function agentOfOutcome(
  { agentDirectory }: Pick<CallPorts, 'agentDirectory'>,
  access: RecordAccess,
  { own, call }: Agents,
): Promise<AgentOfOutcome> {
  const { agentId = null, agentRecordId = null } = call ?? {}
  const isOwn = call === null || (agentId === null && agentRecordId === null) || (own !== null && isCallOf(own, call))
  if (isOwn && own) return { providerAgentId: own.providerAgentId, recordId: own.record.id, isOther: false }
  if (isOwn) throw new AppError('ROLE_MISSING', { detail: 'Only a member with an agent record can dispose of a call without an agent' })
  const entry =
    agentId === null
      ? (await agentDirectory.all(access)).find(({ id }) => id === agentRecordId)
      : await agentDirectory.recordOf(access, agentId)
  return { providerAgentId: agentId ?? entry?.providerAgentId ?? '', recordId: entry?.id ?? agentRecordId, isOther: true }
}
