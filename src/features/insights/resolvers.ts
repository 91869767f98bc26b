import type { Resolvers } from '../../generated.ts'
import type { Ports } from '../../ports/ports.ts'
import { readInsights } from './read-insights.ts'

export function insightResolvers(ports: Pick<Ports, 'store' | 'insightRecords'>): Resolvers {
  return {
    Query: {
      async leadInsights(_root, { leads }, context) {
        return [...(await readInsights(ports, await context.actor(), leads))]
      },
    },
    LeadSummary: {
      async insight({ id, insight }, _arguments, context) {
        if (!insight) return null
        const [read] = await readInsights(ports, await context.actor(), [{ id, ...insight }])
        return read ?? null
      },
    },
  }
}
