import { z } from 'zod'
import { isoMoment } from '../../kernel/clock.ts'
import type { Ports } from '../../ports/ports.ts'
import type { CallKey } from './call-state-store.ts'
import { changeJson, readJson, readManyJson, writeJson } from './stored-json.ts'

/** Missed calls, and whether the customer was called back; stored for 30 days. Errors of all functions: STORE_UNAVAILABLE. */

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
/** An inbound call that nobody answered. */
export type MissedCallItem = z.output<typeof missedSchema>
/** An outbound call that reached a customer. `at`: ISO 8601. */
export type ReachedCustomer = { readonly phoneNumber: string; readonly ucid: string; readonly at: string }

const ttlMs = 30 * 86_400_000
/** Of one number. */
const maxPerNumber = 1_000
const maxCounted = 10_000

/** Adds a missed call. A call that is already there stays as it is. */
export async function addMissedCall(
  { store }: Pick<Ports, 'store'>,
  workspaceId: string,
  item: Omit<MissedCallItem, 'calledBackAt' | 'calledBackUcid'>,
): Promise<void> {
  const score = Date.parse(item.at)
  const next = (known: MissedCallItem | null): MissedCallItem => known ?? { ...item, calledBackAt: null, calledBackUcid: null }
  const { after } = await changeJson(store, itemKey(workspaceId, item.ucid), { schema: missedSchema, ttlMs, next })
  await store.sortedAdd(allList(workspaceId), item.ucid, score)
  if (after.calledBackAt !== null) return
  await store.sortedAdd(waitingList(workspaceId), item.ucid, score)
  if (item.phoneNumber !== null) await store.sortedAdd(numberList(workspaceId, item.phoneNumber), item.ucid, score)
}

/** Gives a missed call without a lead its lead; nothing if the call is not in the list. */
export async function linkMissedCall({ store }: Pick<Ports, 'store'>, { workspaceId, ucid }: CallKey, leadId: string): Promise<void> {
  const key = itemKey(workspaceId, ucid)
  const item = await readJson(store, key, missedSchema)
  if (item?.leadId !== null) return
  await changeJson(store, key, { schema: missedSchema, ttlMs, next: (known) => ({ ...(known ?? item), leadId }) })
}

/** Removes a call that was answered after all. */
export async function removeMissedCall({ store }: Pick<Ports, 'store'>, { workspaceId, ucid }: CallKey): Promise<void> {
  const item = await readJson(store, itemKey(workspaceId, ucid), missedSchema)
  if (!item) return
  await store.sortedRemove(allList(workspaceId), ucid)
  await store.sortedRemove(waitingList(workspaceId), ucid)
  if (item.phoneNumber !== null) await store.sortedRemove(numberList(workspaceId, item.phoneNumber), ucid)
  await store.delete(itemKey(workspaceId, ucid))
}

/** Marks all earlier missed calls of the number as called back. */
export async function markCalledBack(ports: Pick<Ports, 'store'>, workspaceId: string, reached: ReachedCustomer): Promise<void> {
  const { store } = ports
  const list = numberList(workspaceId, reached.phoneNumber)
  const waiting = await store.sortedRange(list, { max: Date.parse(reached.at), limit: maxPerNumber })
  await Promise.all(waiting.map(({ member }) => markOne(ports, { workspaceId, ucid: member }, reached)))
  for (const { member } of waiting) await store.sortedRemove(list, member)
}

async function markOne({ store }: Pick<Ports, 'store'>, { workspaceId, ucid }: CallKey, reached: ReachedCustomer): Promise<void> {
  const item = await readJson(store, itemKey(workspaceId, ucid), missedSchema)
  if (!item || item.calledBackAt !== null || item.at > reached.at) return
  const value: MissedCallItem = { ...item, calledBackAt: reached.at, calledBackUcid: reached.ucid }
  await writeJson(store, itemKey(workspaceId, ucid), { value, ttlMs })
  await store.sortedRemove(waitingList(workspaceId), ucid)
}

/** How many missed calls wait to be called back (at most 10,000), and the time of the oldest. */
export async function countWaitingCalls(
  { store, clock }: Pick<Ports, 'store' | 'clock'>,
  workspaceId: string,
): Promise<{ readonly count: number; readonly oldestAt: string | null }> {
  await store.sortedTrim(waitingList(workspaceId), clock.now() - ttlMs)
  const waiting = await store.sortedRange(waitingList(workspaceId), { limit: maxCounted })
  const [oldest] = waiting
  return { count: waiting.length, oldestAt: oldest ? isoMoment(oldest.score) : null }
}

export type MissedCallPage = { readonly first: number; readonly waitingOnly: boolean }

/** Newest first. */
export async function listMissedCalls(
  { store, clock }: Pick<Ports, 'store' | 'clock'>,
  workspaceId: string,
  { first, waitingOnly }: MissedCallPage,
): Promise<readonly MissedCallItem[]> {
  const list = waitingOnly ? waitingList(workspaceId) : allList(workspaceId)
  await store.sortedTrim(list, clock.now() - ttlMs)
  const members = await store.sortedRange(list, { limit: first, reverse: true })
  const keys = members.map(({ member }) => itemKey(workspaceId, member))
  const found = await readManyJson(store, keys, missedSchema)
  return found.filter((item) => item !== null).filter((item) => !waitingOnly || item.calledBackAt === null)
}

const itemKey = (workspaceId: string, ucid: string): string => `missed-call:${workspaceId}:${ucid}`
const allList = (workspaceId: string): string => `missed-calls:${workspaceId}`
const waitingList = (workspaceId: string): string => `missed-calls-waiting:${workspaceId}`
const numberList = (workspaceId: string, phoneNumber: string): string => `missed-calls:${workspaceId}:${phoneNumber}`
