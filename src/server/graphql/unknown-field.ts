import type { HttpContext } from '../http/http-context.ts'
import { AppError } from '../../kernel/errors.ts'
import { formattedError } from './errors.ts'
import { type Answer, readGraphQL } from './read-graphql.ts'

/** So begins the answer of an endpoint that does not have a root field. Without a token the records endpoint has none but `__typename`. */
const refusal = '{"errors":[{"message":"Cannot query field'

export function refusesField(body: Buffer): boolean {
  // The third byte is that of `errors`: nearly all answers begin with `data`.
  return body[2] === 0x65 && body.toString('latin1', 0, refusal.length) === refusal
}

/** The answer to a request without a token: errors of the platform that have no code say that the token is missing. */
export function withMissingToken(answer: Answer, requestId: string): Answer {
  const { extensions = {} } = formattedError(new AppError('TOKEN_MISSING'), requestId)
  const errors = answer.errors?.map((error) => (error.extensions?.['code'] === undefined ? { ...error, extensions } : error))
  return errors ? { ...answer, errors } : answer
}

export function isAnonymous({ request }: HttpContext): boolean {
  return request.headers.authorization === undefined
}

/** The same for an answer as it came. */
export function bodyWithMissingToken(body: Buffer, requestId: string): Buffer {
  const answer = readGraphQL({ status: 200, contentType: 'application/json', body })
  return Buffer.from(JSON.stringify(withMissingToken(answer, requestId)))
}
