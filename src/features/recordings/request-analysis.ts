import { z } from 'zod'
import type { Actor } from '../../access/actor.ts'
import { AppError } from '../../kernel/errors.ts'
import { parseInput } from '../../kernel/input.ts'
import type { RecordingAnalysis } from './analysis.ts'
import type { RecordingOfCall } from './analyse-recording.ts'
import { assertMaySee, type CallOf, isRecordId } from './call-of.ts'
import type { CallKey, KeptAnalyses } from './stored-analyses.ts'
import type { RecordingUrlOf } from './recording-of-call.ts'
import type { HeldRun, Run, RunLock } from './run-lock.ts'
import type { Runs } from './runs.ts'

export type RequestAnalysisDeps = {
  readonly callOf: CallOf
  readonly recordingUrlOf: RecordingUrlOf
  readonly kept: KeptAnalyses
  readonly lock: RunLock
  readonly runs: Runs
  readonly analyse: (recording: RecordingOfCall, run: HeldRun, signal: AbortSignal) => Promise<RecordingAnalysis>
}

export type AnalysisRequest = {
  readonly callId: string
  readonly recordingUrl?: string | null | undefined
  readonly force?: boolean | null | undefined
  readonly waitSeconds?: number | null | undefined
}

/** Either what was understood, or how far it is. */
export type AnalysisState =
  | { readonly state: 'DONE'; readonly analysis: RecordingAnalysis }
  | { readonly state: 'UNDER_WAY'; readonly callId: string; readonly run: Run }

export type RequestAnalysis = (caller: Actor, request: AnalysisRequest, signal: AbortSignal) => Promise<AnalysisState>

/** Within the deadline that a request has. */
const mostWaitSeconds = 25
const requestSchema = z.object({
  callId: z.string().trim().min(1).max(200),
  recordingUrl: z
    .url({ protocol: /^https?$/, error: 'must be an http(s) address' })
    .max(4_000)
    .nullish(),
  force: z.boolean().nullish(),
  waitSeconds: z.int().min(0).max(mostWaitSeconds).nullish(),
})

/**
 * The analysis of a call's recording: kept, or made now, once however many ask. Who waits longer than they want is told how far it is; the
 * work goes on. Errors: NOT_FOUND (no such call, no recording yet: `data.retryAfterSeconds`), NOT_YOURS, ROLE_MISSING (address or `force`
 * from somebody who is no manager), INVALID_INPUT, NOT_CONFIGURED, those of the providers.
 */
export function createRequestAnalysis({ callOf, recordingUrlOf, kept, lock, runs, analyse }: RequestAnalysisDeps): RequestAnalysis {
  const answer = async (key: CallKey, promise: Promise<RecordingAnalysis>, { waitSeconds, signal }: Patience): Promise<AnalysisState> => {
    const analysis = await within(promise, waitSeconds ?? mostWaitSeconds, signal)
    if (analysis) return { state: 'DONE', analysis }
    const run = (await lock.read(key)) ?? { runId: '', stage: 'STARTED', startedAt: '' }
    return { state: 'UNDER_WAY', callId: key.callId, run }
  }

  return async (caller, request, signal) => {
    const { callId, recordingUrl, force, waitSeconds } = parseInput(requestSchema, request, 'input')
    const { workspaceId, role } = caller.principal
    const anew = force === true
    const given = recordingUrl ?? null
    if (role !== 'MANAGER' && (anew || given !== null)) {
      throw new AppError('ROLE_MISSING', { detail: 'Only a manager may give an address or have a recording analysed anew' })
    }
    if (!anew && given === null && isRecordId(callId)) {
      const known = await kept.read({ workspaceId, callId: callId.toLowerCase() })
      if (known) assertMaySee(caller.principal, known)
      if (known) return { state: 'DONE', analysis: known }
      const joined = runs.join({ workspaceId, callId: callId.toLowerCase() })
      if (joined) {
        assertMaySee(caller.principal, joined)
        return answer({ workspaceId, callId: callId.toLowerCase() }, joined.analysis, { waitSeconds, signal })
      }
    }
    const call = await callOf(caller, callId)
    const key = { workspaceId, callId: call.id }
    const work = async (run: HeldRun, ending: AbortSignal): Promise<RecordingAnalysis> =>
      analyse({ ...key, agentId: call.agentId, url: given ?? (await recordingUrlOf(workspaceId, call)) }, run, ending)
    const analysis = runs.ensure({ ...key, agentId: call.agentId }, work, { anew: anew || given !== null })
    return answer(key, analysis, { waitSeconds, signal })
  }
}

type Patience = { readonly waitSeconds: number | null | undefined; readonly signal: AbortSignal }

/** Null where it takes longer, or the client has left. */
async function within<T>(promise: Promise<T>, seconds: number, signal: AbortSignal): Promise<T | null> {
  const { promise: late, resolve } = Promise.withResolvers<null>()
  const stop = (): void => resolve(null)
  const timer = setTimeout(stop, seconds * 1_000)
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
  }
}
