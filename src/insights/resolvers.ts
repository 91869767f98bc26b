import type { Resolvers } from '../server/graphql/generated.ts'
import type { ReadInsights } from './read-insights.ts'

export type InsightUseCases = { readonly readInsights: ReadInsights }

export function createInsightResolvers({ readInsights }: InsightUseCases): Resolvers {
  return {
    Query: {
      async leadInsights(_root, { leads }, context) {
        return [...(await readInsights(await context.caller(), leads))]
      },
    },
  }
}
