import { LRUCache } from 'lru-cache'
import { createKeyedMutex } from '../../kernel/keyed-mutex.ts'
import { createDailyStats, type DailyStats, type DailyStatsView, type StatsPorts } from './daily-stats.ts'

/** The daily stats of the workspaces whose overview is read here; dropped after half an hour without a read. */
export type WorkspaceStats = Disposable & {
  /** Errors: STORE_UNAVAILABLE. */
  read(workspaceId: string, timeZone: string): Promise<DailyStatsView>
  /** The workspaces whose overview was read in the last half hour. */
  workspaceIds(): readonly string[]
}

const idleMs = 30 * 60_000
/** Each takes some megabytes at 10,000 calls a day. */
const maxWorkspaces = 50

/** Calls were added without a notification for each of them. The payload is empty. */
export const callsAddedTopic = 'supervision.calls-added'

export function createWorkspaceStats(ports: StatsPorts): WorkspaceStats {
  const mutex = createKeyedMutex()
  const cache = new LRUCache<string, DailyStats>({
    max: maxWorkspaces,
    ttl: idleMs,
    ttlAutopurge: true,
    updateAgeOnGet: true,
    dispose: (stats) => stats[Symbol.dispose](),
  })
  const subscription = ports.notifications.subscribe(callsAddedTopic, ({ workspaceId }) => cache.peek(workspaceId)?.invalidate())
  const statsOf = (workspaceId: string): DailyStats => {
    const cached = cache.get(workspaceId)
    if (cached) return cached
    const stats = createDailyStats(ports, workspaceId)
    cache.set(workspaceId, stats)
    return stats
  }
  return {
    read: (workspaceId, timeZone) => mutex.run(workspaceId, () => statsOf(workspaceId).read(timeZone)),
    workspaceIds: () => [...cache.keys()],
    [Symbol.dispose]() {
      subscription[Symbol.dispose]()
      cache.clear()
    },
  }
}
