import { z } from 'zod'
import type { Actor } from '../../access/actor.ts'
import type { RequestContext } from '../../access/request-context.ts'
import { AppError, type ErrorReason } from '../../kernel/errors.ts'
import { hashOf, isUuid } from '../../kernel/ids.ts'
import { parseInput } from '../../kernel/input.ts'
import { countUse } from '../../ports/figures.ts'
import { analyseRecording } from './analyse-recording.ts'
import { assertMaySee, findCall } from './find-call.ts'
import { findRecordingUrl } from './find-recording-url.ts'
import type { RecordingAnalysis } from './recording-analysis.ts'
import type { RecordingPorts } from './recording-ports.ts'
import { readRun, type Run } from './run-lease.ts'
import type { AnalysisWork } from './runs.ts'
import { type CallKey, readSharedAnalysis } from './stored-analyses.ts'

export type AnalysisRequest = z.input<typeof requestSchema>

/** The analysis, or the stage of the run in progress. */
export type AnalysisState =
  | { readonly state: 'DONE'; readonly analysis: RecordingAnalysis }
  | { readonly state: 'UNDER_WAY'; readonly callId: string; readonly run: Run }

/** Together with the look-ups before it, this may be longer than the deadline of a request, which is therefore extended. */
const maxWaitSeconds = 25
const answerMs = 5_000
/** The tries of a named recording: before each, a run of another recording of its call may be under way. */
const maxTries = 6
/** Errors that say nothing about another recording. */
const ownReasons: ReadonlySet<ErrorReason> = new Set(['STORE_UNAVAILABLE', 'OVERLOADED'])
const requestSchema = z.object({
  callId: z.string(),
  recordingUrl: z.url({ protocol: /^https?$/, error: 'must be an http(s) address' }).nullish(),
  force: z.boolean().nullish(),
  waitSeconds: z.int().nullish(),
})

type Patience = Pick<RequestContext, 'allowAtLeast' | 'signal'> & { readonly waitSeconds: number }

/**
 * The analysis of a call's recording: the stored one, or a new one that concurrent requests share. After `waitSeconds` it returns the
 * stage of the run, which continues; also when the service stops. Errors: NOT_FOUND (no such call; no recording yet: `data.retryAfterSeconds`), NOT_YOURS, ROLE_MISSING
 * (`recordingUrl` or `force` from an actor who is no manager), INVALID_INPUT, NOT_CONFIGURED, those of the providers.
 */
export async function requestAnalysis(
  ports: RecordingPorts,
  actor: Actor,
  { signal, allowAtLeast, ...request }: AnalysisRequest & Pick<RequestContext, 'allowAtLeast' | 'signal'>,
): Promise<AnalysisState> {
  const { callId, recordingUrl = null, force, waitSeconds } = parseInput(requestSchema, request, 'input')
  const { workspaceId, role } = actor.principal
  const isForced = force === true || recordingUrl !== null
  if (role !== 'MANAGER' && isForced) {
    throw new AppError('ROLE_MISSING', { detail: 'Only a manager may name an address or have a recording analysed again' })
  }
  const patience = { allowAtLeast, waitSeconds: waitSeconds ?? maxWaitSeconds, signal: AbortSignal.any([signal, ports.runs.noMoreWaiting]) }
  if (!isForced && isUuid(callId)) {
    const known = await knownState(ports, actor, { callId: callId.toLowerCase(), patience })
    if (known) return known
  }
  const call = await findCall(ports, actor, callId)
  const { id, agentId, ucid, startedAt, disposition } = call
  const recording = { workspaceId, callId: id, agentId, ucid, startedAt, endedAt: call.endedAt ?? startedAt, disposition }
  let isOwnRun = false
  const work: AnalysisWork = async (run, runSignal) => {
    isOwnRun = true
    const url = recordingUrl ?? (await findRecordingUrl(ports, workspaceId, call))
    return analyseRecording(ports, { ...recording, url }, { run, signal: runSignal })
  }
  const ensure = () => ports.runs.ensure(recording, work, { force: isForced, isNamed: recordingUrl !== null })
  const analysis =
    recordingUrl === null ? analysisOfOwn(ports, recording, ensure) : analysisOfNamed(recordingUrl, { ensure, isOwnRun: () => isOwnRun })
  const state = await stateOf(ports, recording, { analysis, patience })
  // The stored one may have been made when the call was another agent's.
  if (state.state === 'DONE') assertMaySee(actor.principal, state.analysis)
  return state
}

/** Once more if the run of a named recording, which was under way, has failed. */
async function analysisOfOwn(
  { runs }: Pick<RecordingPorts, 'runs'>,
  key: CallKey,
  ensure: () => Promise<RecordingAnalysis>,
): Promise<RecordingAnalysis> {
  return runs.join(key)?.isNamed === true ? ensure().catch(ensure) : ensure()
}

type EnsuredRun = { readonly ensure: () => Promise<RecordingAnalysis>; readonly isOwnRun: () => boolean }

/** Runs of other recordings that are under way come first. Their results are not meant, nor are their failures. */
async function analysisOfNamed(recordingUrl: string, { ensure, isOwnRun }: EnsuredRun): Promise<RecordingAnalysis> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    try {
      const analysis = await ensure()
      if (isOwnRun() || analysis.sourceHash === hashOf(recordingUrl)) return analysis
    } catch (error) {
      if (isOwnRun() || !(error instanceof AppError) || ownReasons.has(error.reason)) throw error
    }
  }
  throw new AppError('OVERLOADED', {
    detail: 'Other recordings of this call are being analysed; ask again',
    data: { retryAfterSeconds: 30 },
  })
}

/** What this process or the store has already, without a question to the platform. */
async function knownState(
  ports: Pick<RecordingPorts, 'store' | 'analysisReads' | 'figures' | 'runs'>,
  { principal }: Actor,
  { callId, patience }: { readonly callId: string; readonly patience: Patience },
): Promise<AnalysisState | null> {
  const key = { workspaceId: principal.workspaceId, callId }
  const stored = await readSharedAnalysis(ports, key)
  countUse(ports.figures.caches.analyses, stored !== null)
  if (stored) assertMaySee(principal, stored)
  if (stored) return { state: 'DONE', analysis: stored }
  const pending = ports.runs.join(key)
  if (!pending || pending.isNamed) return null
  assertMaySee(principal, pending)
  return stateOf(ports, key, { analysis: pending.analysis, patience })
}

async function stateOf(
  { store }: Pick<RecordingPorts, 'store'>,
  { workspaceId, callId }: CallKey,
  { analysis, patience }: { readonly analysis: Promise<RecordingAnalysis>; readonly patience: Patience },
): Promise<AnalysisState> {
  const done = await within(analysis, patience)
  if (done) return { state: 'DONE', analysis: done }
  const run = (await readRun(store, { workspaceId, callId })) ?? { runId: '', stage: 'STARTED', startedAt: '' }
  return { state: 'UNDER_WAY', callId, run }
}

/** Null if it takes longer, if the client has left, or if the service stops. */
async function within<T>(promise: Promise<T>, { waitSeconds, signal, allowAtLeast }: Patience): Promise<T | null> {
  allowAtLeast(waitSeconds * 1_000 + answerMs)
  const { promise: late, resolve } = Promise.withResolvers<null>()
  const stop = (): void => resolve(null)
  const timer = setTimeout(stop, waitSeconds * 1_000)
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
  }
}
