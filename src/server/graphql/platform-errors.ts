import type { GraphQLFormattedError } from 'graphql'
import { AppError, type ErrorReason } from '../../kernel/errors.ts'
import { formattedError } from './errors.ts'
import { type Answer, readGraphQL } from './read-graphql.ts'

/**
 * The answer with a code in each error. The platform gives none to errors of the document, of variables or of the request: `whole` is their
 * reason. An error of a field without a code is an UPSTREAM_FAILED.
 */
export function withCodes(answer: Answer, requestId: string, whole: ErrorReason = 'INVALID_INPUT'): Answer {
  return answer.errors ? { ...answer, errors: answer.errors.map((error) => withCode(error, requestId, whole)) } : answer
}

/** The same for one error. */
export function withCode(error: GraphQLFormattedError, requestId: string, whole: ErrorReason = 'INVALID_INPUT'): GraphQLFormattedError {
  if (error.extensions?.['code'] !== undefined) return error
  const { extensions } = formattedError(new AppError(error.path ? 'PROVIDER_REFUSED' : whole), requestId)
  return { ...error, extensions: { ...error.extensions, ...extensions } }
}

/** Whether an answer as it came has errors and no data. Its first bytes say so: the platform writes `errors` first only then. */
export function hasErrorsFirst(body: Buffer): boolean {
  // The third byte is that of `errors`: nearly all answers begin with `data`.
  return body[2] === 0x65 && body.toString('latin1', 0, start.length) === start
}
const start = '{"errors":['
/** A longer answer is sent as it is. */
const maxBytes = 65_536

/** The same for an answer as it came. */
export function bodyWithCodes(body: Buffer, requestId: string, whole?: ErrorReason): Buffer {
  if (body.length > maxBytes) return body
  const answer = readGraphQL({ status: 200, contentType: 'application/json', body })
  return Buffer.from(JSON.stringify(withCodes(answer, requestId, whole)))
}
