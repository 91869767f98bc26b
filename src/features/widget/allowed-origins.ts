import { z } from 'zod'
import { parseInput } from '../../kernel/input.ts'

const mostOrigins = 20

const origin = z
  .string()
  .trim()
  .max(300)
  .transform((text, context) => {
    const found = originOf(text)
    if (found !== null) return found
    context.addIssue({ code: 'custom', message: 'must be an origin such as https://www.hospital.example, without a path' })
    return z.NEVER
  })

const schema = z.strictObject({ origins: z.array(origin).min(1).max(mostOrigins) })

/** The origins of a new key in the form in which browsers send them, each once. Throws INVALID_INPUT, naming each that is none. */
export function allowedOrigins(input: unknown): readonly string[] {
  return [...new Set(parseInput(schema, input, 'input').origins)]
}

/** The origin that this text is, in a browser's form; null where it is none, or of no page on the web. */
function originOf(text: string): string | null {
  if (!/^https?:\/\/[^/?#@*\s]+\/?$/i.test(text) || !URL.canParse(text)) return null
  return new URL(text).origin
}
