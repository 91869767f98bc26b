import { agentTopic, callTopic } from '../calls/state/update-call.ts'
import type { Ports } from '../../ports/ports.ts'
import { sessionTopic } from '../sessions/session-events.ts'
import type { Overview } from './overview.ts'
import { callsAddedTopic } from './workspace-stats.ts'

/** The overviews of the workspaces that have subscribers, computed once for all subscribers of this process. */
export type OverviewFeed = {
  /** Calls the listener when `latest` has changed, at most once a second. */
  subscribe(workspaceId: string, listener: () => void): Disposable
  /** Errors: STORE_UNAVAILABLE. */
  latest(workspaceId: string): Promise<Overview>
}

type FeedPorts = Pick<Ports, 'notifications'>

const minIntervalMs = 1_000
/** Sessions expire, slots begin and days end without a notification. */
const pollMs = 15_000

export function createOverviewFeed(ports: FeedPorts, compute: (workspaceId: string) => Promise<Overview>): OverviewFeed {
  const watched = new Map<string, WatchedOverview>()
  return {
    subscribe(workspaceId, listener) {
      const overview = watched.get(workspaceId) ?? watchOverview(ports, workspaceId, compute)
      watched.set(workspaceId, overview)
      // The same function may be subscribed twice.
      const own = (): void => listener()
      overview.listeners.add(own)
      return {
        [Symbol.dispose]() {
          if (!overview.listeners.delete(own) || overview.listeners.size > 0) return
          watched.delete(workspaceId)
          overview[Symbol.dispose]()
        },
      }
    },
    latest: async (workspaceId) => (await watched.get(workspaceId)?.latest()) ?? compute(workspaceId),
  }
}

type WatchedOverview = Disposable & {
  readonly listeners: Set<() => void>
  /** Null if it could not be computed yet. */
  latest(): Promise<Overview | null>
}

function watchOverview(
  { notifications }: FeedPorts,
  workspaceId: string,
  compute: (workspaceId: string) => Promise<Overview>,
): WatchedOverview {
  const listeners = new Set<() => void>()
  const refresher = createRefresher(() => compute(workspaceId), listeners)
  const subscriptions = new DisposableStack()
  for (const topic of [callTopic, agentTopic, sessionTopic, callsAddedTopic]) {
    subscriptions.use(
      notifications.subscribe(topic, (notification) => void (notification.workspaceId === workspaceId && refresher.schedule())),
    )
  }
  subscriptions.use(notifications.onGap(() => refresher.schedule()))
  subscriptions.use(refresher)
  return { listeners, latest: () => refresher.latest(), [Symbol.dispose]: () => subscriptions.dispose() }
}

/** Computes the overview when scheduled, at most once a second, and calls the listeners if more than its time has changed. */
function createRefresher(compute: () => Promise<Overview>, listeners: ReadonlySet<() => void>) {
  let latest: Overview | null = null
  let content = ''
  let startedAt = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined

  const refresh = async (): Promise<void> => {
    startedAt = performance.now()
    const overview = await compute()
    const now = JSON.stringify({ ...overview, at: '' })
    if (now === content) return
    latest = overview
    content = now
  }
  // New subscribers wait for the first result and are called for the changes after it.
  const first = refresh().catch(() => undefined)
  let last = first
  const refreshAgain = async (): Promise<void> => {
    timer = undefined
    const before = content
    // If the store is unavailable, the next refresh finds the change.
    await refresh().catch(() => undefined)
    if (content !== before) for (const listener of listeners) listener()
  }
  const schedule = (): void => {
    if (timer !== undefined) return
    const delayMs = Math.max(0, startedAt + minIntervalMs - performance.now())
    // One after another: one that takes long must not replace what was read later.
    timer = setTimeout(() => void (last = last.then(refreshAgain).catch(() => undefined)), delayMs).unref()
  }
  const polling = setInterval(schedule, pollMs).unref()
  return {
    schedule,
    async latest() {
      await first
      return latest
    },
    [Symbol.dispose]() {
      clearInterval(polling)
      clearTimeout(timer)
    },
  }
}
