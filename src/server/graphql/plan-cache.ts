import { LRUCache } from 'lru-cache'
import { type DocumentPlans, type Plan, planDocument, type PlanRules } from './plan.ts'

export type PlanCache = {
  plan(source: string, operationName: string): Plan
  readonly figures: { hits: number; misses: number }
}

/** Strangers may fill it, because a document is planned before its sender is known. */
const maxBytes = 40_000_000
const maxDocuments = 4_000
/** No frontend sends documents that take more: they are planned each time. */
const maxEntryBytes = 4_000_000

/** Plans each text once. Bounded by number and by what the plans hold. */
export function createPlanCache(rules: PlanRules): PlanCache {
  const documents = new LRUCache<string, DocumentPlans>({
    max: maxDocuments,
    maxSize: maxBytes,
    maxEntrySize: maxEntryBytes,
    sizeCalculation: (plans) => plans.bytes,
  })
  const figures = { hits: 0, misses: 0 }
  return {
    figures,
    plan(source, operationName) {
      const known = documents.get(source)
      figures[known ? 'hits' : 'misses'] += 1
      const plans = known ?? planDocument(source, rules)
      const before = known?.bytes
      const plan = plans.of(operationName)
      if (plans.bytes !== before) documents.set(source, plans)
      return plan
    },
  }
}
