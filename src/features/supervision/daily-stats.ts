import type { Ports } from '../../ports/ports.ts'
import { readCalls, readCallsStarted, readLiveCalls } from '../calls/call-state-store.ts'
import type { KnownCall } from '../calls/call-facts.ts'
import { callTopic } from '../calls/update-call.ts'
import { type ClinicDay, clinicDayAt } from './clinic-day.ts'
import { createTally, type Tally } from './count-calls.ts'

/** A workspace's calls of today and of this moment, as they are counted in this process. */
export type Board = Disposable & {
  /** Up to what has been heard by now. Errors: STORE_UNAVAILABLE. */
  read(timeZone: string): Promise<BoardView>
  /** What was heard may be incomplete: all is read anew at the next look. */
  invalidate(): void
}

export type BoardView = { readonly day: ClinicDay; readonly tally: Tally; readonly live: readonly KnownCall[] }

export type BoardDeps = Pick<Ports, 'store' | 'clock' | 'notifications'> & { readonly now: () => number }

/** Against news that were lost without anybody noticing. */
const trustedForMs = 15 * 60_000
const longestCallMs = 12 * 3_600_000
const readAtOnce = 250
/** More than this is read faster as a whole. */
const mostChanged = 5_000

type Kept = { readonly day: ClinicDay; readonly tally: Tally; readonly live: Map<string, KnownCall>; readonly readAt: number }

/**
 * The counts follow from what all instances keep of the calls, so that every instance comes to the same: all calls of the day are read
 * once, and after that those of which something is heard.
 */
export function createBoard(workspaceId: string, deps: BoardDeps): Board {
  const { notifications, now } = deps
  const listening = new DisposableStack()
  const changed = new Set<string>()
  let kept: Kept | null = null
  let invalidations = 0
  let working: Promise<unknown> = Promise.resolve()
  const invalidate = (): void => {
    kept = null
    invalidations += 1
  }
  const hear = (ucid: string): void => {
    if (changed.size < mostChanged) return void changed.add(ucid)
    changed.clear()
    invalidate()
  }
  listening.use(notifications.subscribe(callTopic, (notice) => void (notice.workspaceId === workspaceId && hear(notice.payload))))
  listening.use(notifications.onGap(invalidate))

  const load = async (day: ClinicDay): Promise<Kept> => {
    changed.clear()
    const before = invalidations
    const fresh = { day, tally: createTally(day.timeZone), live: new Map<string, KnownCall>(), readAt: now() }
    // A call's beginning may be corrected by what is heard later.
    const begun = await readCallsStarted(deps, workspaceId, { from: day.from - 60_000, to: day.to + 60_000 })
    for (const call of [...begun, ...(await readLiveCalls(deps, workspaceId))]) put(fresh, call)
    if (invalidations === before) kept = fresh
    return fresh
  }

  const follow = async (known: Kept): Promise<void> => {
    while (changed.size > 0) {
      const ucids = [...changed].slice(0, readAtOnce)
      for (const ucid of ucids) changed.delete(ucid)
      try {
        for (const call of await readCalls(deps, workspaceId, ucids)) if (call) put(known, call)
      } catch (error) {
        for (const ucid of ucids) changed.add(ucid)
        throw error
      }
    }
  }

  const view = async (timeZone: string): Promise<BoardView> => {
    const day = clinicDayAt(now(), timeZone)
    const isGood = kept !== null && kept.day.date === day.date && kept.day.timeZone === timeZone && now() - kept.readAt < trustedForMs
    const current = isGood && kept !== null ? kept : await load(day)
    await follow(current)
    const live = [...current.live.values()].filter(({ startedAt }) => startedAt === null || now() - Date.parse(startedAt) < longestCallMs)
    return { day: current.day, tally: current.tally, live: live.toSorted(byBeginning) }
  }

  return {
    read(timeZone) {
      const turn = working.then(
        () => view(timeZone),
        () => view(timeZone),
      )
      working = turn
      return turn
    },
    invalidate,
    [Symbol.dispose]: () => listening.dispose(),
  }
}

function put({ day, tally, live }: Kept, call: KnownCall): void {
  const { ucid, phase, startedAt } = call
  if (phase === 'RINGING' || phase === 'ANSWERED') live.set(ucid, call)
  else live.delete(ucid)
  const beganAt = startedAt === null ? Number.NaN : Date.parse(startedAt)
  if (beganAt >= day.from && beganAt < day.to) tally.put(call)
  else tally.remove(ucid)
}

function byBeginning(one: KnownCall, other: KnownCall): number {
  return (one.startedAt ?? '').localeCompare(other.startedAt ?? '')
}
