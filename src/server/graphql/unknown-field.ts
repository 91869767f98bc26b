import type { HttpContext } from '../http/http-context.ts'

/** So begins the answer of an endpoint that does not have a root field. Without a token the records endpoint has none but `__typename`. */
const refusal = '{"errors":[{"message":"Cannot query field'

export function refusesField(body: Buffer): boolean {
  // The third byte is that of `errors`: nearly all answers begin with `data`.
  return body[2] === 0x65 && body.toString('latin1', 0, refusal.length) === refusal
}

export function isAnonymous({ request }: HttpContext): boolean {
  return request.headers.authorization === undefined
}
