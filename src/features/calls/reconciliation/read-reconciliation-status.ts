import { isoMoment } from '../../../kernel/clock.ts'
import type { Ports } from '../../../ports/ports.ts'
import { readStates } from './reconciliation-state.ts'

/** What `/health` and `/metrics` show, over all workspaces; null without any. Times are ISO 8601. */
export type ReconciliationStatus = {
  /** All calls that began before this were compared with the provider's records. */
  readonly completeUntil: string
  readonly lastRunAt: string
  readonly secondsSinceLastRun: number
  /** Of each workspace's last complete run. */
  readonly rows: number
  readonly added: number
  /** Records that cannot be read. */
  readonly unreadable: number
  /** Records that unfinished runs have read so far. */
  readonly rowsOfUnfinishedRuns: number
  /** Calls that were added since the workspaces are known here. */
  readonly addedInAll: number
  /** Tries that have failed in a row. */
  readonly failures: number
  /** The reasons of the last failures. */
  readonly errors: readonly string[]
}

/** Errors: STORE_UNAVAILABLE. */
export async function readReconciliationStatus(ports: Pick<Ports, 'clock' | 'store'>): Promise<ReconciliationStatus | null> {
  const states = await readStates(ports)
  if (states.length === 0) return null
  const oldest = Math.min(...states.map(({ lastRunAt }) => lastRunAt))
  const sum = (figures: readonly number[]): number => figures.reduce((one, other) => one + other, 0)
  return {
    completeUntil: isoMoment(Math.min(...states.map(({ completeUntil }) => completeUntil))),
    lastRunAt: isoMoment(oldest),
    secondsSinceLastRun: Math.max(0, (ports.clock.now() - oldest) / 1_000),
    rows: sum(states.map(({ lastRun }) => lastRun.rows)),
    added: sum(states.map(({ lastRun }) => lastRun.added)),
    unreadable: sum(states.map(({ lastRun }) => lastRun.unreadable)),
    rowsOfUnfinishedRuns: sum(states.map(({ run }) => run?.rows ?? 0)),
    addedInAll: sum(states.map(({ addedInAll }) => addedInAll)),
    failures: sum(states.map(({ failures }) => failures)),
    errors: [...new Set(states.flatMap(({ lastError }) => lastError ?? []))],
  }
}
