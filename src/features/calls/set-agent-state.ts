import type { Actor } from '../../access/actor.ts'
import type { EventBus } from '../../ports/event-bus.ts'
import { type Clock, isoMoment } from '../../kernel/clock.ts'
import { AppError, invalidInput } from '../../kernel/errors.ts'
import { derivedId } from '../../kernel/ids.ts'
import type { Notifications } from '../../ports/notifications.ts'
import type { AgentActivity } from '../../ports/agent-activity.ts'
import type { AgentStateStore } from './agent-state-store.ts'
import { agentTopic } from './update-call.ts'
import type { CallAgent, CallAgentOf } from './call-agent.ts'
import type { Telephony } from '../../ports/telephony.ts'

export type SetAgentStateDeps = {
  readonly agentOf: CallAgentOf
  /** Whether the caller has an agent session. */
  readonly hasSession: (caller: Actor) => Promise<boolean>
  readonly telephonyOf: (workspaceId: string) => Promise<Telephony>
  readonly agentStates: AgentStateStore
  readonly bus: EventBus
  readonly notifications: Notifications
  readonly clock: Clock
}

export type AgentStateCommand = { readonly state: 'READY' | 'NOT_READY'; readonly reason?: string | null | undefined }
export type PresentAgent = { readonly agent: CallAgent; readonly activity: AgentActivity }

/**
 * Makes the caller ready for calls or not. Errors: ROLE_MISSING (no agent record), SESSION_GONE, INVALID_INPUT (the reason is missing, or
 * none of the account's), WRONG_STATE (on a call), the provider's.
 */
export function createSetAgentState(deps: SetAgentStateDeps) {
  return async (caller: Actor, { state, reason = null }: AgentStateCommand): Promise<PresentAgent> => {
    const { workspaceId } = caller.principal
    if (state === 'NOT_READY' && !reason) throw invalidInput('reason', "is needed for NOT_READY: one of the account's reasons")
    const agent = await deps.agentOf(caller)
    if (!agent) throw new AppError('ROLE_MISSING', { detail: 'Only a member with an agent record takes calls' })
    if (!(await deps.hasSession(caller))) throw new AppError('SESSION_GONE')
    const { providerAgentId: agentId } = agent
    const telephony = await deps.telephonyOf(workspaceId)
    await telephony.setState(state === 'READY' ? { agentId, state } : { agentId, state: 'NOT_READY', pauseReason: reason ?? '' })
    const { now: activity } = await deps.agentStates.add(workspaceId, agentId, receivedNow(deps.clock, { state, reason }))
    await tell(deps, { workspaceId, agent, activity })
    return { agent, activity }
  }
}

/** In whole seconds, as the provider tells its moments: a call that rings within the same second is not taken for an older one. */
function receivedNow(clock: Clock, { state, reason }: Pick<AgentActivity, 'state' | 'reason'>): AgentActivity {
  const receivedAt = clock.now()
  return { state, reason: state === 'NOT_READY' ? reason : null, since: isoMoment(Math.floor(receivedAt / 1000) * 1000), receivedAt }
}

type Told = { readonly workspaceId: string } & PresentAgent

async function tell({ bus, notifications }: SetAgentStateDeps, { workspaceId, agent, activity: { state, since } }: Told): Promise<void> {
  await notifications.publish({ topic: agentTopic, workspaceId, payload: agent.providerAgentId })
  await bus.publish({
    id: derivedId('agent.state', workspaceId, agent.providerAgentId, since, state),
    type: 'agent.state',
    version: 1,
    workspaceId,
    occurredAt: since,
    agentId: agent.id,
    state,
  })
}
