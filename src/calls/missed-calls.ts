import { z } from 'zod'
import type { Store } from '../kernel/store.ts'
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
  /** Newest first. */
  list(workspaceId: string, page: { readonly first: number; readonly waitingOnly: boolean }): Promise<readonly MissedCallItem[]>
}

const keptMs = 30 * 86_400_000
const most = 1_000

export function createMissedCalls(store: Store, now: () => number): MissedCalls {
  const items = createStoredJson(store, { schema: missedSchema, ttlMs: keptMs })
  const itemKey = (workspaceId: string, ucid: string): string => `missed-call:${workspaceId}:${ucid}`
  const listOf = (workspaceId: string): string => `missed-calls:${workspaceId}`
  const waitingOf = (workspaceId: string, phoneNumber: string): string => `missed-calls:${workspaceId}:${phoneNumber}`

  const answer = async (workspaceId: string, ucid: string, call: { ucid: string; at: string }): Promise<number> => {
    const item = await items.read(itemKey(workspaceId, ucid))
    if (!item || item.calledBackAt !== null || item.at > call.at) return 0
    await items.write(itemKey(workspaceId, ucid), { ...item, calledBackAt: call.at, calledBackUcid: call.ucid })
    return 1
  }

  return {
    async add(workspaceId, item) {
      const score = Date.parse(item.at)
      await items.change(itemKey(workspaceId, item.ucid), (known) => known ?? { ...item, calledBackAt: null, calledBackUcid: null })
      await store.sortedAdd(listOf(workspaceId), item.ucid, score)
      if (item.phoneNumber !== null) await store.sortedAdd(waitingOf(workspaceId, item.phoneNumber), item.ucid, score)
    },
    async remove(workspaceId, ucid) {
      const item = await items.read(itemKey(workspaceId, ucid))
      if (!item) return
      await store.sortedRemove(listOf(workspaceId), ucid)
      if (item.phoneNumber !== null) await store.sortedRemove(waitingOf(workspaceId, item.phoneNumber), ucid)
      await store.delete(itemKey(workspaceId, ucid))
    },
    async calledBack(workspaceId, { phoneNumber, ...call }) {
      const waiting = await store.sortedRange(waitingOf(workspaceId, phoneNumber), { max: Date.parse(call.at), limit: most })
      const answered = await Promise.all(waiting.map(({ member }) => answer(workspaceId, member, call)))
      for (const { member } of waiting) await store.sortedRemove(waitingOf(workspaceId, phoneNumber), member)
      return answered.reduce((sum, count) => sum + count, 0)
    },
    async list(workspaceId, { first, waitingOnly }) {
      await store.sortedTrim(listOf(workspaceId), now() - keptMs)
      const members = await store.sortedRange(listOf(workspaceId), { limit: waitingOnly ? most : first, reverse: true })
      const found = await items.readMany(members.map(({ member }) => itemKey(workspaceId, member)))
      const shown = found.filter((item) => item !== null).filter((item) => !waitingOnly || item.calledBackAt === null)
      return shown.slice(0, first)
    },
  }
}
