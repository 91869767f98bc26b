import type { Actor } from '../../../access/actor.ts'
import { watchActor } from '../../auth/watch-actor.ts'
import { type AgentNotice, noticeTopic, readNotices } from '../../sessions/agent-notices.ts'
import type { CallPorts } from '../state/call-ports.ts'
import { liveStream } from './live-stream.ts'

/**
 * The notices to the actor: those that are not confirmed yet, then each new one. Ends when `signal` aborts or the token expires. Errors: OVERLOADED
 * (read too slowly), STORE_UNAVAILABLE.
 */
export async function* followNotices(
  ports: Pick<CallPorts, 'clock' | 'notifications' | 'principals' | 'store'>,
  actor: Actor,
  signal: AbortSignal,
): AsyncGenerator<AgentNotice> {
  const { workspaceId, memberId } = actor.principal
  const changes = liveStream({
    notifications: ports.notifications,
    topic: noticeTopic,
    workspaceId,
    audience: [memberId],
    end: { signal, allowed: watchActor(ports, actor) },
    existing: async () => [memberId],
  })
  let sent = new Set<string>()
  for await (const { key } of changes) {
    if (key !== memberId) continue
    const notices = await readNotices(ports, actor.principal)
    yield* notices.filter(({ id }) => !sent.has(id))
    sent = new Set(notices.map(({ id }) => id))
  }
}
