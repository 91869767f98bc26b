import { collectBody } from '../http/body.ts'
import type { HttpContext } from '../http/http-context.ts'
import { toAppError } from '../http/problem.ts'
import { sendRequestError } from './answer.ts'

/** Reads a body and hands it on; what fails afterwards becomes an error of the request. By callback: this is the hot path. */
// oxlint-disable-next-line max-params -- the callback comes last
export function receiveJson(
  exchange: HttpContext,
  limitBytes: number,
  handle: (exchange: HttpContext, body: Buffer) => Promise<void> | void,
): void {
  collectBody(exchange, limitBytes, (error, body) => {
    if (error) return fail(exchange, error)
    try {
      // oxlint-disable-next-line promise/no-promise-in-callback -- most requests are over without a promise
      handle(exchange, body)?.catch((failure: unknown) => fail(exchange, failure))
    } catch (failure) {
      fail(exchange, failure)
    }
  })
}

function fail(exchange: HttpContext, error: unknown): void {
  if (exchange.cut) return
  const shown = toAppError(error)
  if (shown.reason === 'UNKNOWN') exchange.log.error({ err: error, path: exchange.path }, 'a GraphQL request failed')
  if (exchange.response.headersSent) exchange.response.destroy()
  else sendRequestError(exchange, shown)
}
