import { z } from 'zod'
import { parseInput } from '../../kernel/input.ts'

const origin = z
  .string()
  .trim()
  .transform((text, context) => {
    const found = originOf(text)
    if (found !== null) return found
    context.addIssue({ code: 'custom', message: 'must be an origin such as https://www.hospital.example, without a path' })
    return z.NEVER
  })

const schema = z.strictObject({ origins: z.array(origin) })

/** The origins of a new key as browsers send them, without duplicates. Throws INVALID_INPUT, which names each invalid one. */
export function allowedOrigins(input: unknown): readonly string[] {
  return [...new Set(parseInput(schema, input, 'input').origins)]
}

/** The text as a browser sends an origin; null if it is not an http(s) origin. */
function originOf(text: string): string | null {
  if (!/^https?:\/\/[^/?#@*\s]+\/?$/i.test(text) || !URL.canParse(text)) return null
  return new URL(text).origin
}
