import { asService } from '../../../ports/record-access.ts'
import type { AgentActivity } from '../../../ports/agent-activity.ts'
import type { AgentUpdate } from '../../../ports/telephony-webhooks.ts'
import { type AgentPresence, lastCallOf } from '../agent-state/agent-presence.ts'
import { addAgentActivity, type AgentKey } from '../agent-state/agent-state-store.ts'
import type { CallPorts } from '../state/call-ports.ts'
import { publishAgentState } from '../agent-state/publish-agent-state.ts'
import { compareSoon } from '../reconciliation/compare-soon.ts'
import { storeWrapUps } from '../agent-state/store-wrap-ups.ts'
import type { ReceivedUpdate } from '../webhook-store/webhook-inbox.ts'

export type TrackAgentPorts = Pick<CallPorts, 'agentDirectory' | 'bus' | 'clock' | 'notifications' | 'store'>
/** Where an update comes from. */
export type UpdateOrigin = Omit<ReceivedUpdate, 'update'>

/** Processes an agent update. Repeatable. Errors: STORE_UNAVAILABLE, the bus's. */
export async function trackAgent(
  ports: TrackAgentPorts,
  { workspaceId, receivedAt }: UpdateOrigin,
  { agentId, state, reason, at }: AgentUpdate,
): Promise<void> {
  const agent = { workspaceId, agentId }
  const { before, now, presence } = await addAgentActivity(ports, agent, { state, reason, since: at, receivedAt })
  await storeWrapUps(ports, agent, { presence, moment: at })
  if (leavesCall(presence, { state, at })) await compareSoon(ports, workspaceId)
  // An activity that is no longer the current one, or was published before, is not published.
  const isOld = now.since !== at || now.state !== state
  const isSame = before?.state === state && before.reason === reason && before.since !== at
  if (!isOld && !isSame) await publishTrackedState(ports, agent, now)
}

/** The agent is free, and the end of their last call was not reported: the report may be lost. */
function leavesCall(presence: AgentPresence, { state, at }: Pick<AgentUpdate, 'state' | 'at'>): boolean {
  if (state === 'ON_CALL' || state === 'WRAP_UP') return false
  const last = lastCallOf(presence)
  return last !== null && last.endedAt === null && last.answeredAt !== null && last.answeredAt < at
}

/** Publishes a state. Live streams are notified at once, because the platform may take a minute to give the agent's record. */
export async function publishTrackedState(
  ports: Pick<CallPorts, 'agentDirectory' | 'bus' | 'notifications'>,
  agent: AgentKey,
  activity: AgentActivity,
): Promise<void> {
  await publishAgentState(ports, agent, { activity, recordId: recordIdOf(ports, agent) })
}

/** The id at the provider if the record is unknown or the platform cannot be reached. */
async function recordIdOf({ agentDirectory }: Pick<CallPorts, 'agentDirectory'>, { workspaceId, agentId }: AgentKey): Promise<string> {
  const entry = await agentDirectory.recordOf(asService(workspaceId, 'WEBHOOKS'), agentId).catch(() => null)
  return entry?.id ?? agentId
}
