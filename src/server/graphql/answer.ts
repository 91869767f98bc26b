import type { ExecutionResult, FormattedExecutionResult, GraphQLFormattedError } from 'graphql'
import type { AppError } from '../../kernel/errors.ts'
import { nextSlice } from '../../kernel/loop-slices.ts'
import { BodyTooLarge } from '../http/body.ts'
import type { HttpContext } from '../http/http-context.ts'
import { statusOf } from '../http/problem.ts'
import { formattedError } from './errors.ts'
import { NotAcceptable } from './invalid-answer.ts'
import { hasErrorsFirst } from './platform-errors.ts'

/** A client that takes nothing of its answer for this time is disconnected. */
export const slowReaderMs = 60_000

export type MediaType = 'application/json' | 'application/graphql-response+json'

const known = new Map<string, MediaType | null>()
const maxKnown = 200

/**
 * The media type that the Accept header prefers; `application/json` without a header. Null if it accepts neither of the two: Yoga answers a
 * request for a stream or for a type that does not exist here.
 */
export function mediaTypeFor(accept: string | undefined): MediaType | null {
  if (accept === undefined) return 'application/json'
  const before = known.get(accept)
  if (before !== undefined) return before
  const found = negotiate(accept)
  if (known.size < maxKnown) known.set(accept, found)
  return found
}

/** Whether the client takes an answer in parts: it must say so, a wildcard is not enough. */
export function acceptsParts(accept: string | null | undefined): boolean {
  return accept?.split(',').some((range) => partTypes.has(range.split(';', 1).join('').trim().toLowerCase())) ?? false
}

const partTypes: ReadonlySet<string> = new Set(['multipart/mixed', 'text/event-stream'])

/** The one with the highest quality; of equals the first. */
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

type Result = ExecutionResult | FormattedExecutionResult

/** Writes the result of an operation. An executed one has status 200; in the newer media type a refused one has the status of its code. */
function sendResult(ctx: HttpContext, result: Result, { mediaType, json }: { readonly mediaType: MediaType; readonly json: string }): void {
  ctx.hasFailed = (result.errors?.length ?? 0) > 0
  sendBody(ctx, { body: Buffer.from(json), status: statusFor(result, mediaType), mediaType })
}

/** Root fields are written one after the other, and each after some milliseconds in a slice of the event loop: together they may be some megabytes. */
async function jsonInSlices(result: Result): Promise<string> {
  const { data, ...rest } = result
  if (!data || Object.keys(data).length < 2) return JSON.stringify(result)
  const fields: string[] = []
  let endsAt = performance.now() + writtenAtOnceMs
  for (const [key, value] of Object.entries(data)) {
    if (performance.now() > endsAt) {
      await nextSlice()
      endsAt = performance.now() + writtenAtOnceMs
    }
    fields.push(`${JSON.stringify(key)}:${JSON.stringify(value)}`)
  }
  const members = Object.entries(rest).flatMap(([name, value]) =>
    value === undefined ? [] : `${JSON.stringify(name)}:${JSON.stringify(value)}`,
  )
  return `{${[...members, `"data":{${fields.join(',')}}`].join(',')}}`
}
const writtenAtOnceMs = 5

/** The outcome of an operation: a result, or JSON (`executed`: false if the document was refused). */
export type OperationOutcome = { readonly result: Result } | { readonly body: Uint8Array; readonly executed: boolean }

export async function sendOutcome(ctx: HttpContext, outcome: OperationOutcome, mediaType: MediaType): Promise<void> {
  if ('result' in outcome) {
    const json = await jsonInSlices(outcome.result)
    return ctx.aborted ? undefined : sendResult(ctx, outcome.result, { mediaType, json })
  }
  const status = outcome.executed || mediaType === 'application/json' ? 200 : 400
  const body = Buffer.from(outcome.body.buffer, outcome.body.byteOffset, outcome.body.byteLength)
  ctx.hasFailed = hasErrorsFirst(body)
  sendBody(ctx, { body, status, mediaType })
}

export type AnswerBody = { readonly body: Buffer; readonly status: number; readonly mediaType: MediaType }

export function sendBody(ctx: HttpContext, { body, status, mediaType }: AnswerBody): void {
  const head = ['content-type', `${mediaType}; charset=utf-8`, 'content-length', String(body.length), 'cache-control', 'no-store']
  ctx.writeHead(status, head)
  ctx.response.end(body)
}

/** The status of a result: refused ones have that of their code in the newer media type. */
export function statusFor(result: Result, mediaType: MediaType): number {
  if (mediaType === 'application/json' || 'data' in result) return 200
  const code = result.errors?.[0]?.extensions?.['code']
  return isCode(code) ? statusOf[code] : 400
}

function isCode(code: unknown): code is keyof typeof statusOf {
  return typeof code === 'string' && code in statusOf
}

/** Writes an error of the whole request in GraphQL's form, with the status of its code. */
export function sendRequestError(ctx: HttpContext, error: AppError, ownStatus?: number): void {
  ctx.hasFailed = true
  const mediaType = mediaTypeFor(ctx.request.headers.accept) ?? 'application/json'
  const errors: readonly GraphQLFormattedError[] = [formattedError(error, ctx.requestId)]
  const retryAfter = error.data?.retryAfterSeconds
  if (retryAfter !== undefined) ctx.response.setHeader('retry-after', Math.max(1, Math.ceil(retryAfter)))
  const formStatus = error instanceof BodyTooLarge ? 413 : error instanceof NotAcceptable ? 406 : undefined
  const status = ownStatus ?? formStatus ?? statusOf[error.code]
  sendBody(ctx, { body: Buffer.from(JSON.stringify({ errors })), status, mediaType })
}

/** Refuses an operation before it runs: with 200 for `application/json`, as clients of that type expect for an invalid document. */
export function sendRefusal(ctx: HttpContext, error: AppError, mediaType: MediaType): void {
  const result = { errors: [formattedError(error, ctx.requestId)] }
  sendResult(ctx, result, { mediaType, json: JSON.stringify(result) })
}
