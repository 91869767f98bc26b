import type { Actor } from '../../access/actor.ts'
import { watchActor } from '../auth/watch-actor.ts'
import { type ChangeSource, liveStream } from '../calls/streams/live-stream.ts'
import type { OverviewFeed } from './overview-feed.ts'
import type { Overview } from './overview.ts'
import type { SupervisionPorts } from './supervision-ports.ts'

export type FollowPorts = Pick<SupervisionPorts, 'clock' | 'notifications' | 'overviewFeed' | 'principals' | 'store'>

const topic = 'supervision'

/**
 * The current overview, then each change; a slow reader gets the latest one. Ends when `signal` aborts or the actor's token ends. Errors:
 * TOKEN_REFUSED, ROLE_MISSING, STORE_UNAVAILABLE.
 */
export async function* followOverview(ports: FollowPorts, actor: Actor, signal: AbortSignal): AsyncGenerator<Overview> {
  const { workspaceId } = actor.principal
  const changes = liveStream({
    notifications: changesOf(ports.overviewFeed, workspaceId),
    topic,
    workspaceId,
    end: { signal, allowed: watchActor(ports, actor) },
    existing: async () => [topic],
  })
  for await (const _ of changes) yield await ports.overviewFeed.latest(workspaceId)
}

/** The overview as the only key of a stream. */
function changesOf(feed: OverviewFeed, workspaceId: string): ChangeSource {
  return {
    subscribe: (_topic, listener) => feed.subscribe(workspaceId, () => listener({ topic, workspaceId, payload: topic })),
    // The feed refreshes itself after a gap.
    onGap: () => ({ [Symbol.dispose]: () => undefined }),
  }
}
