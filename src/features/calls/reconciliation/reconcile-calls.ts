import { isoMoment } from '../../../kernel/clock.ts'
import { AppError } from '../../../kernel/errors.ts'
import { LeaseOf } from '../../../ports/stored/lease-of.ts'
import type { Telephony } from '../../../ports/telephony.ts'
import type { CallPorts } from '../state/call-ports.ts'
import { forgetWanted, isComparisonWanted } from './compare-soon.ts'
import { aroundStart, startsOfLongCalls } from './long-calls.ts'
import { queueMissing, type QueueMissingPorts, updateOfMissedCall } from './queue-missing.ts'
import { newState, readState, type ReconciliationRun, type ReconciliationState, writeState } from './reconciliation-state.ts'

export type ReconcilePorts = QueueMissingPorts & Pick<CallPorts, 'configuration' | 'log' | 'telephonyOf'>
/** `awaySince`: epoch milliseconds. A run that ended long before it is not enough, because this process was away until then. */
export type ReconcileInput = { readonly workspaceId: string; readonly awaySince: number }

const minute = 60_000
const everyMs = 5 * minute
/** A call has ended and has its disposition this long after its start: what began later is compared again. */
const overlapMs = 120 * minute
const farthestMs = 24 * 60 * minute
/** The provider refuses times that lie in the future by its own clock. */
const clockToleranceMs = 5_000
const retryMs = minute
/** Of several instances that start or come back at the same time, one compares. */
const recentMs = minute
/** 50,000 calls. */
const maxPages = 100
const maxMissedCalls = 5_000

export const comparisonLease = new LeaseOf({
  name: 'call-reconciliation-lease',
  key: (workspaceId: string) => [workspaceId],
  what: 'a comparison under way',
})

/**
 * Compares a workspace's calls with the records of the telephony provider, and adds what no webhook reported. Does at most one page, if one
 * is due; the next call of any instance goes on behind it, also after a crash. Errors: STORE_UNAVAILABLE. Those of the provider are stored
 * with the state, and it is tried again.
 */
export async function reconcileCalls(ports: ReconcilePorts, input: ReconcileInput): Promise<void> {
  const { workspaceId } = input
  const { provider } = await ports.configuration.read(workspaceId, 'telephony')
  if (provider === null) return
  const known = await readState(ports, workspaceId)
  if (!known) return writeState(ports, workspaceId, newState(ports.clock.now()))
  const isWanted = await isComparisonWanted(ports, workspaceId)
  if (!isDue(known, { ...input, isWanted }, ports.clock.now())) return
  await using lease = await comparisonLease.acquire(ports, workspaceId, { log: ports.log })
  // Another instance may have done it meanwhile.
  const state = lease && (await readState(ports, workspaceId))
  if (!lease || !state || !isDue(state, { ...input, isWanted }, ports.clock.now())) return
  const after = await compare(ports, { workspaceId, provider: provider.id }, state)
  lease.lost.throwIfAborted()
  await writeState(ports, workspaceId, after)
}

type Wish = ReconcileInput & { readonly isWanted: boolean }

function isDue({ run, lastRunAt, notBefore }: ReconciliationState, { awaySince, isWanted }: Wish, now: number): boolean {
  return now >= notBefore && (run !== null || isWanted || lastRunAt < awaySince - recentMs || now - lastRunAt >= everyMs)
}

async function beginRun(
  ports: ReconcilePorts,
  account: Account,
  { since, completeUntil }: ReconciliationState,
): Promise<ReconciliationRun> {
  const now = ports.clock.now()
  await forgetWanted(ports, account.workspaceId)
  const from = Math.max(since, completeUntil - overlapMs, now - farthestMs)
  const longCalls = await startsOfLongCalls(ports, account, from)
  return { from, to: Math.max(from, now - clockToleranceMs), longCalls, after: null, pages: 0, rows: 0, added: 0, unreadable: 0 }
}

type Account = { readonly workspaceId: string; readonly provider: string }

/** The state after one page, or after a failure. */
async function compare(ports: ReconcilePorts, account: Account, state: ReconciliationState): Promise<ReconciliationState> {
  const { clock, log } = ports
  let run = state.run ?? (await beginRun(ports, account, state))
  if (state.run === null && state.completeUntil < clock.now() - farthestMs) log.warn(account, 'call-reconciliation.calls-too-old')
  try {
    const telephony = await ports.telephonyOf(account.workspaceId)
    // This costs no report, so callers whom nobody answered do not wait for one.
    if (run.pages === 0) run = { ...run, added: run.added + (await addMissedCalls(ports, account, { run, telephony })) }
    const { run: next, isDone } = await comparePage(ports, account, { run, telephony })
    if (!isDone && next.pages < maxPages) return { ...state, run: next, notBefore: clock.now(), failures: 0, lastError: null }
    if (!isDone) log.warn({ ...account, rows: next.rows }, 'call-reconciliation.too-many-rows')
    return finished(state, next, clock.now())
  } catch (error) {
    const reason = error instanceof AppError ? error.reason : 'UNKNOWN'
    const retryAfterMs =
      error instanceof AppError && error.data?.retryAfterSeconds !== undefined ? error.data.retryAfterSeconds * 1_000 : null
    const notBefore = clock.now() + (retryAfterMs ?? retryMs)
    // Somebody else has used the report: this run's turn comes.
    if (retryAfterMs !== null) return { ...state, run, notBefore }
    if (state.failures === 0) log.warn({ ...account, reason }, 'call-reconciliation.failed')
    return { ...state, run, notBefore, failures: state.failures + 1, lastError: reason }
  }
}

type Comparison = { readonly run: ReconciliationRun; readonly telephony: Telephony }

type Compared = { readonly run: ReconciliationRun; readonly isDone: boolean }

/** The run after its next page; without call records it ends at once. */
async function comparePage(ports: ReconcilePorts, account: Account, { run, telephony }: Comparison): Promise<Compared> {
  if (!telephony.capabilities.has('CALL_RECORDS')) return { run, isDone: true }
  const [longCall] = run.longCalls
  const { from, to } = longCall === undefined ? run : aroundStart(longCall)
  const page = await telephony.callRecordPage({ from: isoMoment(from), to: isoMoment(to), after: run.after })
  if (page.unreadable > 0) ports.log.warn({ ...account, rows: page.unreadable }, 'call-reconciliation.unreadable-rows')
  const added = await queueMissing(ports, account, page.records)
  const next = {
    ...run,
    longCalls: page.next === null ? run.longCalls.slice(1) : run.longCalls,
    after: page.next,
    pages: run.pages + 1,
    rows: run.rows + page.records.length + page.unreadable,
    added: run.added + added,
    unreadable: run.unreadable + page.unreadable,
  }
  return { run: next, isDone: page.next === null && longCall === undefined }
}

/** If it fails, the records still have these calls. */
async function addMissedCalls(ports: ReconcilePorts, account: Account, { run, telephony }: Comparison): Promise<number> {
  if (!telephony.capabilities.has('MISSED_CALLS')) return 0
  try {
    const missed = await telephony.missedCalls()
    const recent = missed.filter(({ at }) => Date.parse(at) >= run.from)
    return await queueMissing(ports, account, recent.slice(-maxMissedCalls).map(updateOfMissedCall))
  } catch (error) {
    ports.log.warn({ ...account, reason: error instanceof AppError ? error.reason : 'UNKNOWN' }, 'call-reconciliation.missed-calls-failed')
    return 0
  }
}

function finished(state: ReconciliationState, run: ReconciliationRun, now: number): ReconciliationState {
  const { to, rows, added, unreadable } = run
  const lastRun = { rows, added, unreadable }
  const addedInAll = state.addedInAll + added
  return { ...state, completeUntil: to, lastRunAt: now, run: null, notBefore: now, lastRun, addedInAll, failures: 0, lastError: null }
}
