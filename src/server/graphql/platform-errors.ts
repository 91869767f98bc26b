import type { GraphQLFormattedError } from 'graphql'
import { z } from 'zod'
import { AppError, type ErrorReason } from '../../kernel/errors.ts'
import { formattedError } from './errors.ts'
import type { Answer } from './read-graphql.ts'

/** The answer with a code in each error. The platform gives none to errors of the document, of variables or of the request: `whole` is theirs. */
export function withCodes(answer: Answer, requestId: string, whole: ErrorReason): Answer {
  return answer.errors ? { ...answer, errors: answer.errors.map((error) => withCode(error, requestId, whole)) } : answer
}

/** The same for one error. That of a field is PROVIDER_REFUSED. */
export function withCode<Given extends GraphQLFormattedError>(error: Given, requestId: string, whole: ErrorReason): GraphQLFormattedError {
  if (error.extensions?.['code'] !== undefined) return error
  const { extensions } = formattedError(new AppError(error.path ? 'PROVIDER_REFUSED' : whole), requestId)
  const message =
    !error.path && whole === 'TOKEN_MISSING' && hidesSchema.test(error.message) ? `${error.message} ${signInFirst}` : error.message
  return { ...error, message, extensions: { ...error.extensions, ...extensions } }
}

/** Why the platform refused a whole request: with a `data` member it executed it. */
export function reasonOfRefusal({ status, hasData }: { readonly status: number; readonly hasData: boolean }): ErrorReason {
  if (status >= 500) return 'PROVIDER_UNAVAILABLE'
  if (status === 429) return 'TOO_MANY_TRIES'
  if (status === 401) return 'TOKEN_REFUSED'
  return hasData ? 'PROVIDER_REFUSED' : 'INVALID_INPUT'
}

/** Whether an answer as it came begins with its errors: most such answers have no data. */
export function hasErrorsFirst(body: Uint8Array): boolean {
  // The third byte is that of `errors`: nearly all answers begin with `data`.
  return body[2] === 0x65 && Buffer.from(body.subarray(0, start.length)).toString('latin1') === start
}
const start = '{"errors":['
/** A longer answer is sent as it is. */
const maxBytes = 65_536

const withoutDataSchema = z.looseObject({ data: z.null().optional(), errors: z.array(z.looseObject({ message: z.string() })) })

type Came = { readonly status: number; readonly requestId: string; readonly isAnonymous: boolean }

/** An answer as it came, with a code in each error. One with data, in an unknown form, or with all its codes stays byte for byte. */
export function bodyWithCodes(body: Buffer, { status, requestId, isAnonymous }: Came): Buffer {
  const answer = body.length > maxBytes ? undefined : withoutDataSchema.safeParse(jsonOf(body)).data
  const errors: readonly GraphQLFormattedError[] = answer?.errors ?? []
  if (!answer || errors.every((error) => error.extensions?.['code'] !== undefined)) return body
  const whole = reasonOfRefusal({ status, hasData: 'data' in answer })
  const reasonOf = ({ message }: GraphQLFormattedError): ErrorReason => (isAnonymous && hidesSchema.test(message) ? 'TOKEN_MISSING' : whole)
  return Buffer.from(JSON.stringify({ ...answer, errors: errors.map((error) => withCode(error, requestId, reasonOf(error))) }))
}

/** Without a token the platform knows no records. */
const hidesSchema = /^(?:Cannot query field|Unknown type) /
const signInFirst = 'Sign in first: without an access token the platform shows none of its records'

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}
