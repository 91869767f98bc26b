import type { Actor } from '../../access/actor.ts'
import type { Principal } from '../../access/principal.ts'
import { AppError } from '../../kernel/errors.ts'
import { isUuid } from '../../kernel/ids.ts'
import type { Ports } from '../../ports/ports.ts'
import { assertMaySee, findCall, type FindCallPorts, maySee } from './find-call.ts'
import type { RecordingAnalysis } from './recording-analysis.ts'
import type { RecordingPorts } from './recording-ports.ts'
import type { AnalysisState } from './request-analysis.ts'
import { errorOf, readRun, readRunFailure } from './run-lease.ts'
import { readSharedAnalysis, readStoredAnalyses } from './stored-analyses.ts'

/**
 * The stored analysis of a call's recording, or the run in progress; never starts one. Errors: NOT_FOUND (not analysed), NOT_YOURS, and the
 * error of the last run, for a minute.
 */
export async function readAnalysis(
  ports: FindCallPorts & Pick<RecordingPorts, 'analysisReads'>,
  actor: Actor,
  callId: string,
): Promise<AnalysisState> {
  const { workspaceId } = actor.principal
  if (isUuid(callId)) {
    const stored = await readSharedAnalysis(ports, { workspaceId, callId: callId.toLowerCase() })
    if (stored) assertMaySee(actor.principal, stored)
    if (stored) return { state: 'DONE', analysis: stored }
  }
  const call = await findCall(ports, actor, callId)
  const key = { workspaceId, callId: call.id }
  const run = await readRun(ports.store, key)
  // After the run: a run that has just ended has stored its result.
  const analysis = await readSharedAnalysis(ports, key)
  if (analysis) assertMaySee(actor.principal, analysis)
  if (analysis) return { state: 'DONE', analysis }
  if (run) return { state: 'UNDER_WAY', callId: call.id, run }
  const failure = await readRunFailure(ports.store, key)
  throw failure ? errorOf(failure) : new AppError('NOT_FOUND', { detail: 'This recording is not analysed' })
}

/** In the order of the ids; null for a call that is not analysed or that the principal may not see. One read of the store. */
export async function readAnalyses(
  { store }: Pick<Ports, 'store'>,
  principal: Principal,
  callIds: readonly string[],
): Promise<readonly (RecordingAnalysis | null)[]> {
  const ids = callIds.map((callId) => callId.toLowerCase())
  const stored = await readStoredAnalyses(store, principal.workspaceId, ids)
  return stored.map((analysis) => (analysis && maySee(principal, analysis) ? analysis : null))
}
