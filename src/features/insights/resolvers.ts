import type { Resolvers } from '../../generated.ts'
import type { Ports } from '../../ports/ports.ts'
import { readInsightOfLead, readInsights } from './read-insights.ts'

export function insightResolvers(ports: Pick<Ports, 'store' | 'insightRecords'>): Resolvers {
  return {
    Query: {
      async leadInsights(_root, { leads }, context) {
        return [...(await readInsights(ports, await context.actor(), leads))]
      },
    },
    LeadSummary: {
      async insight({ id, insight }, _arguments, context) {
        const { workspaceId } = await context.principal()
        return readInsightOfLead(ports, workspaceId, { id, ...insight })
      },
    },
  }
}
