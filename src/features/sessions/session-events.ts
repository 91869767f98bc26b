import type { EventBus } from '../../ports/event-bus.ts'
import { type Clock, isoMoment } from '../../kernel/clock.ts'
import { derivedId } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import type { Notifications } from '../../ports/notifications.ts'
import type { ProviderAgentKey } from './provider-agent-key.ts'

export type SessionUpdate = {
  readonly agentId: string
  readonly lockedAt: string
  readonly state: 'SIGNED_IN' | 'SIGNED_OUT' | 'EXPIRED'
}

/** Tells what became of a session: `agent.state` on the bus, once per session and state, and a notice to all instances. Never throws. */
export type Announce = (agentKey: ProviderAgentKey, update: SessionUpdate) => Promise<void>

/** Subscribers get the payload `{ agentId, lockedAt, state }` as JSON. */
export const sessionTopic = 'session.changed'

export type AnnounceOptions = {
  readonly bus: Pick<EventBus, 'publish'>
  readonly notifications: Notifications
  readonly clock: Clock
  readonly log: Log
}

export function createAnnounce({ bus, notifications, clock, log }: AnnounceOptions): Announce {
  return async ({ workspaceId, providerAgentId }, { agentId, lockedAt, state }) => {
    const id = derivedId('agent.state', workspaceId, providerAgentId, lockedAt, state)
    const event = { id, version: 1, workspaceId, occurredAt: isoMoment(clock.now()), type: 'agent.state', agentId, state } as const
    const telling = [
      bus.publish(event),
      notifications.publish({ topic: sessionTopic, workspaceId, payload: JSON.stringify({ agentId, lockedAt, state }) }),
    ]
    for (const told of await Promise.allSettled(telling)) {
      if (told.status === 'rejected')
        log.error({ err: told.reason, workspaceId, agentId, state }, 'a change of a session could not be told')
    }
  }
}
