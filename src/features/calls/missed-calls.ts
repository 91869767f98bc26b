import { z } from 'zod'
import { isoMoment } from '../../kernel/clock.ts'
import type { Store } from '../../ports/store.ts'
import { createStoredJson } from './stored-json.ts'

const missedSchema = z.object({
  ucid: z.string(),
  phoneNumber: z.string().nullable(),
  did: z.string().nullable(),
  campaignName: z.string().nullable(),
  leadId: z.string().nullable(),
  at: z.string(),
  calledBackAt: z.string().nullable(),
  /** The call that reached the customer. */
  calledBackUcid: z.string().nullable(),
})
/** An inbound call that nobody took. */
export type MissedCallItem = z.output<typeof missedSchema>

/** Missed calls and whether the customer was called back; kept for 30 days. Errors of all methods: STORE_UNAVAILABLE. */
export interface MissedCalls {
  /** One item per call; one that stands stays as it is. */
  add(workspaceId: string, item: Omit<MissedCallItem, 'calledBackAt' | 'calledBackUcid'>): Promise<void>
  /** It turned out to have been answered. */
  remove(workspaceId: string, ucid: string): Promise<void>
  /** An outbound call reached the number: all its missed calls from before are called back. Answers how many were. */
  calledBack(workspaceId: string, call: { readonly phoneNumber: string; readonly ucid: string; readonly at: string }): Promise<number>
  /** How many callers wait to be called back, at most 10,000, and since when the first of them does. */
  waiting(workspaceId: string): Promise<{ readonly count: number; readonly oldestAt: string | null }>
  /** Newest first. */
  list(workspaceId: string, page: { readonly first: number; readonly waitingOnly: boolean }): Promise<readonly MissedCallItem[]>
}

const keptMs = 30 * 86_400_000
const most = 1_000
const mostCounted = 10_000

export function createMissedCalls(store: Store, now: () => number): MissedCalls {
  const items = createStoredJson(store, { schema: missedSchema, ttlMs: keptMs })
  const itemKey = (workspaceId: string, ucid: string): string => `missed-call:${workspaceId}:${ucid}`
  const listOf = (workspaceId: string): string => `missed-calls:${workspaceId}`
  const waitingList = (workspaceId: string): string => `missed-calls-waiting:${workspaceId}`
  const waitingOf = (workspaceId: string, phoneNumber: string): string => `missed-calls:${workspaceId}:${phoneNumber}`

  const answer = async (workspaceId: string, ucid: string, call: { ucid: string; at: string }): Promise<number> => {
    const item = await items.read(itemKey(workspaceId, ucid))
    if (!item || item.calledBackAt !== null || item.at > call.at) return 0
    await items.write(itemKey(workspaceId, ucid), { ...item, calledBackAt: call.at, calledBackUcid: call.ucid })
    await store.sortedRemove(waitingList(workspaceId), ucid)
    return 1
  }

  return {
    async add(workspaceId, item) {
      const score = Date.parse(item.at)
      const fresh = { ...item, calledBackAt: null, calledBackUcid: null }
      const { after } = await items.change(itemKey(workspaceId, item.ucid), (known) => known ?? fresh)
      await store.sortedAdd(listOf(workspaceId), item.ucid, score)
      if (after.calledBackAt !== null) return
      await store.sortedAdd(waitingList(workspaceId), item.ucid, score)
      if (item.phoneNumber !== null) await store.sortedAdd(waitingOf(workspaceId, item.phoneNumber), item.ucid, score)
    },
    async remove(workspaceId, ucid) {
      const item = await items.read(itemKey(workspaceId, ucid))
      if (!item) return
      await store.sortedRemove(listOf(workspaceId), ucid)
      await store.sortedRemove(waitingList(workspaceId), ucid)
      if (item.phoneNumber !== null) await store.sortedRemove(waitingOf(workspaceId, item.phoneNumber), ucid)
      await store.delete(itemKey(workspaceId, ucid))
    },
    async calledBack(workspaceId, { phoneNumber, ...call }) {
      const waiting = await store.sortedRange(waitingOf(workspaceId, phoneNumber), { max: Date.parse(call.at), limit: most })
      const answered = await Promise.all(waiting.map(({ member }) => answer(workspaceId, member, call)))
      for (const { member } of waiting) await store.sortedRemove(waitingOf(workspaceId, phoneNumber), member)
      return answered.reduce((sum, count) => sum + count, 0)
    },
    async waiting(workspaceId) {
      await store.sortedTrim(waitingList(workspaceId), now() - keptMs)
      const waiting = await store.sortedRange(waitingList(workspaceId), { limit: mostCounted })
      const [oldest] = waiting
      return { count: waiting.length, oldestAt: oldest ? isoMoment(oldest.score) : null }
    },
    async list(workspaceId, { first, waitingOnly }) {
      const list = waitingOnly ? waitingList(workspaceId) : listOf(workspaceId)
      await store.sortedTrim(list, now() - keptMs)
      const members = await store.sortedRange(list, { limit: first, reverse: true })
      const found = await items.readMany(members.map(({ member }) => itemKey(workspaceId, member)))
      return found.filter((item) => item !== null).filter((item) => !waitingOnly || item.calledBackAt === null)
    },
  }
}
