import type { Declared } from '../../ports/stored/declaration.ts'
import { insightAnswers, insightLease, storedInsights, writtenInsights } from './stored-insight.ts'

/** What this feature stores. */
export const insightStoredValues: readonly { readonly declaration: Declared }[] = [
  insightAnswers,
  insightLease,
  storedInsights,
  writtenInsights,
]
