import { plainText } from '../../ports/insight.ts'
import type { CallInsights } from './analysis.ts'
import type { FilledForm } from './insight-form.ts'
import type { Utterance } from './transcript.ts'

const longest = 400

type Cited = { readonly evidence: readonly string[] }

/**
 * What of the model's statements stands: each must cite utterances, and only such as there are. The others are dropped and counted. That a
 * rule did not apply is said about no utterance and needs none.
 */
export function checkCitations(form: FilledForm, rules: readonly string[], utterances: readonly Utterance[]): CallInsights {
  const known = new Set(utterances.map(({ id }) => id))
  let dropped = 0
  const stands = ({ evidence }: Cited): boolean => {
    const good = evidence.length > 0 && evidence.every((id) => known.has(id))
    if (!good) dropped += 1
    return good
  }
  const cited = <T extends Cited>(statement: T): { evidence: string[] } & Omit<T, 'evidence'> => ({
    ...statement,
    evidence: [...new Set(statement.evidence)],
  })
  const statements = (all: FilledForm['wentWell']): CallInsights['wentWell'] =>
    all.filter(stands).map((statement) => ({ ...cited(statement), text: plainText(statement.text, longest) }))

  const { outcome, satisfaction } = form
  const compliance = rules.flatMap((rule, index) => {
    const verdict = form.compliance[`rule${index + 1}`]
    if (!verdict) return []
    if (verdict.verdict === 'NOT_APPLICABLE') return [{ rule, ...verdict, reason: plainText(verdict.reason, longest), evidence: [] }]
    return stands(verdict) ? [{ rule, ...cited(verdict), reason: plainText(verdict.reason, longest) }] : []
  })
  const kept = {
    outcome: stands(outcome) ? { ...cited(outcome), text: plainText(outcome.text, longest) } : null,
    wentWell: statements(form.wentWell),
    toImprove: statements(form.toImprove),
    compliance,
    satisfaction: stands(satisfaction) ? { ...cited(satisfaction), reason: plainText(satisfaction.reason, longest) } : null,
  }
  return { ...kept, dropped }
}
