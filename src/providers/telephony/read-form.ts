import { invalidInput } from '../../kernel/errors.ts'

/** Providers send a dozen. Reading a hundred thousand holds the event loop for 0.2 s. */
const mostFields = 1_000

/** The fields of a form (`application/x-www-form-urlencoded`). Throws INVALID_INPUT if it has more than a thousand. */
export function readForm(body: string): URLSearchParams {
  if (body.split('&', mostFields + 1).length > mostFields) throw invalidInput('body', `must have at most ${mostFields} fields`)
  return new URLSearchParams(body)
}
