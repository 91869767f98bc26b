import { AppError } from '../../kernel/errors.ts'
import { isUuid } from '../../kernel/ids.ts'
import type { InsightRecords, WrittenInsight } from '../../ports/insight-records.ts'
import type { LeadNotes } from '../../ports/lead-notes.ts'
import { withId } from './filter.ts'
import type { Records } from './records.ts'

/** Insights in the lead's own fields; if the workspace lacks them, in one note on the lead. */
export function createInsightRecords({ records, leadNotes }: { readonly records: Records; readonly leadNotes: LeadNotes }): InsightRecords {
  return {
    async write(access, leadId, insight) {
      const lead = await records.object(access, 'lead')
      if (lead && lead.column('aiSummary') === null) {
        const [found] = await records.list(access, 'lead', { fields: [], filter: () => withId(leadId), first: 1 })
        if (!found) throw new AppError('NOT_FOUND')
        return leadNotes.write(access, { leadId, reference: `insight:${leadId}`, title: 'Call insight', text: inWords(insight) })
      }
      const { summary, suggestedAction, writtenAt } = insight
      await records.update(access, 'lead', {
        id: leadId,
        values: { aiSummary: summary, aiSuggestedAction: suggestedAction, aiInsightAt: writtenAt },
      })
    },
    async readable(access, leadIds) {
      const ids = leadIds.filter(isUuid)
      if (ids.length === 0) return new Set()
      const rows = await records.list(access, 'lead', { fields: [], filter: () => ({ id: { in: ids } }), first: ids.length })
      return new Set(rows.map(({ id }) => id))
    },
  }
}

function inWords({ summary, suggestedAction }: WrittenInsight): string {
  return `${summary}\n\nSuggested: ${suggestedAction.toLowerCase().replaceAll('_', ' ')}`
}
