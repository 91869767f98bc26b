import { LRUCache } from 'lru-cache'
import { type DocumentPlans, type Plan, planDocument, type PlanRules } from './plan.ts'

export type PlanCache = {
  plan(source: string, operationName: string): Plan
  readonly figures: { hits: number; misses: number }
}

/** A plan holds the parsed document and parts of its text: some twenty times the text's own size. */
const maxSourceChars = 4_000_000
const maxDocuments = 4_000
/** Longer texts are no frontend's; planning them each time costs their sender more than us. */
const maxKeptChars = 100_000

/** Plans, found once per text. Bounded by number and by the length of the texts. */
export function createPlanCache(rules: PlanRules): PlanCache {
  const documents = new LRUCache<string, DocumentPlans>({
    max: maxDocuments,
    maxSize: maxSourceChars,
    maxEntrySize: maxKeptChars,
    sizeCalculation: (_plans, source) => source.length + 1,
  })
  const figures = { hits: 0, misses: 0 }
  return {
    figures,
    plan(source, operationName) {
      const known = documents.get(source)
      if (known) {
        figures.hits += 1
        return known(operationName)
      }
      figures.misses += 1
      const plans = planDocument(source, rules)
      documents.set(source, plans)
      return plans(operationName)
    },
  }
}
