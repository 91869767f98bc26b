import { z } from 'zod'
import { invalidInput } from '../../../kernel/errors.ts'
import { parseInput } from '../../../kernel/input.ts'

const maxText = 2_000
const maxParts = 10

const part = z.strictObject({
  type: z.literal('text'),
  text: z.string().max(maxText),
})
/** A visitor's message as the widget sends it. */
export const questionSchema = z.strictObject({
  id: z.uuid('must be a UUID'),
  message: z.strictObject({
    id: z.string().regex(/^[\w-]{1,64}$/, 'must have 1 to 64 letters, digits, - or _'),
    role: z.literal('user'),
    parts: z.array(part).min(1).max(maxParts).describe(`Not blank, and at most ${maxText} characters of text in all.`),
  }),
})

/** The conversation's id and the visitor's message as plain text. Throws INVALID_INPUT, which names each invalid field. */
export function readQuestion(input: unknown): { readonly conversationId: string; readonly id: string; readonly text: string } {
  const { id: conversationId, message } = parseInput(questionSchema, input)
  const text = plain(message.parts.map((one) => one.text).join('\n'))
  if (text === '') throw invalidInput('message.parts.0.text', 'must not be empty')
  if (text.length > maxText) throw invalidInput('message.parts', `must have at most ${maxText} characters of text in all`)
  return { conversationId: conversationId.toLowerCase(), id: message.id, text }
}

/** Without control characters except line ends and tabs. */
function plain(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[^\P{Cc}\n\t]/gu, '')
    .trim()
}
