import type { Actor } from '../../access/actor.ts'
import type { WatchCaller } from '../auth/watch-actor.ts'
import { type ChangeSource, liveStream } from '../calls/live-stream.ts'
import type { Feed } from './feed.ts'
import type { Overview } from './overview.ts'

export type FollowUpdatesDeps = { readonly feed: Feed; readonly watchCaller: WatchCaller }

/** The overview as it is now, then as it changes; who reads slowly misses what was between. Ends with the caller's token. */
export function createFollowUpdates({ feed, watchCaller }: FollowUpdatesDeps) {
  return (caller: Actor, signal: AbortSignal): AsyncIterable<Overview> => {
    const { workspaceId } = caller.principal
    const end = { signal, allowed: watchCaller(caller) }
    const notifications = changesOf(feed, workspaceId)
    const changes = liveStream({ notifications, topic, workspaceId, end, existing: async () => [topic] })
    return (async function* (): AsyncGenerator<Overview> {
      for await (const _ of changes) yield await feed.latest(workspaceId)
    })()
  }
}

const topic = 'supervision'

/** There is one thing that changes. */
function changesOf(feed: Feed, workspaceId: string): ChangeSource {
  return {
    subscribe: (_topic, listener) => feed.subscribe(workspaceId, () => listener({ topic, workspaceId, payload: topic })),
    // The feed itself looks again after a gap.
    onGap: () => ({ [Symbol.dispose]: () => undefined }),
  }
}
