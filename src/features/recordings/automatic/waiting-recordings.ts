import { z } from 'zod'
import type { Ports } from '../../../ports/ports.ts'
import { Family } from '../../../ports/stored/family.ts'
import { LeaseOf } from '../../../ports/stored/lease-of.ts'
import { SortedList } from '../../../ports/stored/sorted-list.ts'
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
const week = 7 * day
/** Older recordings are given up: what was said in them no longer helps the next call. */
const maxWaitDays = 3
export const maxWaiting = 2_000
const pageSize = 200
/** A recording that was taken so long ago, and that nobody analyses, belongs to a process that has died. */
const abandonedMs = 60_000
export const maxTries = 6

const byWorkspace = (workspaceId: string): readonly string[] => [workspaceId]

export const waitingStates = new Family({
  name: 'recording-waiting',
  key: ({ workspaceId, callId }: CallKey) => [workspaceId, callId],
  schema: waitingSchema,
  lifetime: week,
  about: 'call',
  what: 'a recording to be analysed',
})

export const waitingRecordings = new SortedList({
  name: 'recordings-waiting',
  key: byWorkspace,
  lifetime: week,
  about: 'call',
  what: 'recordings to be analysed, by the end of the call',
})

export const laterRecordings = new SortedList({
  name: 'recordings-later',
  key: byWorkspace,
  lifetime: week,
  about: 'call',
  what: 'recordings to be tried again',
})

export const takenRecordings = new SortedList({
  name: 'recordings-taken',
  key: byWorkspace,
  lifetime: week,
  about: 'call',
  what: 'recordings that are being analysed',
})

export const recordingWorkspaces = new SortedList({
  name: 'recordings-workspaces',
  scope: 'installation',
  key: () => [],
  lifetime: week,
  about: 'workspace',
  what: 'workspaces with recordings to be analysed',
})

export const takingLease = new LeaseOf({
  name: 'recordings-taking',
  key: byWorkspace,
  what: 'a choice of recordings under way',
})

/** Queues a recording; one that is queued or has failed stays as it is. If more than 2,000 wait, the oldest is given up. */
export async function addWaiting(
  ports: QueuePorts,
  key: CallKey,
  recording: Pick<WaitingRecording, 'ucid' | 'agentId' | 'endedAt' | 'seconds'>,
): Promise<void> {
  const { workspaceId, callId } = key
  const added: WaitingRecording = { ...recording, tries: 0, state: 'WAITING', reason: null, retryAt: null }
  if (!(await waitingStates.writeNew(ports, key, { value: added }))) {
    // Perhaps a crash came before the list was written.
    const known = await waitingStates.read(ports, key)
    if (known?.state !== 'WAITING' || known.tries > 0) return
  }
  await recordingWorkspaces.add(ports, null, { member: workspaceId, score: ports.clock.now() })
  await waitingRecordings.add(ports, workspaceId, { member: callId, score: recording.endedAt })
  const tooMany = await waitingRecordings.range(ports, workspaceId, { reverse: true, offset: maxWaiting, limit: pageSize })
  for (const { member } of tooMany) await giveUp(ports, { workspaceId, callId: member }, `More than ${maxWaiting} newer recordings wait`)
}

/** Workspaces in which recordings were queued lately. */
export async function workspacesWithRecordings(ports: Pick<Ports, 'store' | 'clock'>): Promise<readonly string[]> {
  await recordingWorkspaces.trim(ports, null, ports.clock.now() - (maxWaitDays + 1) * day)
  return (await recordingWorkspaces.range(ports, null, { limit: 10_000 })).map(({ member }) => member)
}

/** At most 2,000 of each. */
export async function countWaiting(
  ports: Pick<Ports, 'store'>,
  workspaceId: string,
): Promise<{ readonly waiting: number; readonly later: number }> {
  const lists = [waitingRecordings, laterRecordings]
  const [waiting = [], later = []] = await Promise.all(lists.map((list) => list.range(ports, workspaceId, { limit: maxWaiting })))
  return { waiting: waiting.length, later: later.length }
}

/** In the order of the ids; null for a recording that is not queued and has not failed. */
export async function readWaiting(
  ports: Pick<Ports, 'store'>,
  workspaceId: string,
  callIds: readonly string[],
): Promise<readonly (WaitingRecording | null)[]> {
  return waitingStates.readMany(
    ports,
    callIds.map((callId) => ({ workspaceId, callId })),
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
  await using lease = await takingLease.acquire(ports, workspaceId, { log: ports.log })
  if (!lease) return null
  await recoverAbandoned(ports, workspaceId)
  await returnDue(ports, workspaceId)
  await expireOld(ports, workspaceId)
  const reserve = await openBudget()
  if (!reserve) return null
  for (let offset = 0; offset < maxWaiting; offset += pageSize) {
    const page = await waitingRecordings.range(ports, workspaceId, { reverse: true, limit: pageSize, offset })
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
  const found = await readWaiting(ports, workspaceId, callIds)
  for (const [index, callId] of callIds.entries()) {
    const key = { workspaceId, callId }
    const known = found[index]
    if (known?.state !== 'WAITING') {
      await waitingRecordings.remove(ports, workspaceId, callId)
      continue
    }
    const settle = await reserve(known)
    if (!settle) continue
    const recording = { ...known, tries: known.tries + 1, retryAt: null }
    try {
      await takenRecordings.add(ports, workspaceId, { member: callId, score: ports.clock.now() })
      await waitingStates.write(ports, key, { value: recording })
      await waitingRecordings.remove(ports, workspaceId, callId)
    } catch (error) {
      await settle(noUse).catch(() => undefined)
      throw error
    }
    return { key, recording, settle }
  }
  return null
}

/** Removes a recording that is analysed. */
export async function removeTaken(ports: Pick<Ports, 'store'>, key: CallKey): Promise<void> {
  await waitingStates.delete(ports, key)
  await takenRecordings.remove(ports, key.workspaceId, key.callId)
}

/** Puts a recording back; it is due in `delayMs`. `isCounted`: whether this try counts against the number of tries. */
export async function putBack(
  ports: QueuePorts,
  { key, recording }: Pick<TakenRecording, 'key' | 'recording'>,
  { reason, delayMs, isCounted }: { readonly reason: string | null; readonly delayMs: number; readonly isCounted: boolean },
): Promise<void> {
  const { workspaceId, callId } = key
  const retryAt = ports.clock.now() + delayMs
  const tries = isCounted ? recording.tries : recording.tries - 1
  await waitingStates.write(ports, key, { value: { ...recording, tries, reason, retryAt: delayMs === 0 ? null : retryAt } })
  await laterRecordings.add(ports, workspaceId, { member: callId, score: retryAt })
  await takenRecordings.remove(ports, workspaceId, callId)
}

/** No further try; the reason can be read for a week. */
export async function giveUp(ports: QueuePorts, key: CallKey, reason: string): Promise<void> {
  const known = await waitingStates.read(ports, key)
  if (known) await waitingStates.write(ports, key, { value: { ...known, state: 'FAILED', reason, retryAt: null } })
  for (const list of [waitingRecordings, takenRecordings]) await list.remove(ports, key.workspaceId, key.callId)
}

/** Reads only, so that an empty queue costs little. */
async function hasWork(ports: QueuePorts, workspaceId: string): Promise<boolean> {
  const now = ports.clock.now()
  const first = await Promise.all([
    waitingRecordings.range(ports, workspaceId, { limit: 1 }),
    laterRecordings.range(ports, workspaceId, { max: now, limit: 1 }),
    takenRecordings.range(ports, workspaceId, { max: now - abandonedMs, limit: 1 }),
  ])
  return first.some((members) => members.length > 0)
}

async function recoverAbandoned(ports: QueuePorts, workspaceId: string): Promise<void> {
  const taken = await takenRecordings.range(ports, workspaceId, { max: ports.clock.now() - abandonedMs, limit: pageSize })
  for (const { member } of taken) {
    const key = { workspaceId, callId: member }
    if (await readRun(ports.store, key)) continue
    const known = await waitingStates.read(ports, key)
    if (known && known.tries >= maxTries) await giveUp(ports, key, `The service ended during each of ${known.tries} tries`)
    else if (known) await waitingRecordings.add(ports, workspaceId, { member, score: known.endedAt })
    await takenRecordings.remove(ports, workspaceId, member)
  }
}

async function returnDue(ports: QueuePorts, workspaceId: string): Promise<void> {
  const due = await laterRecordings.range(ports, workspaceId, { max: ports.clock.now(), limit: pageSize })
  for (const { member } of due) {
    const known = await waitingStates.read(ports, { workspaceId, callId: member })
    if (known) await waitingRecordings.add(ports, workspaceId, { member, score: known.endedAt })
    await laterRecordings.remove(ports, workspaceId, member)
  }
}

async function expireOld(ports: QueuePorts, workspaceId: string): Promise<void> {
  const max = ports.clock.now() - maxWaitDays * day
  const old = await waitingRecordings.range(ports, workspaceId, { max, limit: maxWaiting })
  for (const { member } of old) await giveUp(ports, { workspaceId, callId: member }, `It was not analysed within ${maxWaitDays} days`)
}
