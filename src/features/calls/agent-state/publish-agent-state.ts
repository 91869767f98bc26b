import { derivedId } from '../../../kernel/ids.ts'
import type { AgentActivity } from '../../../ports/agent-activity.ts'
import type { Ports } from '../../../ports/ports.ts'
import type { AgentKey } from './agent-state-store.ts'
import { agentTopic } from '../state/update-call.ts'

type Published = {
  readonly activity: Pick<AgentActivity, 'state' | 'since'>
  /** The id of the agent's record, or the id at the provider if the record is unknown. Awaited after live streams are notified. */
  readonly recordId: string | Promise<string>
}

/** Notifies live streams and publishes `agent.state`. Repeatable: the event's id follows from its content. Errors: the bus's. */
export async function publishAgentState(
  { notifications, bus }: Pick<Ports, 'notifications' | 'bus'>,
  { workspaceId, agentId }: AgentKey,
  { activity: { state, since }, recordId }: Published,
): Promise<void> {
  await notifications.publish({ topic: agentTopic, workspaceId, payload: agentId, audience: [agentId] })
  await bus.publish({
    id: derivedId('agent.state', workspaceId, agentId, since, state),
    type: 'agent.state',
    version: 1,
    workspaceId,
    occurredAt: since,
    agentId: await recordId,
    state,
  })
}
