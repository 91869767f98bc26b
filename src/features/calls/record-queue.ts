import type { Store } from '../../ports/store.ts'

/**
 * Calls whose platform record is behind what we know. Several changes of one call are one entry, so that they become one write. What was
 * taken and not settled (a crash) comes back by itself. Errors of all methods: STORE_UNAVAILABLE.
 */
export interface RecordQueue {
  /** The call's record is behind; due after a moment, in which further changes may come. */
  mark(workspaceId: string, ucid: string): Promise<void>
  /** Workspaces that may have something due. */
  workspaces(): Promise<readonly string[]>
  /** Takes what is due; a mark that comes from now on is a new entry. */
  take(workspaceId: string, limit: number): Promise<readonly string[]>
  settle(workspaceId: string, ucids: readonly string[]): Promise<void>
  /** Puts back what could not be written, due in `delayMs`. */
  putBack(workspaceId: string, ucids: readonly string[], delayMs: number): Promise<void>
  waiting(workspaceId: string): Promise<number>
}

const quietMs = 1_000
/** What was taken longer ago than this was taken by a process that is gone. */
const abandonedMs = 120_000
const most = 10_000
const workspaceList = 'call-records-behind'

export function createRecordQueue(store: Store, now: () => number): RecordQueue {
  const behind = (workspaceId: string): string => `call-records-behind:${workspaceId}`
  const taken = (workspaceId: string): string => `call-records-taken:${workspaceId}`

  const recover = async (workspaceId: string): Promise<void> => {
    const lost = await store.sortedRange(taken(workspaceId), { max: now() - abandonedMs, limit: most })
    for (const { member } of lost) {
      await store.sortedAdd(behind(workspaceId), member, now())
      await store.sortedRemove(taken(workspaceId), member)
    }
  }

  return {
    async mark(workspaceId, ucid) {
      await store.sortedAdd(workspaceList, workspaceId, now())
      await store.sortedAdd(behind(workspaceId), ucid, now() + quietMs)
    },
    workspaces: async () => (await store.sortedRange(workspaceList, { limit: most })).map(({ member }) => member),
    async take(workspaceId, limit) {
      await recover(workspaceId)
      const due = (await store.sortedRange(behind(workspaceId), { max: now(), limit })).map(({ member }) => member)
      for (const ucid of due) {
        await store.sortedAdd(taken(workspaceId), ucid, now())
        await store.sortedRemove(behind(workspaceId), ucid)
      }
      return due
    },
    settle: async (workspaceId, ucids) => {
      for (const ucid of ucids) await store.sortedRemove(taken(workspaceId), ucid)
    },
    async putBack(workspaceId, ucids, delayMs) {
      for (const ucid of ucids) {
        await store.sortedAdd(behind(workspaceId), ucid, now() + delayMs)
        await store.sortedRemove(taken(workspaceId), ucid)
      }
    },
    async waiting(workspaceId) {
      const lists = [behind(workspaceId), taken(workspaceId)]
      const found = await Promise.all(lists.map((list) => store.sortedRange(list, { limit: most })))
      return found.reduce((sum, members) => sum + members.length, 0)
    },
  }
}
