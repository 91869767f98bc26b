import { readCalls, readCallsStarted, readLiveCalls } from '../calls/state/call-state-store.ts'
import type { KnownCall } from '../calls/state/call-facts.ts'
import { callTopic } from '../calls/state/update-call.ts'
import type { Ports } from '../../ports/ports.ts'
import { type CallCounters, createCallCounters } from './call-counters.ts'
import { type ClinicDay, clinicDayAt } from '../../kernel/clinic-day.ts'
import { readCompleteness } from './day-completeness.ts'

/** A workspace's calls of today and its live calls, as this process counts them. */
export type DailyStats = Disposable & {
  /** Includes every change that was notified before. One read at a time. Errors: STORE_UNAVAILABLE. */
  read(timeZone: string): Promise<DailyStatsView>
  /** Some changes may be missing: the next read loads all calls again. */
  invalidate(): void
}

/** `isComplete`: whether the counters have all calls of the day. `live`: by start. */
export type DailyStatsView = {
  readonly day: ClinicDay
  readonly isComplete: boolean
  readonly counters: CallCounters
  readonly live: readonly KnownCall[]
}

export type StatsPorts = Pick<Ports, 'store' | 'clock' | 'notifications'>

/** Then all calls are loaded again, because a notification may be lost without anybody noticing. */
const maxAgeMs = 15 * 60_000
const maxCallMs = 12 * 3_600_000
const readBatch = 250
/** Loading all calls is faster than reading more changes than this. */
const maxChanges = 5_000
/** Later facts may correct the start of a call. */
const startToleranceMs = 60_000

type Loaded = {
  readonly day: ClinicDay
  /** Of the store, before it was loaded. */
  readonly isComplete: boolean
  readonly counters: CallCounters
  readonly live: Map<string, KnownCall>
  readonly loadedAt: number
  /** The number of invalidations before it was loaded. */
  readonly generation: number
}

/** All instances count the same stored calls. The day's calls are loaded once; after that only calls with a notification are read again. */
export function createDailyStats(ports: StatsPorts, workspaceId: string): DailyStats {
  const { notifications, clock } = ports
  const subscriptions = new DisposableStack()
  const changed = new Set<string>()
  let loaded: Loaded | null = null
  let generation = 0
  const invalidate = (): void => void (generation += 1)
  const addChange = (ucid: string): void => {
    if (changed.size < maxChanges) return void changed.add(ucid)
    changed.clear()
    invalidate()
  }
  subscriptions.use(
    notifications.subscribe(
      callTopic,
      (notification) => void (notification.workspaceId === workspaceId && addChange(notification.payload)),
    ),
  )
  subscriptions.use(notifications.onGap(invalidate))

  return {
    async read(timeZone) {
      const day = clinicDayAt(clock.now(), timeZone)
      const { isComplete } = await readCompleteness(ports, { workspaceId, day })
      // A day is called complete only with counters that were loaded after it was: the notification of that comes later.
      if (loaded?.generation !== generation || loaded.isComplete !== isComplete || !isCurrent(loaded, day, clock.now())) {
        changed.clear()
        loaded = await load(ports, workspaceId, { day, isComplete, generation })
      }
      const current = loaded
      await applyChanges(ports, workspaceId, { loaded: current, changed })
      return viewOf(current, clock.now())
    },
    invalidate,
    [Symbol.dispose]: () => subscriptions.dispose(),
  }
}

function isCurrent(loaded: Loaded, day: ClinicDay, now: number): boolean {
  return loaded.day.date === day.date && loaded.day.timeZone === day.timeZone && now - loaded.loadedAt < maxAgeMs
}

async function load(ports: StatsPorts, workspaceId: string, start: Pick<Loaded, 'day' | 'isComplete' | 'generation'>): Promise<Loaded> {
  const { day } = start
  const loaded: Loaded = { ...start, counters: createCallCounters(day.timeZone), live: new Map(), loadedAt: ports.clock.now() }
  const range = { from: day.from - startToleranceMs, to: day.to + startToleranceMs }
  for await (const call of readCallsStarted(ports, workspaceId, range)) put(loaded, call)
  for (const call of await readLiveCalls(ports, workspaceId)) put(loaded, call)
  return loaded
}

type Changes = { readonly loaded: Loaded; readonly changed: Set<string> }

async function applyChanges(ports: StatsPorts, workspaceId: string, { loaded, changed }: Changes): Promise<void> {
  while (changed.size > 0) {
    const ucids = [...changed].slice(0, readBatch)
    for (const ucid of ucids) changed.delete(ucid)
    try {
      for (const call of await readCalls(ports, workspaceId, ucids)) if (call) put(loaded, call)
    } catch (error) {
      for (const ucid of ucids) changed.add(ucid)
      throw error
    }
  }
}

function put({ day, counters, live }: Loaded, call: KnownCall): void {
  const { ucid, phase, startedAt } = call
  if (phase === 'RINGING' || phase === 'ANSWERED') live.set(ucid, call)
  else live.delete(ucid)
  const start = startedAt === null ? Number.NaN : Date.parse(startedAt)
  if (start >= day.from && start < day.to) counters.put(call)
  else counters.remove(ucid)
}

function viewOf({ day, isComplete, counters, live }: Loaded, now: number): DailyStatsView {
  const isRecent = ({ startedAt }: KnownCall): boolean => startedAt === null || now - Date.parse(startedAt) < maxCallMs
  return { day, isComplete, counters, live: [...live.values()].filter(isRecent).toSorted(byStart) }
}

function byStart(one: KnownCall, other: KnownCall): number {
  return (one.startedAt ?? '').localeCompare(other.startedAt ?? '')
}
