import type { Actor } from '../../access/actor.ts'
import { type Clock, isoMoment } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import type { AgentActivity } from '../../ports/agent-activity.ts'
import { type AgentStateInput, assertAllowed, asClientsRefusal } from './allowed-choices.ts'
import { addAgentActivity } from './agent-state-store.ts'
import { requireSession } from '../sessions/current-session.ts'
import { type Agent, readAgent } from '../sessions/read-agent.ts'
import type { CallPorts } from './call-ports.ts'
import { publishAgentState } from './publish-agent-state.ts'
import { storeWrapUps } from './store-wrap-ups.ts'

export type PresentAgent = { readonly agent: Agent; readonly activity: AgentActivity }

/**
 * Makes the actor ready for calls or not. Errors: ROLE_MISSING (no agent record), SESSION_GONE, INVALID_INPUT (the reason is missing or
 * unknown to the account), WRONG_STATE (on a call), the provider's.
 */
export async function setAgentState(
  ports: Pick<CallPorts, 'agentRecordCache' | 'bus' | 'clock' | 'configuration' | 'notifications' | 'sessionBox' | 'store' | 'telephonyOf'>,
  actor: Actor,
  { state, reason = null }: AgentStateInput,
): Promise<PresentAgent> {
  const { workspaceId } = actor.principal
  const choice = { next: { state, reason }, reasonPath: 'reason' } as const
  const lists = await ports.configuration.read(workspaceId, 'telephony')
  assertAllowed(choice, lists)
  const agent = await readAgent(ports, actor)
  if (!agent) throw new AppError('ROLE_MISSING', { detail: 'Only a member with an agent record takes calls' })
  await requireSession(ports, actor.principal)
  const { providerAgentId: agentId } = agent
  const telephony = await ports.telephonyOf(workspaceId)
  const request = state === 'READY' ? ({ agentId, state } as const) : ({ agentId, state, pauseReason: reason ?? '' } as const)
  await telephony.setState(request).catch((error: unknown) => {
    throw asClientsRefusal(error, choice, lists)
  })
  const own = activityNow(ports.clock, { state, reason })
  const { now: activity, presence } = await addAgentActivity(ports, { workspaceId, agentId }, own)
  await storeWrapUps(ports, { workspaceId, agentId }, { presence, moment: own.since })
  await publishAgentState(ports, { workspaceId, agentId }, { activity, recordId: agent.record.id })
  return { agent, activity }
}

/** In whole seconds like the provider's times, so that a call that rings within the same second does not count as older. */
function activityNow(clock: Clock, { state, reason }: Pick<AgentActivity, 'state' | 'reason'>): AgentActivity {
  const receivedAt = clock.now()
  return { state, reason: state === 'NOT_READY' ? reason : null, since: isoMoment(Math.floor(receivedAt / 1000) * 1000), receivedAt }
}
