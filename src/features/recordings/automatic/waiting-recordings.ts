import { z } from 'zod'
import { acquireLease } from '../../../ports/lease.ts'
import type { Ports } from '../../../ports/ports.ts'
import { readJson, readManyJson, writeJson } from '../../calls/stored-json.ts'
import { readRun } from '../run-lease.ts'
import type { CallKey } from '../stored-analyses.ts'
import { noUse, type SettleUse } from './daily-budget.ts'

/**
 * Recordings that wait to be analysed without a click, per workspace. A recording is in one of three lists: waiting (by the end of its call),
 * later (by the time of its next try) or taken. What a dead process has taken comes back. Errors of all functions: STORE_UNAVAILABLE.
 */

const waitingSchema = z.object({
  ucid: z.string(),
  /** The agent's record; null if the call has none. */
  agentId: z.string().nullable(),
  /** When the call ended, epoch milliseconds. */
  endedAt: z.number(),
  /** Length of the call, which is about that of its recording. */
  seconds: z.number(),
  /** Tries that have begun. */
  tries: z.int(),
  state: z.enum(['WAITING', 'FAILED']),
  /** Why it failed, or why it waits; a text for people. */
  reason: z.string().nullable(),
  /** Epoch milliseconds; null if it may be tried now. */
  retryAt: z.number().nullable(),
})
export type WaitingRecording = z.output<typeof waitingSchema>
export type TakenRecording = { readonly key: CallKey; readonly recording: WaitingRecording; readonly settle: SettleUse }

type QueuePorts = Pick<Ports, 'store' | 'clock' | 'log'>

const day = 86_400_000
const stateTtlMs = 7 * day
/** Older recordings are given up: what was said in them no longer helps the next call. */
const maxWaitDays = 3
export const maxWaiting = 2_000
const pageSize = 200
/** A recording that was taken so long ago, and that nobody analyses, belongs to a process that has died. */
const abandonedMs = 60_000
export const maxTries = 6
const workspaceList = 'recordings-workspaces'

/** Queues a recording; one that is queued or has failed stays as it is. If more than 2,000 wait, the oldest is given up. */
export async function addWaiting(
  ports: QueuePorts,
  key: CallKey,
  recording: Pick<WaitingRecording, 'ucid' | 'agentId' | 'endedAt' | 'seconds'>,
): Promise<void> {
  const { store, clock } = ports
  const { workspaceId, callId } = key
  const added: WaitingRecording = { ...recording, tries: 0, state: 'WAITING', reason: null, retryAt: null }
  if (!(await store.setIfAbsent(stateKey(key), JSON.stringify(added), { ttlMs: stateTtlMs }))) {
    // Perhaps a crash came before the list was written.
    const known = await readJson(store, stateKey(key), waitingSchema)
    if (known?.state !== 'WAITING' || known.tries > 0) return
  }
  await store.sortedAdd(workspaceList, workspaceId, clock.now())
  await store.sortedAdd(waitingList(workspaceId), callId, recording.endedAt)
  const tooMany = await store.sortedRange(waitingList(workspaceId), { reverse: true, offset: maxWaiting, limit: pageSize })
  for (const { member } of tooMany) await giveUp(ports, { workspaceId, callId: member }, `More than ${maxWaiting} newer recordings wait`)
}

/** Workspaces in which recordings were queued lately. */
export async function workspacesWithRecordings({ store, clock }: Pick<Ports, 'store' | 'clock'>): Promise<readonly string[]> {
  await store.sortedTrim(workspaceList, clock.now() - (maxWaitDays + 1) * day)
  return (await store.sortedRange(workspaceList, { limit: 10_000 })).map(({ member }) => member)
}

/** At most 2,000 of each. */
export async function countWaiting(
  { store }: Pick<Ports, 'store'>,
  workspaceId: string,
): Promise<{ readonly waiting: number; readonly later: number }> {
  const lists = [waitingList(workspaceId), laterList(workspaceId)]
  const [waiting = [], later = []] = await Promise.all(lists.map((list) => store.sortedRange(list, { limit: maxWaiting })))
  return { waiting: waiting.length, later: later.length }
}

/** In the order of the ids; null for a recording that is not queued and has not failed. */
export async function readWaiting(
  { store }: Pick<Ports, 'store'>,
  workspaceId: string,
  callIds: readonly string[],
): Promise<readonly (WaitingRecording | null)[]> {
  return readManyJson(
    store,
    callIds.map((callId) => stateKey({ workspaceId, callId })),
    waitingSchema,
  )
}

/** Reserves what the analysis of a recording needs; null if there is not so much. */
export type Reserve = (recording: WaitingRecording) => Promise<SettleUse | null>

/**
 * Takes the newest recording for which enough could be reserved; null if there is none, or if another instance is taking one.
 * `openBudget` returns null if nothing can be reserved at present.
 */
export async function takeWaiting(
  ports: QueuePorts,
  workspaceId: string,
  openBudget: () => Promise<Reserve | null>,
): Promise<TakenRecording | null> {
  if (!(await hasWork(ports, workspaceId))) return null
  await using lease = await acquireLease(ports.store, `recordings-taking:${workspaceId}`, { log: ports.log })
  if (!lease) return null
  await recoverAbandoned(ports, workspaceId)
  await returnDue(ports, workspaceId)
  await expireOld(ports, workspaceId)
  const reserve = await openBudget()
  if (!reserve) return null
  for (let offset = 0; offset < maxWaiting; offset += pageSize) {
    const page = await ports.store.sortedRange(waitingList(workspaceId), { reverse: true, limit: pageSize, offset })
    const callIds = page.map(({ member }) => member)
    const taken = await takeFromPage(ports, { workspaceId, callIds }, reserve)
    if (taken || page.length < pageSize) return taken
  }
  return null
}

async function takeFromPage(
  ports: QueuePorts,
  { workspaceId, callIds }: { readonly workspaceId: string; readonly callIds: readonly string[] },
  reserve: Reserve,
): Promise<TakenRecording | null> {
  const { store, clock } = ports
  const found = await readWaiting(ports, workspaceId, callIds)
  for (const [index, callId] of callIds.entries()) {
    const key = { workspaceId, callId }
    const known = found[index]
    if (known?.state !== 'WAITING') {
      await store.sortedRemove(waitingList(workspaceId), callId)
      continue
    }
    const settle = await reserve(known)
    if (!settle) continue
    const recording = { ...known, tries: known.tries + 1, retryAt: null }
    try {
      await store.sortedAdd(takenList(workspaceId), callId, clock.now())
      await write(ports, key, recording)
      await store.sortedRemove(waitingList(workspaceId), callId)
    } catch (error) {
      await settle(noUse).catch(() => undefined)
      throw error
    }
    return { key, recording, settle }
  }
  return null
}

/** Removes a recording that is analysed. */
export async function removeTaken({ store }: Pick<Ports, 'store'>, key: CallKey): Promise<void> {
  await store.delete(stateKey(key))
  await store.sortedRemove(takenList(key.workspaceId), key.callId)
}

/** Puts a recording back; it is due in `delayMs`. `isCounted`: whether this try counts against the number of tries. */
export async function putBack(
  ports: QueuePorts,
  { key, recording }: Pick<TakenRecording, 'key' | 'recording'>,
  { reason, delayMs, isCounted }: { readonly reason: string | null; readonly delayMs: number; readonly isCounted: boolean },
): Promise<void> {
  const { store, clock } = ports
  const { workspaceId, callId } = key
  const retryAt = clock.now() + delayMs
  const tries = isCounted ? recording.tries : recording.tries - 1
  await write(ports, key, { ...recording, tries, reason, retryAt: delayMs === 0 ? null : retryAt })
  await store.sortedAdd(laterList(workspaceId), callId, retryAt)
  await store.sortedRemove(takenList(workspaceId), callId)
}

/** No further try; the reason can be read for a week. */
export async function giveUp(ports: QueuePorts, key: CallKey, reason: string): Promise<void> {
  const { store } = ports
  const known = await readJson(store, stateKey(key), waitingSchema)
  if (known) await write(ports, key, { ...known, state: 'FAILED', reason, retryAt: null })
  for (const list of [waitingList, takenList]) await store.sortedRemove(list(key.workspaceId), key.callId)
}

/** Reads only, so that an empty queue costs little. */
async function hasWork({ store, clock }: QueuePorts, workspaceId: string): Promise<boolean> {
  const first = await Promise.all([
    store.sortedRange(waitingList(workspaceId), { limit: 1 }),
    store.sortedRange(laterList(workspaceId), { max: clock.now(), limit: 1 }),
    store.sortedRange(takenList(workspaceId), { max: clock.now() - abandonedMs, limit: 1 }),
  ])
  return first.some((members) => members.length > 0)
}

async function recoverAbandoned(ports: QueuePorts, workspaceId: string): Promise<void> {
  const { store, clock } = ports
  const taken = await store.sortedRange(takenList(workspaceId), { max: clock.now() - abandonedMs, limit: pageSize })
  for (const { member } of taken) {
    const key = { workspaceId, callId: member }
    if (await readRun(store, key)) continue
    const known = await readJson(store, stateKey(key), waitingSchema)
    if (known && known.tries >= maxTries) await giveUp(ports, key, `The service ended during each of ${known.tries} tries`)
    else if (known) await store.sortedAdd(waitingList(workspaceId), member, known.endedAt)
    await store.sortedRemove(takenList(workspaceId), member)
  }
}

async function returnDue(ports: QueuePorts, workspaceId: string): Promise<void> {
  const { store, clock } = ports
  const due = await store.sortedRange(laterList(workspaceId), { max: clock.now(), limit: pageSize })
  for (const { member } of due) {
    const known = await readJson(store, stateKey({ workspaceId, callId: member }), waitingSchema)
    if (known) await store.sortedAdd(waitingList(workspaceId), member, known.endedAt)
    await store.sortedRemove(laterList(workspaceId), member)
  }
}

async function expireOld(ports: QueuePorts, workspaceId: string): Promise<void> {
  const max = ports.clock.now() - maxWaitDays * day
  const old = await ports.store.sortedRange(waitingList(workspaceId), { max, limit: maxWaiting })
  for (const { member } of old) await giveUp(ports, { workspaceId, callId: member }, `It was not analysed within ${maxWaitDays} days`)
}

function write({ store }: Pick<Ports, 'store'>, key: CallKey, value: WaitingRecording): Promise<void> {
  return writeJson(store, stateKey(key), { value, ttlMs: stateTtlMs })
}

const stateKey = ({ workspaceId, callId }: CallKey): string => `recording-waiting:${workspaceId}:${callId}`
const waitingList = (workspaceId: string): string => `recordings-waiting:${workspaceId}`
const laterList = (workspaceId: string): string => `recordings-later:${workspaceId}`
const takenList = (workspaceId: string): string => `recordings-taken:${workspaceId}`
