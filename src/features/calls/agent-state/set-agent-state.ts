import type { Actor } from '../../../access/actor.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { AgentActivity } from '../../../ports/agent-activity.ts'
import { requireSession } from '../../sessions/current-session.ts'
import { readAgent } from '../../sessions/read-agent.ts'
import { type AgentStateInput, assertAllowed } from './allowed-choices.ts'
import type { CallPorts } from '../state/call-ports.ts'
import { enterAgentState, type EnterStatePorts } from './enter-agent-state.ts'

/** `agentId`: the agent's record. */
export type PresentAgent = { readonly agentId: string; readonly providerAgentId: string; readonly activity: AgentActivity }

/**
 * Makes the actor ready for calls or not. Errors: ROLE_MISSING (no agent record), SESSION_GONE, INVALID_INPUT (the reason is missing or
 * unknown to the account), WRONG_STATE (on a call), the provider's.
 */
export async function setAgentState(
  ports: EnterStatePorts & Pick<CallPorts, 'agentRecordCache' | 'sessionBox'>,
  actor: Actor,
  choice: AgentStateInput,
): Promise<PresentAgent> {
  const { workspaceId } = actor.principal
  assertAllowed({ next: choice, reasonPath: 'reason' }, await ports.configuration.read(workspaceId, 'telephony'))
  const agent = await readAgent(ports, actor)
  if (!agent) throw new AppError('ROLE_MISSING', { detail: 'Only a member with an agent record takes calls' })
  await requireSession(ports, actor.principal)
  const { providerAgentId } = agent
  const activity = await enterAgentState(ports, { workspaceId, providerAgentId, recordId: agent.record.id }, choice)
  return { agentId: agent.record.id, providerAgentId, activity }
}
