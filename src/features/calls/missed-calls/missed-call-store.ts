import { z } from 'zod'
import { isoMoment } from '../../../kernel/clock.ts'
import { type Connection, type PageRequest, readConnection } from '../../../kernel/connection.ts'
import type { Ports } from '../../../ports/ports.ts'
import type { SortedEntry } from '../../../ports/store.ts'
import { Family } from '../../../ports/stored/family.ts'
import { SortedList, sortedPosition } from '../../../ports/stored/sorted-list.ts'
import type { CallKey } from '../state/call-state-store.ts'
import { noteChangedCall } from '../state/changed-calls.ts'
import { numberToCall } from '../state/number-to-call.ts'
import { remaining, withMissed, withoutReached, withTry, type WorklistEntry } from '../worklist-entries/entry.ts'
import {
  changeEntry,
  changePerson,
  type EntryChange,
  type EntryKey,
  entryIdOf,
  nowIn,
  readEntry,
  type WorklistStore,
} from '../worklist-entries/entry-store.ts'
import { type LastReached, noteReached, readReached } from '../worklist-entries/last-reached.ts'
import { queueTaskDone } from '../worklist-entries/task-queue.ts'

/** Missed calls, and whether somebody talked to the customer since; stored for 30 days. Errors of all functions: STORE_UNAVAILABLE. */

const missedSchema = z.object({
  ucid: z.string(),
  phoneNumber: z.string().nullable(),
  dialledNumber: z.string().nullable().default(null),
  did: z.string().nullable(),
  campaignName: z.string().nullable(),
  leadId: z.string().nullable(),
  startedAt: z.string().nullable().default(null),
  at: z.string(),
  calledBackAt: z.string().nullable(),
  /** The call that reached the customer. */
  calledBackUcid: z.string().nullable(),
  /** When an agent finished it in the worklist without a call. */
  doneAt: z.string().nullable().default(null),
})
/** An inbound call that nobody answered. */
export type MissedCallItem = z.output<typeof missedSchema>
/** A call that reached a customer: in either direction, answered `at` (ISO 8601). */
export type ReachedCustomer = LastReached & { readonly phoneNumber: string }

const thirtyDays = 30 * 86_400_000

export const missedCallItems = new Family({
  name: 'missed-call',
  key: ({ workspaceId, ucid }: CallKey) => [workspaceId, ucid],
  schema: missedSchema,
  lifetime: thirtyDays,
  about: 'call',
  what: 'a missed call: number, lead, when it was called back',
})

export const missedCalls = new SortedList({
  name: 'missed-calls',
  key: (workspaceId: string) => [workspaceId],
  lifetime: thirtyDays,
  about: 'call',
  what: 'missed calls by time',
})

export const waitingMissedCalls = new SortedList({
  name: 'missed-calls-waiting',
  key: (workspaceId: string) => [workspaceId],
  lifetime: thirtyDays,
  about: 'call',
  what: 'missed calls that nobody called back',
})

type NewMissedCall = Omit<MissedCallItem, 'dialledNumber' | 'startedAt' | 'calledBackAt' | 'calledBackUcid' | 'doneAt'> &
  Partial<Pick<MissedCallItem, 'dialledNumber' | 'startedAt'>>

/** Adds a missed call, also to the worklist. A call that is already there stays as it is, but gets a number that it lacks. */
export async function addMissedCall(ports: WorklistStore, workspaceId: string, call: NewMissedCall): Promise<void> {
  const item = { dialledNumber: null, startedAt: null, ...call }
  const { ucid } = item
  const member = { member: ucid, score: Date.parse(item.at) }
  const next = (known: MissedCallItem | null): MissedCallItem =>
    known
      ? { ...known, phoneNumber: known.phoneNumber ?? item.phoneNumber, dialledNumber: known.dialledNumber ?? item.dialledNumber }
      : { ...item, calledBackAt: null, calledBackUcid: null, doneAt: null }
  const { before, after } = await missedCallItems.change(ports, { workspaceId, ucid }, { next })
  const phoneNumber = numberToCall(after)
  const former = before && numberToCall(before)
  if (former !== null && former !== phoneNumber) await leaveEntry(ports, { workspaceId, ucid }, former)
  await missedCalls.add(ports, workspaceId, member)
  if (!isWaiting(after)) return
  await waitingMissedCalls.add(ports, workspaceId, member)
  if (phoneNumber === null) return
  await changePerson(ports, { workspaceId, phoneNumber }, (entry) => withMissed(entry, item))
  // The missed call may be reported later than the call that reached the customer.
  const reached = await readReached(ports, { workspaceId, id: entryIdOf(workspaceId, phoneNumber) })
  if (reached) await closeReached(ports, workspaceId, { ...reached, phoneNumber })
}

/** Gives a missed call without a lead, and the person in the worklist, their lead; nothing if the call is not in the list. */
export async function linkMissedCall(ports: WorklistStore, call: CallKey, leadId: string): Promise<void> {
  const item = await missedCallItems.read(ports, call)
  if (item?.leadId !== null) return
  await missedCallItems.change(ports, call, { next: (known) => ({ ...(known ?? item), leadId }) })
  const phoneNumber = numberToCall(item)
  if (phoneNumber !== null) {
    const person = { workspaceId: call.workspaceId, phoneNumber }
    await changePerson(ports, person, (entry) => ({ ...entry, leadId: entry.leadId ?? leadId }))
  }
}

/** Removes a call that was answered after all. */
export async function removeMissedCall(ports: WorklistStore, { workspaceId, ucid }: CallKey): Promise<void> {
  const item = await missedCallItems.read(ports, { workspaceId, ucid })
  if (!item) return
  await missedCalls.remove(ports, workspaceId, ucid)
  await waitingMissedCalls.remove(ports, workspaceId, ucid)
  const phoneNumber = numberToCall(item)
  if (phoneNumber !== null) await leaveEntry(ports, { workspaceId, ucid }, phoneNumber)
  await missedCallItems.delete(ports, { workspaceId, ucid })
}

async function leaveEntry(ports: WorklistStore, { workspaceId, ucid }: CallKey, phoneNumber: string): Promise<void> {
  const closed = { at: nowIn(ports), outcome: null, ucid, agentId: null }
  await changePerson(ports, { workspaceId, phoneNumber }, (entry) =>
    remaining(entry, { missed: entry.missed.filter((call) => call.ucid !== ucid), callbacks: entry.callbacks }, closed),
  )
}

/** Somebody talked to the customer: nothing that was to do before is left to do. Repeatable. */
export async function markCalledBack(ports: WorklistStore, workspaceId: string, reached: ReachedCustomer): Promise<void> {
  const { phoneNumber, ...last } = reached
  const key = { workspaceId, id: entryIdOf(workspaceId, phoneNumber) }
  await noteReached(ports, key, last)
  if (await readEntry(ports, key)) await closeReached(ports, workspaceId, reached)
}

/** Counts a call that did not reach the person. Repeatable; does nothing if the person is not in the worklist. */
export async function countTry(
  ports: WorklistStore,
  workspaceId: string,
  { phoneNumber, ...call }: { readonly phoneNumber: string; readonly ucid: string; readonly at: string },
): Promise<void> {
  const key = { workspaceId, id: entryIdOf(workspaceId, phoneNumber) }
  if (await readEntry(ports, key)) await changeEntry(ports, key, (entry) => withTry(entry, call))
}

async function closeReached(ports: WorklistStore, workspaceId: string, reached: ReachedCustomer): Promise<void> {
  const { phoneNumber, ucid, at, agentId } = reached
  const next = (entry: WorklistEntry): WorklistEntry => withoutReached(entry, reached, agentId)
  const key = { workspaceId, id: entryIdOf(workspaceId, phoneNumber) }
  await settleEntry(ports, key, { next, mark: { calledBackAt: at, calledBackUcid: ucid } })
}

type Settling = {
  readonly next: (entry: WorklistEntry) => WorklistEntry
  /** What is stored with the missed calls that leave the entry. */
  readonly mark: Partial<Pick<MissedCallItem, 'calledBackAt' | 'calledBackUcid' | 'doneAt'>>
  /** As of `changeEntry`. */
  readonly audit?: (change: EntryChange) => SortedEntry | null
}

/**
 * Changes an entry, marks the missed calls that leave it, and completes the tasks of the callbacks that leave it. These come first: after a
 * failure, a repetition still finds them in the entry. What joined the entry meanwhile is settled afterwards. Errors: NOT_FOUND, those of `next`.
 */
export async function settleEntry(ports: WorklistStore, key: EntryKey, { next, mark, audit }: Settling): Promise<EntryChange> {
  const known = await readEntry(ports, key)
  const first = known ? removedBy({ before: known, after: next(known) }) : []
  for (const reason of first) await settle(ports, key, { reason, mark })
  const change = await changeEntry(ports, key, { next, audit })
  const late = removedBy(change).filter(({ ucid, kind }) => !first.some((settled) => settled.ucid === ucid && settled.kind === kind))
  for (const reason of late) await settle(ports, key, { reason, mark })
  return change
}

type Reason = { readonly kind: 'missed' | 'callbacks'; readonly ucid: string; readonly phoneNumber: string }

function removedBy({ before, after }: EntryChange): readonly Reason[] {
  const { phoneNumber } = after
  return (['missed', 'callbacks'] as const).flatMap((kind) => {
    const removed = before[kind].filter(({ ucid }) => !after[kind].some((left) => left.ucid === ucid))
    return removed.map(({ ucid }) => ({ kind, ucid, phoneNumber }))
  })
}

type Settled = Pick<Settling, 'mark'> & { readonly reason: Reason }

async function settle(ports: Pick<Ports, 'store' | 'clock'>, { workspaceId }: EntryKey, { reason, mark }: Settled): Promise<void> {
  const { kind, ucid, phoneNumber } = reason
  if (kind === 'missed') await markItem(ports, { workspaceId, ucid }, mark)
  else await queueTaskDone(ports, { workspaceId, ucid, phoneNumber })
}

async function markItem(ports: Pick<Ports, 'store' | 'clock'>, { workspaceId, ucid }: CallKey, mark: Settling['mark']): Promise<void> {
  const item = await missedCallItems.read(ports, { workspaceId, ucid })
  if (item && isWaiting(item)) {
    await missedCallItems.change(ports, { workspaceId, ucid }, { next: (known) => ({ ...(known ?? item), ...mark }) })
    await noteChangedCall(ports, workspaceId, { ucid, startedAt: item.startedAt ?? item.at })
  }
  await waitingMissedCalls.remove(ports, workspaceId, ucid)
}

function isWaiting({ calledBackAt, doneAt }: MissedCallItem): boolean {
  return calledBackAt === null && doneAt === null
}

/** In the order of the UCIDs; null for a call that is not in the list. */
export async function readMissedCalls(
  ports: Pick<Ports, 'store'>,
  workspaceId: string,
  ucids: readonly string[],
): Promise<readonly (MissedCallItem | null)[]> {
  return missedCallItems.readMany(
    ports,
    ucids.map((ucid) => ({ workspaceId, ucid })),
  )
}

/** How many missed calls wait to be called back, and the time of the oldest. */
export async function countWaitingCalls(
  ports: Pick<Ports, 'store'>,
  workspaceId: string,
): Promise<{ readonly count: number; readonly oldestAt: string | null }> {
  const [count, [oldest]] = await Promise.all([
    waitingMissedCalls.count(ports, workspaceId),
    waitingMissedCalls.range(ports, workspaceId, { limit: 1 }),
  ])
  return { count, oldestAt: oldest ? isoMoment(oldest.score) : null }
}

/** A page, newest first. Throws also INVALID_INPUT. */
export async function listMissedCalls(
  ports: Pick<Ports, 'store'>,
  workspaceId: string,
  { waitingOnly, ...page }: PageRequest & { readonly waitingOnly: boolean },
): Promise<Connection<MissedCallItem>> {
  const list = waitingOnly ? waitingMissedCalls : missedCalls
  const read = async (ucids: readonly string[]) => {
    const items = await readMissedCalls(ports, workspaceId, ucids)
    return items.map((item) => (item && (!waitingOnly || isWaiting(item)) ? item : null))
  }
  return readConnection({ name: 'missed-calls', workspaceId, position: sortedPosition }, page, async (after, count) => ({
    entries: await list.page(ports, workspaceId, { order: -1, after, count, read }),
  }))
}
