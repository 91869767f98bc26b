import type { Principal } from '../../../access/principal.ts'
import type { Ports } from '../../../ports/ports.ts'
import { type ScorecardRange, scorecardBatches } from './list-scorecards.ts'
import type { ScoredCriterion } from './stored-scorecard.ts'

/** How often managers and the model came to the same verdict. */
export type Agreement = {
  /** Verdicts of managers where the model had one. */
  readonly reviewed: number
  readonly agreed: number
  /** `agreed` of `reviewed`: 0 to 1; null if nothing was reviewed. */
  readonly agreement: number | null
  /** Managers said BROKEN, the model did not. */
  readonly overlooked: number
  /** The model said BROKEN, managers did not. */
  readonly falseAlarms: number
  /** Verdicts of managers where the model had none. */
  readonly withoutModel: number
}

const mostRead = 5_000

type Counts = { name: string; reviewed: number; agreed: number; overlooked: number; falseAlarms: number; withoutModel: number }
const none = { reviewed: 0, agreed: 0, overlooked: 0, falseAlarms: 0, withoutModel: 0 }

/**
 * The agreement over the corrected scorecards of a range, at most the newest 5,000 (`complete` is false if there are more), in all and for each
 * criterion. A manager's verdict that confirms the model's counts as agreed. Errors: INVALID_INPUT, STORE_UNAVAILABLE.
 */
export async function scorecardAgreement(ports: Pick<Ports, 'store' | 'clock'>, { workspaceId }: Principal, range: ScorecardRange) {
  const byKey = new Map<string, Counts>()
  const total: Counts = { name: '', ...none }
  let scorecards = 0
  let complete = true
  for await (const found of scorecardBatches(ports, workspaceId, { ...range, correctedOnly: true, before: null })) {
    for (const scorecard of found.scorecards) {
      if (!scorecard) continue
      scorecards += 1
      for (const criterion of scorecard.criteria) {
        if (!criterion.correction) continue
        // The newest comes first: a criterion is called as it was last.
        const own = byKey.get(criterion.key) ?? { name: criterion.name, ...none }
        byKey.set(criterion.key, own)
        count(own, criterion.correction)
        count(total, criterion.correction)
      }
    }
    complete = scorecards < mostRead
    if (!complete) break
  }
  return {
    scorecards,
    complete,
    total: agreementOf(total),
    criteria: [...byKey]
      .map(([key, counts]) => ({ key, name: counts.name, counts: agreementOf(counts) }))
      .toSorted((a, b) => a.key.localeCompare(b.key)),
  }
}

function count(counts: Counts, { verdict, modelVerdict }: NonNullable<ScoredCriterion['correction']>): void {
  if (modelVerdict === null) {
    counts.withoutModel += 1
    return
  }
  counts.reviewed += 1
  if (verdict === modelVerdict) counts.agreed += 1
  else if (verdict === 'BROKEN') counts.overlooked += 1
  else if (modelVerdict === 'BROKEN') counts.falseAlarms += 1
}

function agreementOf({ name: _name, ...counts }: Counts): Agreement {
  const { reviewed, agreed } = counts
  return { ...counts, agreement: reviewed === 0 ? null : Math.round((10_000 * agreed) / reviewed) / 10_000 }
}
