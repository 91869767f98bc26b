import type { Resolvers } from '../../generated.ts'
import type { ReadInsights } from './read-insights.ts'

export type InsightUseCases = { readonly readInsights: ReadInsights }

export function createInsightResolvers({ readInsights }: InsightUseCases): Resolvers {
  return {
    Query: {
      async leadInsights(_root, { leads }, context) {
        return [...(await readInsights(await context.actor(), leads))]
      },
    },
    LeadSummary: {
      async insight({ id, insight }, _arguments, context) {
        if (!insight) return null
        const [read] = await readInsights(await context.actor(), [{ id, ...insight }])
        return read ?? null
      },
    },
  }
}
