import { agentTopic, callTopic } from '../calls/update-call.ts'
import type { Notifications } from '../../ports/notifications.ts'
import { sessionTopic } from '../sessions/session-events.ts'
import { daysCallsTopic } from './workspace-stats.ts'
import type { Overview } from './overview.ts'
import type { ReadOverview } from './read-overview.ts'

/** The overview of a workspace as it changes, worked out once for all who watch it here. */
export interface Feed {
  /** The listener is called when `latest` has become another, at most once a second. */
  subscribe(workspaceId: string, listener: () => void): Disposable
  /** Errors: STORE_UNAVAILABLE. */
  latest(workspaceId: string): Promise<Overview>
}

export type FeedDeps = { readonly read: ReadOverview; readonly notifications: Notifications }

const atMostEveryMs = 1_000
/** Sessions run out, slots begin, and days end without anybody saying so. */
const lookEveryMs = 15_000

type Watched = {
  readonly listeners: Set<() => void>
  readonly stop: () => void
  readonly latest: () => Promise<Overview | null>
}

export function createFeed({ read, notifications }: FeedDeps): Feed {
  const watched = new Map<string, Watched>()

  const watch = (workspaceId: string): Watched => {
    const listeners = new Set<() => void>()
    const { update, stop, latest } = createUpdates(() => read(workspaceId), listeners)
    const listening = new DisposableStack()
    for (const topic of [callTopic, agentTopic, sessionTopic, daysCallsTopic]) {
      listening.use(notifications.subscribe(topic, (notice) => void (notice.workspaceId === workspaceId && update())))
    }
    listening.use(notifications.onGap(update))
    listening.defer(stop)
    return { listeners, latest, stop: () => listening.dispose() }
  }

  return {
    subscribe(workspaceId, listener) {
      const entry = watched.get(workspaceId) ?? watch(workspaceId)
      watched.set(workspaceId, entry)
      // One function may be given twice.
      const own = (): void => listener()
      entry.listeners.add(own)
      return {
        [Symbol.dispose]() {
          if (!entry.listeners.delete(own) || entry.listeners.size > 0) return
          watched.delete(workspaceId)
          entry.stop()
        },
      }
    },
    latest: async (workspaceId) => (await watched.get(workspaceId)?.latest()) ?? read(workspaceId),
  }
}

/** Reads again when told to, at most once a second, and tells the listeners where something but the moment has changed. */
function createUpdates(read: () => Promise<Overview>, listeners: ReadonlySet<() => void>) {
  let latest: Overview | null = null
  let shown = ''
  let readAt = Number.NEGATIVE_INFINITY
  let waiting: NodeJS.Timeout | undefined

  const look = async (): Promise<void> => {
    readAt = performance.now()
    const overview = await read()
    const now = JSON.stringify({ ...overview, at: '' })
    if (now === shown) return
    const isFirst = latest === null
    latest = overview
    shown = now
    if (!isFirst) for (const listener of listeners) listener()
  }
  const update = (): void => {
    if (waiting !== undefined) return
    const delayMs = Math.max(0, readAt + atMostEveryMs - performance.now())
    waiting = setTimeout(() => {
      waiting = undefined
      // A store that is away: the next look finds what has changed.
      look().catch(() => undefined)
    }, delayMs).unref()
  }
  const ticking = setInterval(update, lookEveryMs).unref()
  // Whoever begins to watch waits for it and is told of what comes after it.
  const first = look().catch(() => undefined)
  return {
    update,
    latest: async () => {
      await first
      return latest
    },
    stop: () => {
      clearInterval(ticking)
      clearTimeout(waiting)
    },
  }
}
