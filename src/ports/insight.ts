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

/**
 * Makes the model's text safe for a record that people open in a browser: removes tags, links, control characters and Markdown. A hostile
 * note may mislead the model, but its text stays plain.
 */
export function plainText(text: string, longest: number): string {
  // A model may answer at any length, and only the beginning is used.
  const decoded = text
    .normalize('NFKC')
    .slice(0, 4 * longest)
    .replaceAll(/&(?:#x?[0-9a-f]+|[a-z]+);/gi, ' ')
  const plain = decoded
    .replaceAll(/<[^>]*>?/g, ' ')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)?/g, '$1')
    .replaceAll(/\b[a-z][a-z0-9+.-]*:\/\/\S*/gi, ' ')
    .replaceAll(/\b(?:javascript|data|vbscript|mailto|tel|https?|ftp|file):\S*/gi, ' ')
    .replaceAll(/\b(?:www\.)?(?:[a-z0-9-]+\.)+[a-z]{2,}(?:[/?#]\S*)?/gi, (found) => (isAbbreviation(found) ? found : ' '))
    .replaceAll(/[<>`*_[\]{}|\\]/g, ' ')
    .replaceAll(/\p{Cc}|\p{Cf}/gu, ' ')
  return cut(plain.replaceAll(/\s+/g, ' ').trim(), longest)
}

/** "Dr.Rao" or "e.g" look like host names but are ordinary words. */
function isAbbreviation(found: string): boolean {
  return /^(?:e\.g|i\.e|a\.m|p\.m|(?:dr|mr|mrs|ms)\.[a-z]+)$/i.test(found)
}

function cut(text: string, longest: number): string {
  if (text.length <= longest) return text
  const short = text.slice(0, longest - 1)
  return `${short.slice(0, Math.max(short.lastIndexOf(' '), longest / 2))}…`
}
