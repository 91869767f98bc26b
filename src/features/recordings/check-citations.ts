import type { Criterion } from '../../ports/configuration/criteria.ts'
import { plainText } from '../../kernel/text.ts'
import type { CallInsights } from './recording-analysis.ts'
import type { FilledForm } from './insight-form.ts'
import type { Utterance } from './number-utterances.ts'

const maxLength = 400

type Cited = { readonly evidence: readonly string[] }

/**
 * Only the statements of the model that cite utterances, all of which exist. The others are dropped and counted. NOT_APPLICABLE needs no
 * citation.
 */
export function checkCitations(form: FilledForm, criteria: readonly Criterion[], utterances: readonly Utterance[]): CallInsights {
  const known = new Set(utterances.map(({ id }) => id))
  let dropped = 0
  const isProven = ({ evidence }: Cited): boolean => {
    const good = evidence.length > 0 && evidence.every((id) => known.has(id))
    if (!good) dropped += 1
    return good
  }
  const cited = <T extends Cited>(statement: T): { evidence: string[] } & Omit<T, 'evidence'> => ({
    ...statement,
    evidence: [...new Set(statement.evidence)],
  })
  const statements = (all: FilledForm['wentWell']): CallInsights['wentWell'] =>
    all.filter(isProven).map((statement) => ({ ...cited(statement), text: plainText(statement.text, maxLength) }))

  const { outcome, satisfaction } = form
  const compliance = criteria.flatMap(({ key, question: rule }, index) => {
    const verdict = form.compliance[`rule${index + 1}`]
    if (!verdict) return []
    if (verdict.verdict === 'NOT_APPLICABLE') return [{ key, rule, ...verdict, reason: plainText(verdict.reason, maxLength), evidence: [] }]
    return isProven(verdict) ? [{ key, rule, ...cited(verdict), reason: plainText(verdict.reason, maxLength) }] : []
  })
  const checked = {
    outcome: isProven(outcome) ? { ...cited(outcome), text: plainText(outcome.text, maxLength) } : null,
    wentWell: statements(form.wentWell),
    toImprove: statements(form.toImprove),
    compliance,
    satisfaction: isProven(satisfaction) ? { ...cited(satisfaction), reason: plainText(satisfaction.reason, maxLength) } : null,
  }
  return { ...checked, dropped }
}
