import type { z } from 'zod'

const types: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
}

/**
 * The message for an invalid value; undefined if the message of the schema or of zod is better. Use it as `safeParse(value, { error:
 * validationMessage })`.
 */
export function validationMessage(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_type') return issue.input === undefined ? 'is required' : `must be ${types[issue.expected] ?? issue.expected}`
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`
  if (issue.code === 'too_small') return `must ${amount(issue.origin, 'at least', issue.minimum)}`
  return issue.code === 'too_big' ? `must ${amount(issue.origin, 'at most', issue.maximum)}` : undefined
}

function amount(origin: string, bound: string, limit: number | bigint): string {
  if (origin === 'string') return `have ${bound} ${limit} characters`
  return origin === 'array' || origin === 'set' ? `have ${bound} ${limit} entries` : `be ${bound} ${limit}`
}
