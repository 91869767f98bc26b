import { z } from 'zod'
import { suggestedActions } from '../../ports/insight.ts'

const storedInsightSchema = z.object({
  eventId: z.string(),
  occurredAt: z.string(),
  writtenAt: z.string(),
  model: z.string(),
  summary: z.string(),
  suggestedAction: z.enum(suggestedActions),
  reason: z.string(),
  callBackAt: z.string().nullable(),
  /** The last call that it is about; null if the lead had none. */
  ucid: z.string().nullable(),
  /** The analysed recordings that the model knew. */
  recordings: z.array(z.object({ callId: z.string(), analyzedAt: z.string() })),
  /** Written again because a recording was analysed, not because a call ended. */
  isRenewal: z.boolean(),
})
/** An insight with its origin, as our store has it. The platform's lead has some of the fields. */
export type StoredInsight = z.output<typeof storedInsightSchema>

/** The key of the lead's newest insight. */
export const insightKey = (workspaceId: string, leadId: string): string => `insight:${workspaceId}:${leadId}`

/** Null for null and for a text that is not an insight. */
export function parseInsight(text: string | null): StoredInsight | null {
  return text === null ? null : (storedInsightSchema.safeParse(JSON.parse(text)).data ?? null)
}
