import { z } from 'zod'
import { type FieldFault, invalidFields, maxErrors } from './errors.ts'
import { withoutTurning } from './text.ts'
import { validationMessage } from './validation-message.ts'

/**
 * Parses input from a client. One INVALID_INPUT error names every invalid field; `at` is the prefix of each path.
 */
export function parseInput<Schema extends z.ZodType>(schema: Schema, value: unknown, at = ''): z.output<Schema> {
  const parsed = schema.safeParse(value, { error: validationMessage })
  if (parsed.success) return parsed.data
  throw invalidFields(parsed.error.issues.slice(0, maxErrors).flatMap((issue) => fieldFaults(issue, at)))
}

function withoutControl(text: z.ZodString) {
  return text.min(1, 'must not be empty').refine((entered) => !/\p{Cc}/u.test(entered), 'must have no control characters')
}

/** One line of text that a person enters; without marks that turn round what follows. The contract limits its length. */
export const lineInput = withoutControl(z.string().overwrite(withoutTurning).trim())

/** A text that is used unchanged, such as a password. The contract limits its length. */
export const secretInput = withoutControl(z.string())

/** An e-mail address as the platform stores and compares it: in lower case, without spaces around it. */
export const emailInput = z
  .string()
  .trim()
  .toLowerCase()
  .max(254, 'is too long for an e-mail address')
  .pipe(z.email('must be an e-mail address'))

/** The address of a service, without closing slashes. */
export const addressInput = z
  .url({ protocol: /^https?$/, error: 'must be an http(s) address' })
  .max(2_000, 'must have at most 2000 characters')
  .transform((url) => url.replace(/\/+$/, ''))

function fieldFaults(issue: z.core.$ZodIssue, at: string): FieldFault[] {
  const own = issue.path.map(String).join('.')
  const path = [at, own].filter((part) => part !== '').join('.')
  if (issue.code === 'unrecognized_keys') {
    const unknown = issue.keys.slice(0, maxErrors).map((key) => [path, key].filter((part) => part !== '').join('.'))
    return unknown.map((path) => ({ path, message: 'is not a known field' }))
  }
  const allowed = issue.code === 'invalid_value' ? issue.values.map(String) : undefined
  return [allowed ? { path, message: issue.message, allowed } : { path, message: issue.message }]
}
