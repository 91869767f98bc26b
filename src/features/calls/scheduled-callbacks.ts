import { isoMoment } from '../../kernel/clock.ts'
import type { Store } from '../../ports/store.ts'

/** Calls that were promised with a disposition, by the customer's number. Errors of all methods: STORE_UNAVAILABLE. */
export interface ScheduledCallbacks {
  promise(workspaceId: string, call: { readonly phoneNumber: string; readonly ucid: string; readonly at: string }): Promise<void>
  /** The customer was reached: what was promised is done. */
  keep(workspaceId: string, phoneNumber: string): Promise<void>
  /** The next first, at most 10. */
  of(workspaceId: string, phoneNumber: string): Promise<readonly { readonly ucid: string; readonly at: string }[]>
}

/** A promise that nobody kept is shown for so long after its time. */
const shownMs = 14 * 86_400_000
const most = 10

export function createScheduledCallbacks(store: Store, now: () => number): ScheduledCallbacks {
  const listOf = (workspaceId: string, phoneNumber: string): string => `scheduledCallbacks-calls:${workspaceId}:${phoneNumber}`
  return {
    promise: (workspaceId, { phoneNumber, ucid, at }) => store.sortedAdd(listOf(workspaceId, phoneNumber), ucid, Date.parse(at)),
    keep: async (workspaceId, phoneNumber) => void (await store.sortedTrim(listOf(workspaceId, phoneNumber), Number.MAX_SAFE_INTEGER)),
    async of(workspaceId, phoneNumber) {
      const list = listOf(workspaceId, phoneNumber)
      await store.sortedTrim(list, now() - shownMs)
      const scheduledCallbacks = await store.sortedRange(list, { limit: most })
      return scheduledCallbacks.map(({ member, score }) => ({ ucid: member, at: isoMoment(score) }))
    },
  }
}
