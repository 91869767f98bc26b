import { AppError, type ErrorCode } from '../../kernel/errors.ts'
import type { HttpContext } from './http-context.ts'

/** The REST status of each code. */
export const statusOf: Readonly<Record<ErrorCode, number>> = {
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  BAD_USER_INPUT: 400,
  /** Of GraphQL alone: a client that sends the text next. */
  PERSISTED_QUERY_NOT_SUPPORTED: 200,
  NOT_FOUND: 404,
  CONFLICT: 409,
  RATE_LIMITED: 429,
  NOT_CONFIGURED: 409,
  UPSTREAM_FAILED: 502,
  UPSTREAM_UNAVAILABLE: 503,
  TIMEOUT: 504,
  INTERNAL_SERVER_ERROR: 500,
}

/** An error in the form of RFC 9457, with the members that GraphQL errors have too. */
export type Problem = {
  readonly type: 'about:blank'
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly code: ErrorCode
  readonly reason: string
  readonly retryable: boolean
  readonly requestId: string
  readonly data?: unknown
}

/** `status` replaces the status of the code for errors of the request's form: 405, 413, 415. */
export function problemOf(error: AppError, requestId: string, status = statusOf[error.code]): Problem {
  const problem: Problem = {
    type: 'about:blank',
    title: error.title,
    status,
    detail: error.message,
    code: error.code,
    reason: error.reason,
    retryable: error.retryable,
    requestId,
  }
  return error.data === undefined ? problem : { ...problem, data: error.data }
}

/** No error answer is larger. */
export const maxErrorBytes = 65_536

export type ProblemOptions = { readonly status?: number; readonly headers?: Readonly<Record<string, string>> }

/** Writes the error as `application/problem+json`, with `Retry-After` if the error has one. The response has not begun. */
export function sendProblem(ctx: HttpContext, error: AppError, options: ProblemOptions = {}): void {
  const problem = problemOf(error, ctx.requestId, options.status)
  const retryAfter = error.data?.retryAfterSeconds
  const whole = Buffer.from(JSON.stringify(problem))
  // Without what the client's input may have made large.
  const body = whole.length <= maxErrorBytes ? whole : Buffer.from(JSON.stringify({ ...problem, detail: error.title, data: undefined }))
  const { request, response } = ctx
  response.writeHead(problem.status, {
    'content-type': 'application/problem+json; charset=utf-8',
    'content-length': body.length,
    'cache-control': 'no-store',
    ...(retryAfter === undefined ? {} : { 'retry-after': String(Math.max(1, Math.ceil(retryAfter))) }),
    ...options.headers,
  })
  response.end(request.method === 'HEAD' ? undefined : body)
}

/** What a client may see of a thrown value: an AppError as it is, a timeout as DEADLINE_PASSED, everything else as UNKNOWN. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (error instanceof DOMException && error.name === 'TimeoutError') return new AppError('DEADLINE_PASSED', { cause: error })
  return new AppError('UNKNOWN', { cause: error })
}
