import type { Criterion } from '../../../ports/configuration/criteria.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { Ports } from '../../../ports/ports.ts'
import type { RecordingAnalysis } from '../recording-analysis.ts'
import { callTime } from '../search/index-analysis.ts'
import { correctedMs, parseScorecard, type ScoredCriterion, scorecardKey, type StoredScorecard } from './stored-scorecard.ts'

const maxTries = 20

/** The criteria of an analysis, and the analysis. */
export type Judged = { readonly analysis: RecordingAnalysis; readonly criteria: readonly Criterion[] }

/**
 * Stores the model's verdicts as the scorecard of the call; a criterion without a verdict stays without. Managers' corrections stay when a call
 * is analysed again, also of criteria that are no longer asked. Repeatable. Errors: STORE_UNAVAILABLE, OVERLOADED.
 */
export async function recordScorecard(
  { store, clock }: Pick<Ports, 'store' | 'clock'>,
  workspaceId: string,
  { analysis, criteria }: Judged,
): Promise<void> {
  const key = scorecardKey({ workspaceId, callId: analysis.callId })
  for (let tries = 0; tries < maxTries; tries += 1) {
    const expected = await store.get(key)
    const next = scorecardOf({ analysis, criteria }, parseScorecard(expected))
    if (!next) return
    const isCorrected = next.criteria.some(({ correction }) => correction !== null)
    const ttlMs = isCorrected ? correctedMs : Date.parse(analysis.expiresAt) - clock.now()
    const value = JSON.stringify(next)
    if (await (expected === null ? store.setIfAbsent(key, value, { ttlMs }) : store.compareAndSet(key, { expected, value, ttlMs }))) return
  }
  throw new AppError('OVERLOADED', { data: { retryAfterSeconds: 1 } })
}

/** Null if there is nothing to judge. */
function scorecardOf({ analysis, criteria }: Judged, before: StoredScorecard | null): StoredScorecard | null {
  const { callId, agentId, analyzedAt, insights } = analysis
  const verdicts = new Map((insights?.compliance ?? []).map(({ key, verdict }) => [key, verdict]))
  const corrections = new Map((before?.criteria ?? []).map(({ key, correction }) => [key, correction]))
  const asked = criteria.map(({ key, name, question, weight }): ScoredCriterion => ({
    key,
    name,
    question,
    weight,
    verdict: verdicts.get(key) ?? null,
    correction: corrections.get(key) ?? null,
  }))
  const keys = new Set(asked.map(({ key }) => key))
  const noLongerAsked = (before?.criteria ?? []).filter(({ key, correction }) => correction !== null && !keys.has(key))
  const all = [...asked, ...noLongerAsked]
  if (all.length === 0) return null
  return { callId, agentId, at: callTime(analysis), analyzedAt, version: (before?.version ?? 0) + 1, criteria: all }
}

/** For an analysis of an earlier version, whose criteria are known only by their verdicts. A scorecard that exists stays. */
export async function recordEarlierScorecard(
  ports: Pick<Ports, 'store' | 'clock'>,
  workspaceId: string,
  analysis: RecordingAnalysis,
): Promise<void> {
  if ((await ports.store.get(scorecardKey({ workspaceId, callId: analysis.callId }))) !== null) return
  const criteria = (analysis.insights?.compliance ?? []).map(({ key, rule }) => ({
    key,
    name: rule.slice(0, 80),
    question: rule,
    weight: 1,
  }))
  await recordScorecard(ports, workspaceId, { analysis, criteria })
}
