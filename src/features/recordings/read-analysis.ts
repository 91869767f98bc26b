import type { Actor } from '../../access/actor.ts'
import type { Principal } from '../../access/principal.ts'
import { AppError, invalidInput } from '../../kernel/errors.ts'
import type { RecordingAnalysis } from './analysis.ts'
import { assertMaySee, type CallOf, isRecordId, maySee } from './call-of.ts'
import type { KeptAnalyses } from './stored-analyses.ts'
import type { AnalysisState } from './request-analysis.ts'
import { errorOf, type RunLock } from './run-lock.ts'

export type ReadAnalysisDeps = { readonly callOf: CallOf; readonly kept: KeptAnalyses; readonly lock: RunLock }

export type ReadAnalysis = (caller: Actor, callId: string) => Promise<AnalysisState>
/** In the order of the ids; null for what is not analysed or not the caller's. */
export type ReadAnalyses = (principal: Principal, callIds: readonly string[]) => Promise<readonly (RecordingAnalysis | null)[]>

const mostCalls = 500

/**
 * What is known of a call's recording; never begins anything. Errors: NOT_FOUND (not analysed), NOT_YOURS, and how the last run failed, for
 * a minute.
 */
export function createReadAnalysis({ callOf, kept, lock }: ReadAnalysisDeps): ReadAnalysis {
  return async (caller, callId) => {
    const { workspaceId } = caller.principal
    if (isRecordId(callId)) {
      const known = await kept.read({ workspaceId, callId: callId.toLowerCase() })
      if (known) assertMaySee(caller.principal, known)
      if (known) return { state: 'DONE', analysis: known }
    }
    const call = await callOf(caller, callId)
    const key = { workspaceId, callId: call.id }
    const run = await lock.read(key)
    // A run that has just ended has written what it came to.
    const analysis = await kept.read(key)
    if (analysis) return { state: 'DONE', analysis }
    if (run) return { state: 'UNDER_WAY', callId: call.id, run }
    const fault = await lock.readFault(key)
    throw fault ? errorOf(fault) : new AppError('NOT_FOUND', { detail: 'This recording is not analysed' })
  }
}

/** For lists: one read of the store, whatever their length. */
export function createReadAnalyses(kept: KeptAnalyses): ReadAnalyses {
  return async (principal, callIds) => {
    if (callIds.length > mostCalls) throw invalidInput('callIds', `must be at most ${mostCalls}`)
    const found = await kept.readMany(
      principal.workspaceId,
      callIds.map((callId) => callId.toLowerCase()),
    )
    return found.map((analysis) => (analysis && maySee(principal, analysis) ? analysis : null))
  }
}
