import { z } from 'zod'
import { type Actor, auditActor } from '../../../access/actor.ts'
import { memberName } from '../../../access/principal.ts'
import { isoMoment } from '../../../kernel/clock.ts'
import { AppError, invalidInput } from '../../../kernel/errors.ts'
import { parseInput } from '../../../kernel/input.ts'
import type { Ports } from '../../../ports/ports.ts'
import { complianceVerdicts } from '../recording-analysis.ts'
import type { FindCallPorts } from '../find-call.ts'
import { readStoredAnalyses } from '../stored-analyses.ts'
import { noScorecard, scoredCall } from './read-scorecard.ts'
import { type Scorecard, showScorecard } from './show-scorecard.ts'
import { type Correction, correctedCalls, storedScorecards, type StoredScorecard } from './stored-scorecard.ts'

const inputSchema = z.object({
  callId: z.string(),
  criterion: z.string(),
  verdict: z.enum(complianceVerdicts).nullish(),
  reason: z.string().trim().min(1),
  version: z.int(),
})
export type CorrectionInput = z.input<typeof inputSchema>

/**
 * Stores a manager's verdict beside the model's, or withdraws it (`verdict` null). Only for who saw the newest version. The audit log records it.
 * Errors: NOT_FOUND, INVALID_INPUT, CHANGED_MEANWHILE (`data.version`), STORE_UNAVAILABLE.
 */
export async function correctScorecard(
  ports: FindCallPorts & Pick<Ports, 'audit' | 'clock'>,
  actor: Actor,
  input: CorrectionInput,
): Promise<Scorecard> {
  const { callId, criterion, verdict = null, reason, version } = parseInput(inputSchema, input, 'input')
  const { principal } = actor
  const { workspaceId, userId, memberId } = principal
  const call = await scoredCall(ports, actor, callId)
  const { value: before, version: stored } = await storedScorecards.readStored(ports, call)
  if (!before) throw noScorecard()
  if (before.version !== version) throw changedMeanwhile(before.version)
  const by = { userId, memberId, name: memberName(principal) }
  const given = verdict && { verdict, reason, at: isoMoment(ports.clock.now()), by }
  const { corrected, modelVerdict, former } = withCorrection(before, criterion, given)
  // First, so that no correction is missing in the figures: a member without a correction does not count there.
  await correctedCalls.add(ports, workspaceId, { member: call.callId, score: before.at })
  const audited = ports.audit.entryOf(workspaceId, {
    actor: auditActor(actor),
    action: verdict === null ? 'scorecard.correctionWithdrawn' : 'scorecard.corrected',
    target: { kind: 'call', id: call.callId, name: null },
    details: { criterion, verdict, modelVerdict, former, reason, agentId: before.agentId },
  })
  const written = await storedScorecards.replace(ports, call, { version: stored, value: corrected, add: audited })
  if (written === null) throw changedMeanwhile(version + 1)
  const [analysis = null] = await readStoredAnalyses(ports.store, workspaceId, [call.callId])
  return showScorecard(corrected, analysis)
}

/** `former`: the verdict of the correction before; null if there was none. */
function withCorrection(before: StoredScorecard, key: string, given: Omit<Correction, 'modelVerdict'> | null) {
  const found = before.criteria.find((one) => one.key === key)
  const keys = before.criteria.map((one) => one.key)
  if (!found) throw invalidInput('input.criterion', `must be a criterion of this scorecard: ${keys.join(', ')}`, keys)
  const modelVerdict = found.verdict
  const correction = given && { ...given, modelVerdict }
  const criteria = before.criteria.map((one) => (one === found ? { ...one, correction } : one))
  return { corrected: { ...before, version: before.version + 1, criteria }, modelVerdict, former: found.correction?.verdict ?? null }
}

function changedMeanwhile(version: number): AppError {
  const detail = 'The scorecard was changed in the meantime. Read it again, and send the correction with its version if it still applies'
  return new AppError('CHANGED_MEANWHILE', { detail, data: { version } })
}
