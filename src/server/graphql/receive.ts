import { AppError } from '../../kernel/errors.ts'
import { collectBody } from '../http/body.ts'
import type { HttpContext } from '../http/http-context.ts'
import { boundaryOf, isPlainJson } from '../http/media-types.ts'
import { toAppError } from '../http/problem.ts'
import { withinSpan } from '../http/request-span.ts'
import { sendRequestError } from './answer.ts'
import type { RequestLimits } from './limits.ts'
import type { TakeUpload } from './uploads.ts'

type Receivers = {
  readonly limits: RequestLimits
  readonly handleJson: HandleJson
  readonly takeUpload: TakeUpload
}
type HandleJson = (body: Buffer) => Promise<void> | void

/** Receives a POST request: JSON goes to `handleJson`, a multipart form to `takeUpload`. Other content types get 415. */
export function receivePost(ctx: HttpContext, { limits, handleJson, takeUpload }: Receivers): Promise<void> | void {
  const { headers } = ctx.request
  if (isPlainJson(headers)) return receiveJson(ctx, limits.bodyBytes, handleJson)
  const boundary = boundaryOf(headers['content-type'])
  if (boundary !== null && headers['content-encoding'] === undefined) return takeUpload(ctx, boundary)
  return sendRequestError(ctx, wrongContentType, headers['content-type'] === undefined ? 400 : 415)
}

const wrongContentType = new AppError('INVALID_INPUT', {
  detail:
    'The body must be application/json in UTF-8, or multipart/form-data with a boundary to send files; neither with a content encoding',
})

/** Reads the body and handles it. By callback, because this is the hot path. A later failure becomes an error of the request. */
function receiveJson(ctx: HttpContext, limitBytes: number, handle: HandleJson): void {
  collectBody(ctx, limitBytes, (error, body) => {
    if (error) return fail(ctx, error)
    try {
      const handled = ctx.span ? withinSpan(ctx.span, () => handle(body)) : handle(body)
      // oxlint-disable-next-line promise/no-promise-in-callback -- most requests end without a promise
      handled?.catch((failure: unknown) => fail(ctx, failure))
    } catch (failure) {
      fail(ctx, failure)
    }
  })
}

function fail(ctx: HttpContext, error: unknown): void {
  if (ctx.aborted) return
  const shown = toAppError(error)
  if (shown.reason === 'UNKNOWN') ctx.log.error({ err: error, route: ctx.route }, 'graphql.request-failed')
  if (ctx.response.headersSent) ctx.response.destroy()
  else sendRequestError(ctx, shown)
}
