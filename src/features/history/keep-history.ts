import { clinicDayAt } from '../../kernel/clinic-day.ts'
import { loggedReason } from '../../kernel/logged-error.ts'
import type { Ports } from '../../ports/ports.ts'
import { LeaseOf } from '../../ports/stored/lease-of.ts'
import type { KnownCall } from '../calls/state/call-facts.ts'
import { readCalls, readCallsStarted } from '../calls/state/call-state-store.ts'
import { type ChangedCall, forgetChangedCalls, noteChangedCall, readChangedCalls } from '../calls/state/changed-calls.ts'
import { readMissedCalls } from '../calls/missed-calls/missed-call-store.ts'
import { workspacesWithCalls } from '../calls/state/record-queue.ts'
import type { SupervisionPorts } from '../supervision/supervision-ports.ts'
import { zonesWith } from './clinic-zones.ts'
import { openDays, readProgress, type HistoryProgress, writeProgress } from './history-store.ts'
import { type PutCall, putCalls } from './put-calls.ts'
import { rebuildHistory } from './rebuild-history.ts'

/** Longer than the clocks of two instances differ: a call that changes while it is counted is counted again. */
const quietMs = 5_000
const perRead = 250
const dayMs = 86_400_000
/** After the end of a day: most calls that go on over midnight have ended by then. */
const settleMs = 2 * 3_600_000

/** Workspaces at the same time: a slow platform delays the others only if so many are slow. */
const maxAtOnce = 4

export const historyLease = new LeaseOf({
  name: 'history-lease',
  key: (workspaceId: string) => [workspaceId],
  what: 'a count for the history under way',
})

/** Counts what changed since the last run, then reads earlier calls from the platform; for all workspaces with calls. */
export async function keepHistory(
  ports: Pick<SupervisionPorts, 'agentEntries' | 'callRecords' | 'clock' | 'configuration' | 'log' | 'store'>,
): Promise<void> {
  const waiting = (await workspacesWithCalls(ports)).values()
  const keepNext = async (): Promise<void> => {
    for (const workspaceId of waiting) {
      await keepHistoryOf(ports, workspaceId).catch((error: unknown) => {
        ports.log.warn({ workspaceId, reason: loggedReason(error) }, 'history.not-counted')
      })
    }
  }
  await Promise.all(Array.from({ length: maxAtOnce }, keepNext))
}

/** One instance at a time counts for a workspace. Errors: STORE_UNAVAILABLE. */
async function keepHistoryOf(
  ports: Pick<SupervisionPorts, 'agentEntries' | 'callRecords' | 'clock' | 'configuration' | 'log' | 'store'>,
  workspaceId: string,
): Promise<void> {
  const { timeZone } = (await ports.configuration.read(workspaceId, 'platform')).visits
  await using lease = await historyLease.acquire(ports, workspaceId, { log: ports.log })
  if (!lease) return
  const progress = await settleDays(ports, workspaceId, timeZone)
  const now = ports.clock.now()
  const place = { workspaceId, zones: progress.zones, from: now - openDays * dayMs, lost: lease.lost }
  const { calls, until } = await readChangedCalls(ports, workspaceId, now - quietMs)
  try {
    if (calls.length > 0) await putCalls(ports, place, await currentCalls(ports, workspaceId, calls))
  } catch (error) {
    if (!(await lease.update('').catch(() => false))) await noteAgain(ports, workspaceId, calls)
    throw error
  }
  // Somebody else may have counted a newer state of these calls before ours was written.
  if (!(await lease.update(''))) return noteAgain(ports, workspaceId, calls)
  if (calls.length > 0) await forgetChangedCalls(ports, workspaceId, until)
  await rebuildHistory(ports, place, progress)
}

/** Notes all calls of a day once more after its end, in case a note was lost; at first also those that are stored from before. */
async function settleDays(ports: Pick<Ports, 'clock' | 'store'>, workspaceId: string, timeZone: string): Promise<HistoryProgress> {
  const now = ports.clock.now()
  const today = clinicDayAt(now, timeZone)
  const known = await readProgress(ports, workspaceId)
  const yesterday = clinicDayAt(today.from - 1, timeZone)
  const zones = zonesWith(known?.zones ?? [], { timeZone, now })
  const isSettled = known !== null && (known.settled === yesterday.date || now < today.from + settleMs)
  if (isSettled && known.zones === zones) return known
  if (!isSettled) {
    const range = known ? yesterday : { from: yesterday.from, to: now }
    for await (const call of readCallsStarted(ports, workspaceId, range)) await noteChangedCall(ports, workspaceId, call)
  }
  const begun = known ?? { since: now, readTo: now, read: 0, readAt: now }
  const progress = { ...begun, zones, settled: isSettled ? known.settled : yesterday.date }
  await writeProgress(ports, workspaceId, progress)
  return progress
}

type Noted = Parameters<typeof noteChangedCall>[2]

async function noteAgain(ports: Pick<Ports, 'clock' | 'store'>, workspaceId: string, calls: readonly Noted[]): Promise<void> {
  for (const call of calls) await noteChangedCall(ports, workspaceId, call)
}

async function currentCalls(
  ports: Pick<Ports, 'clock' | 'store'>,
  workspaceId: string,
  changed: readonly ChangedCall[],
): Promise<readonly PutCall[]> {
  const byUcid = [...Map.groupBy(changed, ({ ucid }) => ucid)]
  const current: PutCall[] = []
  for (let at = 0; at < byUcid.length; at += perRead) {
    const some = byUcid.slice(at, at + perRead)
    const ucids = some.map(([ucid]) => ucid)
    const calls = await readCalls(ports, workspaceId, ucids)
    const missed = await readMissedOf(ports, workspaceId, { ucids, calls })
    for (const [index, [ucid, own]] of some.entries()) {
      current.push({ ucid, call: calls[index] ?? null, missed: missed.get(ucid) ?? null, starts: own.map(({ startedAt }) => startedAt) })
    }
  }
  return current
}

type Read = { readonly ucids: readonly string[]; readonly calls: readonly (KnownCall | null)[] }

async function readMissedOf(ports: Pick<Ports, 'clock' | 'store'>, workspaceId: string, { ucids, calls }: Read) {
  const wanted = ucids.filter((_, index) => (calls[index]?.phase ?? 'MISSED') === 'MISSED')
  const items = await readMissedCalls(ports, workspaceId, wanted)
  return new Map(items.flatMap((item) => (item ? [[item.ucid, { at: item.at, returnedAt: item.calledBackAt }] as const] : [])))
}
