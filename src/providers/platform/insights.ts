import type { InsightRecords } from '../../insights/ports.ts'
import type { Records } from './records.ts'

/** Insights in the lead's own fields. */
export function createInsightRecords(records: Records): InsightRecords {
  return {
    async write(access, leadId, { summary, suggestedAction, writtenAt }) {
      await records.update(access, 'lead', {
        id: leadId,
        values: { aiSummary: summary, aiSuggestedAction: suggestedAction, aiInsightAt: writtenAt },
      })
    },
  }
}
