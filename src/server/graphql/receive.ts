import { collectBody } from '../http/body.ts'
import type { HttpContext } from '../http/http-context.ts'
import { toAppError } from '../http/problem.ts'
import { sendRequestError } from './answer.ts'

/** Reads a body and hands it on; what fails afterwards becomes an error of the request. By callback: this is the hot path. */
// oxlint-disable-next-line max-params -- the callback comes last
export function receiveJson(ctx: HttpContext, limitBytes: number, handle: (ctx: HttpContext, body: Buffer) => Promise<void> | void): void {
  collectBody(ctx, limitBytes, (error, body) => {
    if (error) return fail(ctx, error)
    try {
      // oxlint-disable-next-line promise/no-promise-in-callback -- most requests are over without a promise
      handle(ctx, body)?.catch((failure: unknown) => fail(ctx, failure))
    } catch (failure) {
      fail(ctx, failure)
    }
  })
}

function fail(ctx: HttpContext, error: unknown): void {
  if (ctx.aborted) return
  const shown = toAppError(error)
  if (shown.reason === 'UNKNOWN') ctx.log.error({ err: error, path: ctx.path }, 'a GraphQL request failed')
  if (ctx.response.headersSent) ctx.response.destroy()
  else sendRequestError(ctx, shown)
}
