import { z } from 'zod'
import { suggestedActions } from '../../ports/insight.ts'

const keptInsightSchema = z.object({
  eventId: z.string(),
  occurredAt: z.string(),
  writtenAt: z.string(),
  model: z.string(),
  summary: z.string(),
  suggestedAction: z.enum(suggestedActions),
  reason: z.string(),
  callBackAt: z.string().nullable(),
})
/** An insight with where it came from, as our store keeps it beside the lead's fields. */
export type KeptInsight = z.output<typeof keptInsightSchema>

/** The newest insight of a lead. */
export const insightKey = (workspaceId: string, leadId: string): string => `insight:${workspaceId}:${leadId}`

export function parseInsight(text: string | null): KeptInsight | null {
  return text === null ? null : (keptInsightSchema.safeParse(JSON.parse(text)).data ?? null)
}
