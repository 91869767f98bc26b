import { type Clock, isoMoment } from '../../../kernel/clock.ts'
import type { AgentActivity } from '../../../ports/agent-activity.ts'
import { addAgentActivity } from './agent-state-store.ts'
import { type AgentStateInput, asClientsRefusal } from './allowed-choices.ts'
import type { CallPorts } from '../state/call-ports.ts'
import { publishAgentState } from './publish-agent-state.ts'
import { storeWrapUps } from './store-wrap-ups.ts'

export type EnterStatePorts = Pick<CallPorts, 'bus' | 'clock' | 'configuration' | 'notifications' | 'store' | 'telephonyOf'>
type EnteringAgent = { readonly workspaceId: string; readonly providerAgentId: string; readonly recordId: string }

/**
 * Has the provider make an agent ready or not ready, then stores and publishes the state. If the provider refuses, nothing is stored. Errors:
 * INVALID_INPUT (the reason is unknown to the account), WRONG_STATE (on a call), the provider's.
 */
export async function enterAgentState(
  ports: EnterStatePorts,
  { workspaceId, providerAgentId: agentId, recordId }: EnteringAgent,
  { state, reason = null }: AgentStateInput,
): Promise<AgentActivity> {
  const lists = await ports.configuration.read(workspaceId, 'telephony')
  const telephony = await ports.telephonyOf(workspaceId)
  const request = state === 'READY' ? ({ agentId, state } as const) : ({ agentId, state, pauseReason: reason ?? '' } as const)
  await telephony.setState(request).catch((error: unknown) => {
    throw asClientsRefusal(error, { next: { state, reason }, reasonPath: 'reason' }, lists)
  })
  const own = activityNow(ports.clock, { state, reason })
  const { now: activity, presence } = await addAgentActivity(ports, { workspaceId, agentId }, own)
  await storeWrapUps(ports, { workspaceId, agentId }, { presence, moment: own.since })
  await publishAgentState(ports, { workspaceId, agentId }, { activity, recordId })
  return activity
}

/** In whole seconds like the provider's times, so that a call that rings within the same second does not count as older. */
function activityNow(clock: Clock, { state, reason }: Pick<AgentActivity, 'state' | 'reason'>): AgentActivity {
  const receivedAt = clock.now()
  return { state, reason: state === 'NOT_READY' ? reason : null, since: isoMoment(Math.floor(receivedAt / 1000) * 1000), receivedAt }
}
