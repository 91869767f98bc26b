import { z } from 'zod'

/** Everything that may be suggested for a lead. */
export const suggestedActions = [
  'CALL_BACK',
  'BOOK_VISIT',
  'SEND_INFORMATION',
  'FOLLOW_UP_PAYMENT',
  'ESCALATE_TO_MANAGER',
  'CLOSE_LEAD',
  'NO_ACTION',
] as const
export type SuggestedAction = (typeof suggestedActions)[number]

/** The action with this name; null if there is none. */
export function suggestedActionOf(text: string | null): SuggestedAction | null {
  return suggestedActions.find((action) => action === text) ?? null
}

/** The origin of an insight that is only known from the lead's own fields. */
export const unknownOrigin = { reason: null, callBackAt: null, model: null, eventId: null }

/** What the model is asked to fill in. Nullable rather than optional, because strict providers require every field. */
export const insightSchema = z.object({
  summary: z.string().min(1).max(1_000).describe('Who this is and what happened, in two or three plain sentences'),
  suggestedAction: z.enum(suggestedActions).describe('What to do next'),
  reason: z.string().max(300).describe('Why, in one plain sentence'),
  callBackAt: z.iso.datetime({ offset: true }).nullable().describe('When to call back if the caller named a time, else null'),
})
export type Insight = z.output<typeof insightSchema>
