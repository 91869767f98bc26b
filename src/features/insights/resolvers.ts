import type { Resolvers } from '../../generated.ts'
import type { Ports } from '../../ports/ports.ts'
import { readInsightOfLead, readInsights } from './read-insights.ts'

export function insightResolvers(ports: Pick<Ports, 'store' | 'insightRecords'>): Resolvers {
  return {
    Query: {
      async leadInsights(_root, { leads }, context) {
        const insights = await readInsights(ports, await context.actor(), leads)
        return insights.map((insight, at) => insight && { id: leads[at]?.id ?? '', ...insight })
      },
    },
    LeadSummary: {
      async insight({ id, insight }, _arguments, context) {
        const { workspaceId } = await context.principal()
        const known = await readInsightOfLead(ports, workspaceId, { id, ...insight })
        return known && { id, ...known }
      },
    },
  }
}
