import { addCallFacts, readCallsStarted } from '../calls/call-state-store.ts'
import { factsOf, type KnownCall } from '../calls/call-facts.ts'
import { addMissedCall, markCalledBack } from '../calls/missed-calls.ts'
import type { CallRecords, PlatformCall } from '../../ports/call-records.ts'
import { factsOfRecord } from '../calls/facts-of-record.ts'
import { type Clock, isoMoment } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import type { Notifications } from '../../ports/notifications.ts'
import { asService } from '../../ports/record-access.ts'
import type { Store } from '../../ports/store.ts'
import { daysCallsTopic } from './workspace-stats.ts'
import type { ClinicDay } from './clinic-day.ts'

export type RebuildDayDeps = {
  readonly calls: CallRecords
  readonly store: Store
  readonly notifications: Notifications
  readonly clock: Clock
  readonly now: () => number
}

/** Whether all of a day's calls are counted here, and what to do where they are not. Errors of all methods: STORE_UNAVAILABLE. */
export interface DayRecords {
  /** From the first time on what is heard of the workspace's calls is kept here. */
  noteKeeping(workspaceId: string): Promise<void>
  isComplete(workspaceId: string, day: ClinicDay): Promise<boolean>
  /**
   * Reads the day's calls from the platform with the workspace's API key, where what we kept does not reach back to its beginning. What is
   * read stands behind everything that was heard of a call, so it does not matter what is heard meanwhile. One instance at a time; what
   * was broken off goes on where it was. Errors: as the platform's.
   */
  rebuild(workspaceId: string, day: ClinicDay): Promise<void>
}

const keptForMs = 400 * 86_400_000
const doneForMs = 3 * 86_400_000
/** Longer than one page takes, its waiting for the API key's limit included. */
const turnMs = 120_000
const perPage = 200
/** A record that says so of an older call was left behind. */
const longestOpenMs = 4 * 3_600_000

export function createDayRecords(deps: RebuildDayDeps): DayRecords {
  const { store, now } = deps
  const keptSinceKey = (workspaceId: string): string => `supervision-kept-since:${workspaceId}`
  const turnKey = (workspaceId: string): string => `supervision-rebuilding:${workspaceId}`
  const doneKey = (workspaceId: string, { date, timeZone }: ClinicDay, since: number): string =>
    `supervision-rebuilt:${workspaceId}:${date}:${timeZone}:${since}`
  const placeKey = (workspaceId: string, { date }: ClinicDay): string => `supervision-rebuild-place:${workspaceId}:${date}`

  const keptSince = async (workspaceId: string): Promise<number> => {
    const known = await store.get(keptSinceKey(workspaceId))
    if (known !== null) return Number(known)
    await store.setIfAbsent(keptSinceKey(workspaceId), String(now()), { ttlMs: keptForMs })
    return Number((await store.get(keptSinceKey(workspaceId))) ?? now())
  }
  const isComplete: DayRecords['isComplete'] = async (workspaceId, day) => {
    const since = await keptSince(workspaceId)
    return since <= day.from || (await store.get(doneKey(workspaceId, day, since))) !== null
  }

  const readPages = async (workspaceId: string, day: ClinicDay, keepTurn: () => Promise<boolean>): Promise<boolean> => {
    let before = (await store.get(placeKey(workspaceId, day))) ?? isoMoment(day.to)
    while (await keepTurn()) {
      const range = { from: isoMoment(day.from), to: before }
      const page = await deps.calls.began(asService(workspaceId, 'INSIGHTS'), range, perPage)
      for (const record of page) await addRecord(deps, workspaceId, record)
      const oldest = page.at(-1)?.startedAt ?? null
      if (page.length < perPage || oldest === null || oldest === before) return true
      before = oldest
      await store.set(placeKey(workspaceId, day), before, { ttlMs: doneForMs })
    }
    return false
  }

  return {
    noteKeeping: async (workspaceId) => void (await keptSince(workspaceId)),
    isComplete,
    async rebuild(workspaceId, day) {
      if (await isComplete(workspaceId, day)) return
      const since = await keptSince(workspaceId)
      const holder = newId()
      if (!(await store.setIfAbsent(turnKey(workspaceId), holder, { ttlMs: turnMs }))) return
      try {
        const keepTurn = () => store.compareAndSet(turnKey(workspaceId), { expected: holder, value: holder, ttlMs: turnMs })
        if (!(await readPages(workspaceId, day, keepTurn))) return
        await recallMissed(deps, workspaceId, await readCallsStarted(deps, workspaceId, day))
        await store.set(doneKey(workspaceId, day, since), '1', { ttlMs: doneForMs })
        await store.delete(placeKey(workspaceId, day))
      } finally {
        await store.compareAndDelete(turnKey(workspaceId), holder)
        await deps.notifications.publish({ topic: daysCallsTopic, workspaceId, payload: '' })
      }
    },
  }
}

/** Below all that was heard of the call: the same two always make the same call. */
async function addRecord(deps: RebuildDayDeps, workspaceId: string, record: PlatformCall): Promise<void> {
  const { ucid, startedAt, endedAt } = record
  if (ucid === null || startedAt === null) return
  if (endedAt === null && deps.now() - Date.parse(startedAt) > longestOpenMs) return
  await addCallFacts(deps, { workspaceId, ucid }, factsOf(factsOfRecord(record), { source: 'GUESSED', receivedAt: 0 }))
}

/** Who was missed today and not called back since waits again. */
async function recallMissed(deps: RebuildDayDeps, workspaceId: string, calls: readonly KnownCall[]): Promise<void> {
  for (const { ucid, phase, direction, phoneNumber, did, campaignName, leadId, startedAt, endedAt } of calls) {
    const at = endedAt ?? startedAt
    if (phase !== 'MISSED' || direction !== 'INBOUND' || at === null) continue
    await addMissedCall(deps, workspaceId, { ucid, phoneNumber, did, campaignName, leadId, at })
  }
  for (const { ucid, direction, answeredAt, phoneNumber } of calls) {
    if (direction !== 'OUTBOUND' || answeredAt === null || phoneNumber === null) continue
    await markCalledBack(deps, workspaceId, { ucid, phoneNumber, at: answeredAt })
  }
}
