import { setTimeout as delay } from 'node:timers/promises'
import { isoMoment } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Ports } from '../../ports/ports.ts'
import type { RecordingAnalysis } from './recording-analysis.ts'
import { retryWhileStoreIsAway } from './retry-while-store-is-away.ts'
import { acquireRun, errorOf, type HeldRun, progressTopic, readRun, readRunFailure } from './run-lease.ts'
import { type AnalysisReads, type CallKey, readSharedAnalysis } from './stored-analyses.ts'

/** The work of a run; it stores its result. */
export type AnalysisWork = (run: HeldRun, signal: AbortSignal) => Promise<RecordingAnalysis>

export type Runs = AsyncDisposable & {
  /**
   * Resolves to the stored analysis of a call, or to the result of a run that is in progress on any instance, or of a run that this starts.
   * The run continues when nobody waits for it. Rejects with the run's AppError.
   */
  ensure(recording: RecordingKey, work: AnalysisWork, options: RunOptions): Promise<RecordingAnalysis>
  /** The run that this process waits for, with the agent of the call; null if there is none. */
  join(key: CallKey): PendingAnalysis | null
  /** Nobody waits for a result any more: the service stops, and requests must be answered before the runs end. */
  stopWaiting(): void
  /** Aborted by `stopWaiting`. */
  readonly noMoreWaiting: AbortSignal
}

/** `force`: a stored analysis does not count. `isNamed`: of a recording that a manager has named instead of the call's own. */
type RunOptions = { readonly force: boolean; readonly isNamed?: boolean }
export type RecordingKey = CallKey & { readonly agentId: string | null }
type PendingAnalysis = { readonly agentId: string | null; readonly isNamed: boolean; readonly analysis: Promise<RecordingAnalysis> }

type RunPorts = Pick<Ports, 'notifications' | 'clock' | 'log'> & AnalysisReads
type Runner = { readonly ports: RunPorts; readonly closing: AbortSignal; readonly wakers: Map<string, () => void> }
type Job = { readonly key: CallKey; readonly work: AnalysisWork; readonly force: boolean }

/** A notification may be lost, so the store is polled as well. */
const pollMs = 500
const maxPending = 200

/** Analyses each recording once over all instances: one process holds the run, the others wait for its result. */
export function createRuns(ports: RunPorts): Runs {
  const pending = new Map<string, PendingAnalysis>()
  const closing = new AbortController()
  const waiting = new AbortController()
  const runner: Runner = { ports, closing: closing.signal, wakers: new Map() }
  const subscription = ports.notifications.subscribe(progressTopic, ({ workspaceId, payload }) => {
    const progress: unknown = JSON.parse(payload)
    if (typeof progress !== 'object' || progress === null || !('callId' in progress)) return
    runner.wakers.get(nameOf({ workspaceId, callId: String(progress.callId) }))?.()
  })
  return {
    join: (key) => pending.get(nameOf(key)) ?? null,
    ensure({ agentId, ...key }, work, { force, isNamed = false }) {
      const name = nameOf(key)
      const known = pending.get(name)
      if (known) return known.analysis
      if (closing.signal.aborted) return Promise.reject(stopping())
      if (pending.size >= maxPending) return Promise.reject(tooMany())
      const analysis = obtain(runner, { key, work, force }).finally(() => pending.delete(name))
      // The client may be gone when it fails; later clients get the stored failure.
      analysis.catch(() => {})
      pending.set(name, { agentId, isNamed, analysis })
      return analysis
    },
    stopWaiting: () => waiting.abort(),
    noMoreWaiting: waiting.signal,
    async [Symbol.asyncDispose]() {
      closing.abort(stopping())
      subscription[Symbol.dispose]()
      await Promise.allSettled([...pending.values()].map(({ analysis }) => analysis))
    },
  }
}

/** The result of another instance's run, or of a run by this one as soon as it holds the lease. */
async function obtain(runner: Runner, job: Job): Promise<RecordingAnalysis> {
  const { ports, closing } = runner
  const { key } = job
  const { store, clock } = ports
  const before = job.force ? await readSharedAnalysis(ports, key) : null
  const readResult = async (): Promise<RecordingAnalysis | null> => {
    const stored = await readSharedAnalysis(ports, key)
    return stored && stored.analyzedAt !== before?.analyzedAt ? stored : null
  }
  let otherRunId: string | null = null
  for (;;) {
    const result = await readResult()
    if (result) return result
    if (otherRunId !== null) await throwFailureOf(runner, key, otherRunId)
    const run = await retryWhileStoreIsAway(() => acquireRun(ports, key, isoMoment(clock.now())), { signal: closing })
    if (run) {
      // Another run may have ended well between the read and the acquisition.
      const meanwhile = await readResult()
      if (!meanwhile) return perform(runner, job, run)
      await run[Symbol.asyncDispose]()
      return meanwhile
    }
    otherRunId = (await retryWhileStoreIsAway(() => readRun(store, key), { signal: closing }))?.runId ?? otherRunId
    await nextUpdate(runner, nameOf(key))
  }
}

async function perform({ ports, closing }: Runner, { key, work }: Job, run: HeldRun): Promise<RecordingAnalysis> {
  await using held = run
  try {
    const analysis = await work(held, AbortSignal.any([held.lost, closing]))
    await held.reach('ANALYSED')
    return analysis
  } catch (error) {
    if (held.lost.aborted) throw takenOver(held.lost.reason)
    if (closing.aborted) throw stopping()
    const failure = error instanceof AppError ? error : new AppError('UNKNOWN', { cause: error })
    if (failure.reason === 'UNKNOWN') ports.log.error({ err: error, ...key }, 'recording.analysis-failed')
    await held.fail(failure)
    throw failure
  }
}

async function throwFailureOf({ ports, closing }: Runner, key: CallKey, runId: string): Promise<void> {
  const failure = await retryWhileStoreIsAway(() => readRunFailure(ports.store, key), { signal: closing })
  if (failure?.runId === runId) throw errorOf(failure)
}

async function nextUpdate({ closing, wakers }: Runner, name: string): Promise<void> {
  const woken = new AbortController()
  wakers.set(name, () => woken.abort())
  await delay(pollMs, undefined, { signal: AbortSignal.any([woken.signal, closing]) }).catch(() => {})
  wakers.delete(name)
  if (closing.aborted) throw stopping()
}

function nameOf({ workspaceId, callId }: CallKey): string {
  return `${workspaceId}:${callId}`
}

function takenOver(cause: unknown): AppError {
  return new AppError('OVERLOADED', {
    detail: 'Another instance continues this analysis; ask again',
    data: { retryAfterSeconds: 5 },
    cause,
  })
}

function stopping(): AppError {
  return new AppError('OVERLOADED', { detail: 'The service is stopping; ask again', data: { retryAfterSeconds: 5 } })
}

function tooMany(): AppError {
  return new AppError('OVERLOADED', { detail: 'Too many recordings are being analysed; ask again later', data: { retryAfterSeconds: 30 } })
}
