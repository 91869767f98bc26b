import type { Actor } from '../../../access/actor.ts'
import { AppError } from '../../../kernel/errors.ts'
import { isUuid } from '../../../kernel/ids.ts'
import { assertMaySee, findCall, type FindCallPorts } from '../find-call.ts'
import { type CallKey, readStoredAnalyses } from '../stored-analyses.ts'
import { type Scorecard, showScorecard } from './show-scorecard.ts'
import { readScorecards } from './stored-scorecard.ts'

/** The scorecard of a call, by the id of its record or its UCID. Errors: NOT_FOUND, NOT_YOURS, STORE_UNAVAILABLE, the platform's. */
export async function readScorecard(ports: FindCallPorts, actor: Actor, callId: string): Promise<Scorecard> {
  const { store } = ports
  const { principal } = actor
  const { workspaceId } = principal
  const key = await scoredCall(ports, actor, callId)
  const [[scorecard = null], [analysis = null]] = await Promise.all([
    readScorecards({ store }, workspaceId, [key.callId]),
    readStoredAnalyses(store, workspaceId, [key.callId]),
  ])
  if (!scorecard) throw noScorecard()
  assertMaySee(principal, scorecard)
  return showScorecard(scorecard, analysis)
}

/** The call that a client names by the id of its record or its UCID. */
export async function scoredCall(ports: FindCallPorts, actor: Actor, callId: string): Promise<CallKey> {
  const { workspaceId } = actor.principal
  return { workspaceId, callId: isUuid(callId) ? callId.toLowerCase() : (await findCall(ports, actor, callId)).id }
}

export function noScorecard(): AppError {
  return new AppError('NOT_FOUND', { detail: 'This call has no scorecard: its recording was not analysed, or the analysis has ended' })
}
