import { z } from 'zod'
import { invalidInput } from '../../../kernel/errors.ts'
import { parseInput } from '../../../kernel/input.ts'

const longestText = 2_000
const mostParts = 10

const part = z.strictObject({
  type: z.literal('text'),
  text: z.string().max(longestText),
})
/** A visitor's message as the widget sends it. */
export const questionSchema = z.strictObject({
  id: z.uuid('must be a UUID'),
  message: z.strictObject({
    id: z.string().regex(/^[\w-]{1,64}$/, 'must have 1 to 64 letters, digits, - or _'),
    role: z.literal('user'),
    parts: z.array(part).min(1).max(mostParts),
  }),
})

/** What a visitor has sent: which talk, and their message in plain text. Throws INVALID_INPUT, naming each field that is not as it must be. */
export function readQuestion(input: unknown): { readonly talkId: string; readonly id: string; readonly text: string } {
  const { id: talkId, message } = parseInput(questionSchema, input)
  const text = plain(message.parts.map((one) => one.text).join('\n'))
  if (text === '') throw invalidInput('message.parts.0.text', 'must say something')
  if (text.length > longestText) throw invalidInput('message.parts', `must have at most ${longestText} characters of text in all`)
  return { talkId: talkId.toLowerCase(), id: message.id, text }
}

/** Without control characters, which nobody writes; line ends and tabs stay. */
function plain(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[^\P{Cc}\n\t]/gu, '')
    .trim()
}
