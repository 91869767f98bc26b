import { setTimeout as delay } from 'node:timers/promises'
import { type Clock, isoMoment } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import type { Notifications } from '../../ports/notifications.ts'
import type { RecordingAnalysis } from './analysis.ts'
import type { CallKey, KeptAnalyses } from './stored-analyses.ts'
import { errorOf, type HeldRun, progressTopic, type RunLock } from './run-lock.ts'
import { untilStored } from './until-stored.ts'

/** The work itself; writes what it comes to into the kept analyses. */
export type AnalysisWork = (run: HeldRun, signal: AbortSignal) => Promise<RecordingAnalysis>

export type Runs = AsyncDisposable & {
  /**
   * The analysis of a call: the one that is kept, the one that comes of a run under way here or elsewhere, or of a run that this begins.
   * It goes on when nobody waits any more. `anew`: what is kept does not count. Rejects with the run's AppError.
   */
  ensure(recording: RecordingKey, work: AnalysisWork, options: { readonly anew: boolean }): Promise<RecordingAnalysis>
  /** What this process waits for already, with whose call it is; null where it waits for none. */
  join(key: CallKey): { readonly agentId: string | null; readonly analysis: Promise<RecordingAnalysis> } | null
}

export type RecordingKey = CallKey & { readonly agentId: string | null }

export type RunsDeps = {
  readonly lock: RunLock
  readonly kept: KeptAnalyses
  readonly notifications: Notifications
  readonly clock: Clock
  readonly log: Log
}

/** What is done by notices is found by looking as well. */
const lookEveryMs = 500
const mostUnderWay = 200

/** Each recording once over all instances, however many ask: this process has one follower per call, and one of all processes the run. */
export function createRuns({ lock, kept, notifications, clock, log }: RunsDeps): Runs {
  const underWay = new Map<string, { readonly agentId: string | null; readonly analysis: Promise<RecordingAnalysis> }>()
  const wakers = new Map<string, () => void>()
  const closing = new AbortController()
  const heard = notifications.subscribe(progressTopic, ({ workspaceId, payload }) => {
    const told: unknown = JSON.parse(payload)
    if (typeof told === 'object' && told !== null && 'callId' in told) wakers.get(`${workspaceId}:${String(told.callId)}`)?.()
  })

  const perform = async (run: HeldRun, key: CallKey, work: AnalysisWork): Promise<RecordingAnalysis> => {
    await using held = run
    try {
      const analysis = await work(held, AbortSignal.any([held.lost, closing.signal]))
      await held.reach('ANALYSED')
      return analysis
    } catch (error) {
      const fault = faultOf(error, [held.lost, closing.signal])
      if (fault.reason === 'UNKNOWN') log.error({ err: error, ...key }, 'a recording could not be analysed')
      if (!held.lost.aborted && !closing.signal.aborted) await held.fail(fault)
      throw fault
    }
  }

  const follow = async (key: CallKey, work: AnalysisWork, anew: boolean): Promise<RecordingAnalysis> => {
    const stale = anew ? await kept.read(key) : null
    const fresh = async (): Promise<RecordingAnalysis | null> => {
      const found = await kept.read(key)
      return found && found.analyzedAt !== stale?.analyzedAt ? found : null
    }
    let followed: string | null = null
    for (;;) {
      const done = await fresh()
      if (done) return done
      if (followed !== null) await throwFaultOf(key, followed)
      const run = await untilStored(() => lock.claim(key, isoMoment(clock.now())), { signal: closing.signal })
      if (run) {
        // Between the look and the claim, another's run may have ended well.
        const meanwhile = await fresh()
        if (!meanwhile) return perform(run, key, work)
        await run[Symbol.asyncDispose]()
        return meanwhile
      }
      followed = (await untilStored(() => lock.read(key), { signal: closing.signal }))?.runId ?? followed
      await nextUpdate(nameOf(key))
    }
  }

  const throwFaultOf = async (key: CallKey, runId: string): Promise<void> => {
    const fault = await untilStored(() => lock.readFault(key), { signal: closing.signal })
    if (fault?.runId === runId) throw errorOf(fault)
  }

  const nextUpdate = async (name: string): Promise<void> => {
    const woken = new AbortController()
    wakers.set(name, () => woken.abort())
    await delay(lookEveryMs, undefined, { signal: AbortSignal.any([woken.signal, closing.signal]) }).catch(() => {})
    wakers.delete(name)
    if (closing.signal.aborted) throw stopping()
  }

  return {
    join: (key) => underWay.get(nameOf(key)) ?? null,
    ensure({ agentId, ...key }, work, { anew }) {
      const name = nameOf(key)
      const known = underWay.get(name)
      if (known) return known.analysis
      if (closing.signal.aborted) return Promise.reject(stopping())
      if (underWay.size >= mostUnderWay) {
        const data = { retryAfterSeconds: 30 }
        return Promise.reject(new AppError('OVERLOADED', { detail: 'Too many recordings are being analysed', data }))
      }
      const following = follow(key, work, anew).finally(() => underWay.delete(name))
      // Who began it may be gone when it fails; who asks later is told by the kept fault.
      following.catch(() => {})
      underWay.set(name, { agentId, analysis: following })
      return following
    },
    async [Symbol.asyncDispose]() {
      closing.abort(stopping())
      heard[Symbol.dispose]()
      await Promise.allSettled([...underWay.values()].map(({ analysis }) => analysis))
    },
  }
}

function nameOf({ workspaceId, callId }: CallKey): string {
  return `${workspaceId}:${callId}`
}

function stopping(): AppError {
  return new AppError('OVERLOADED', { detail: 'The service is stopping; ask again', data: { retryAfterSeconds: 5 } })
}

function faultOf(error: unknown, signals: readonly AbortSignal[]): AppError {
  const reason: unknown = signals.find(({ aborted }) => aborted)?.reason
  if (reason instanceof AppError) return reason
  return error instanceof AppError ? error : new AppError('UNKNOWN', { cause: error })
}
