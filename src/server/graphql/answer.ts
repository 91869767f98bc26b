import type { ExecutionResult, FormattedExecutionResult, GraphQLFormattedError } from 'graphql'
import type { AppError } from '../../kernel/errors.ts'
import { BodyTooLarge } from '../http/body.ts'
import type { HttpContext } from '../http/http-context.ts'
import { statusOf } from '../http/problem.ts'
import { formattedError } from './errors.ts'

/** A client that takes nothing of its answer for so long is left. */
export const slowReaderMs = 60_000

export type MediaType = 'application/json' | 'application/graphql-response+json'

const known = new Map<string, MediaType | null>()
const maxKnown = 200

/**
 * Which of the two forms of an answer the Accept header prefers; `application/json` where there is no header. Null where it takes neither:
 * what wants a stream, or nothing that we have, is Yoga's to answer.
 */
export function mediaTypeFor(accept: string | undefined): MediaType | null {
  if (accept === undefined) return 'application/json'
  const before = known.get(accept)
  if (before !== undefined) return before
  const found = negotiate(accept)
  if (known.size < maxKnown) known.set(accept, found)
  return found
}

/** The one with the highest quality; of equals the one named first. */
function negotiate(accept: string): MediaType | null {
  const [best] = accept
    .split(',')
    .map((range) => readRange(range))
    .filter(({ mediaType, quality }) => mediaType !== null && quality > 0)
    .sort((a, b) => b.quality - a.quality)
  return best?.mediaType ?? null
}

function readRange(range: string): { mediaType: MediaType | null; quality: number } {
  const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
  const isAny = name === '*/*' || name === 'application/*'
  return { mediaType: isAny ? 'application/json' : isMediaType(name) ? name : null, quality: quality === undefined ? 1 : Number(quality) }
}

function isMediaType(name: string): name is MediaType {
  return name === 'application/json' || name === 'application/graphql-response+json'
}

/** Writes the result of an operation: 200 where it was executed; in the newer form a request that was not gets a status of its own. */
function sendResult(ctx: HttpContext, result: ExecutionResult | FormattedExecutionResult, mediaType: MediaType): void {
  sendBody(ctx, { body: Buffer.from(JSON.stringify(result)), status: statusFor(result, mediaType), mediaType })
}

/** What running an operation came to: a result, or one that is JSON already (`executed`: false where the document was refused). */
export type OperationOutcome =
  | { readonly result: ExecutionResult | FormattedExecutionResult }
  | { readonly body: Uint8Array; readonly executed: boolean }

export function sendOutcome(ctx: HttpContext, ran: OperationOutcome, mediaType: MediaType): void {
  if ('result' in ran) return sendResult(ctx, ran.result, mediaType)
  const status = ran.executed || mediaType === 'application/json' ? 200 : 400
  sendBody(ctx, { body: Buffer.from(ran.body.buffer, ran.body.byteOffset, ran.body.byteLength), status, mediaType })
}

export type AnswerBody = { readonly body: Buffer; readonly status: number; readonly mediaType: MediaType }

export function sendBody(ctx: HttpContext, { body, status, mediaType }: AnswerBody): void {
  const head = ['content-type', `${mediaType}; charset=utf-8`, 'content-length', String(body.length), 'cache-control', 'no-store']
  ctx.writeHead(status, head)
  ctx.response.end(body)
}

function statusFor(result: ExecutionResult | FormattedExecutionResult, mediaType: MediaType): number {
  if (mediaType === 'application/json' || 'data' in result) return 200
  const code = result.errors?.[0]?.extensions?.['code']
  return isCode(code) ? statusOf[code] : 400
}

function isCode(code: unknown): code is keyof typeof statusOf {
  return typeof code === 'string' && code in statusOf
}

/** Writes an error of the request as a whole (not of an operation that ran) in GraphQL's shape, with the status of its code. */
export function sendRequestError(ctx: HttpContext, error: AppError, ownStatus?: number): void {
  const mediaType = mediaTypeFor(ctx.request.headers.accept) ?? 'application/json'
  const errors: readonly GraphQLFormattedError[] = [formattedError(error, ctx.requestId)]
  const retryAfter = error.data?.retryAfterSeconds
  if (retryAfter !== undefined) ctx.response.setHeader('retry-after', Math.max(1, Math.ceil(retryAfter)))
  const status = ownStatus ?? (error instanceof BodyTooLarge ? 413 : statusOf[error.code])
  sendBody(ctx, { body: Buffer.from(JSON.stringify({ errors })), status, mediaType })
}

/** An operation that is refused before it runs: with 200 for `application/json`, as clients of that form expect of a wrong document. */
export function sendRefusal(ctx: HttpContext, error: AppError, mediaType: MediaType): void {
  sendResult(ctx, { errors: [formattedError(error, ctx.requestId)] }, mediaType)
}
