import { type Actor, auditActor } from '../../../access/actor.ts'
import { AppError } from '../../../kernel/errors.ts'
import { leaseProviderAgent } from '../../sessions/agent-at-provider.ts'
import { sendNotice } from '../../sessions/agent-notices.ts'
import { sessionOfAgent } from '../../sessions/session-of-agent.ts'
import { type AgentStateInput, assertAllowed } from './allowed-choices.ts'
import type { CallPorts } from '../state/call-ports.ts'
import { enterAgentState, type EnterStatePorts } from './enter-agent-state.ts'
import type { PresentAgent } from './set-agent-state.ts'

/** `message`: what the agent is to read about it. */
export type StateOrder = AgentStateInput & { readonly agentId: string; readonly message?: string | null | undefined }

/** Longer than one request to the provider. */
const leaseWaitMs = 12_000

/**
 * Makes another agent ready for calls or not, for a manager; audited, and the agent gets a notice. If the provider refuses, nothing happens. Orders
 * of two managers follow each other, and so do sign-ins and sign-outs. Errors: NOT_FOUND (no session in this workspace), INVALID_INPUT (the reason is
 * missing or unknown to the account), WRONG_STATE (on a call, in wrap-up, not signed in at the provider), OVERLOADED (another order takes too long),
 * the provider's. After DEADLINE_PASSED the agent may have the state: it is audited with `outcome` UNKNOWN; send it again.
 */
export async function changeAgentState(
  ports: EnterStatePorts & Pick<CallPorts, 'audit' | 'log' | 'sessionBox'>,
  actor: Actor,
  { agentId, state, reason = null, message = null }: StateOrder,
): Promise<PresentAgent> {
  const { workspaceId } = actor.principal
  assertAllowed({ next: { state, reason }, reasonPath: 'reason' }, await ports.configuration.read(workspaceId, 'telephony'))
  const { agentKey } = await sessionOfAgent(ports, workspaceId, agentId)
  await using lease = await leaseProviderAgent(ports, agentKey, leaseWaitMs)
  if (!lease)
    throw new AppError('OVERLOADED', { detail: 'The state of this agent is being changed: try again', data: { retryAfterSeconds: 5 } })
  // The session may have ended while another order was carried out.
  const { agentName, lock } = await sessionOfAgent(ports, workspaceId, agentId)
  const { providerAgentId } = agentKey
  const why = { reason: state === 'NOT_READY' ? reason : null, message }
  const report = async (outcome: { readonly outcome?: 'UNKNOWN' }): Promise<void> => {
    // First: it never fails, and the agent gets it even if the audit log cannot be written.
    await sendNotice(ports, actor, { memberId: lock.memberId, kind: 'STATE_CHANGED', state, ...why })
    await ports.audit.record(workspaceId, {
      actor: auditActor(actor),
      action: 'agent.stateChanged',
      target: { kind: 'agent', id: agentId, name: agentName },
      details: { state, ...why, ...outcome },
    })
  }
  const key = { workspaceId, providerAgentId, recordId: agentId }
  const activity = await enterAgentState(ports, key, { state, reason }).catch(async (error: unknown) => {
    if (error instanceof AppError && error.reason === 'DEADLINE_PASSED') await report({ outcome: 'UNKNOWN' })
    throw error
  })
  await report({})
  return { agentId, providerAgentId, activity }
}
