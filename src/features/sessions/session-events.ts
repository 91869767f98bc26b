import { isoMoment } from '../../kernel/clock.ts'
import { derivedId } from '../../kernel/ids.ts'
import type { ProviderAgentKey } from './provider-agent-key.ts'
import type { SessionPorts } from './session-ports.ts'

export type SessionUpdate = {
  readonly agentId: string
  readonly lockedAt: string
  readonly state: 'SIGNED_IN' | 'SIGNED_OUT' | 'EXPIRED'
}

/** Subscribers get the payload `{ agentId, lockedAt, state }` as JSON. */
export const sessionTopic = 'session.changed'

/**
 * Publishes a change of a session: the event `agent.state`, once per session and state, and a notification to all instances. Never throws.
 */
export async function publishSessionState(
  { bus, notifications, clock, log }: Pick<SessionPorts, 'bus' | 'notifications' | 'clock' | 'log'>,
  { workspaceId, providerAgentId }: ProviderAgentKey,
  { agentId, lockedAt, state }: SessionUpdate,
): Promise<void> {
  const id = derivedId('agent.state', workspaceId, providerAgentId, lockedAt, state)
  const event = { id, version: 1, workspaceId, occurredAt: isoMoment(clock.now()), type: 'agent.state', agentId, state } as const
  const publishing = [
    bus.publish(event),
    notifications.publish({ topic: sessionTopic, workspaceId, payload: JSON.stringify({ agentId, lockedAt, state }) }),
  ]
  for (const result of await Promise.allSettled(publishing)) {
    if (result.status === 'rejected') log.error({ err: result.reason, workspaceId, agentId, state }, 'session.event-not-published')
  }
}
