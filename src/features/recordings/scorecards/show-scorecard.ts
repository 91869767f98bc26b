import { isoMoment } from '../../../kernel/clock.ts'
import { utteranceId } from '../analysis-fields.ts'
import type { RecordingAnalysis } from '../recording-analysis.ts'
import { type Correction, finalVerdicts, type ScoredCriterion, scoreOf, type StoredScorecard } from './stored-scorecard.ts'

type Verdict = Correction['verdict']
/** `reason` is null, and `evidence` empty, when the analysis has ended. */
export type ModelVerdict = { readonly verdict: Verdict; readonly reason: string | null; readonly evidence: readonly string[] }
export type ShownCriterion = Pick<ScoredCriterion, 'key' | 'name' | 'question' | 'weight'> & {
  readonly model: ModelVerdict | null
  readonly correction: Omit<Correction, 'modelVerdict'> | null
  /** The one that counts. */
  readonly verdict: Verdict | null
}
export type Scorecard = Omit<StoredScorecard, 'at' | 'criteria'> & {
  readonly at: string
  readonly modelScore: number | null
  readonly score: number | null
  readonly criteria: readonly ShownCriterion[]
}

/** A scorecard with what the analysis says about its verdicts, as long as that is stored. */
export function showScorecard(stored: StoredScorecard, analysis: RecordingAnalysis | null): Scorecard {
  const { callId, at, criteria, ...rest } = stored
  const judged = analysis?.analyzedAt === stored.analyzedAt ? (analysis.insights?.compliance ?? []) : []
  const modelOf = ({ key, verdict }: ScoredCriterion): ModelVerdict | null => {
    if (verdict === null) return null
    const found = judged.find((one) => one.key === key)
    return { verdict, reason: found?.reason ?? null, evidence: (found?.evidence ?? []).map((known) => utteranceId(callId, known)) }
  }
  return {
    ...rest,
    callId,
    at: isoMoment(at),
    modelScore: scoreOf(criteria),
    score: scoreOf(finalVerdicts(criteria)),
    criteria: criteria.map((criterion) => {
      const { key, name, question, weight, verdict, correction } = criterion
      return { key, name, question, weight, model: modelOf(criterion), correction, verdict: correction?.verdict ?? verdict }
    }),
  }
}
