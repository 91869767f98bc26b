import { LRUCache } from 'lru-cache'
import { type DocumentPlans, type Plan, planDocument, type PlanRules } from './plan.ts'

export type PlanCache = {
  plan(source: string, operationName: string): Plan
  readonly figures: { hits: number; misses: number }
}

/** A plan holds the parsed document and parts of its text, in all about twenty times the size of the text. */
const maxSourceChars = 4_000_000
const maxDocuments = 4_000
/** No frontend sends longer texts: they are planned each time. */
const maxCachedChars = 100_000

/** Plans each text once. Bounded by number and by the length of the texts. */
export function createPlanCache(rules: PlanRules): PlanCache {
  const documents = new LRUCache<string, DocumentPlans>({
    max: maxDocuments,
    maxSize: maxSourceChars,
    maxEntrySize: maxCachedChars,
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
