import type { IncomingHttpHeaders } from 'node:http'
import { AppError } from '../../kernel/errors.ts'
import type { HttpContext } from '../http/http-context.ts'

/**
 * Rejects a request that does not come from a page of these origins. Browsers send `Origin` with every request to another host and with every
 * request that is not a GET; a page cannot set it. Only a GET to the page's own host comes without it: then `Sec-Fetch-Site`, which a page
 * cannot set either, must be `same-origin`, and the page's address (`Referer`, else the requested host) must have an allowed origin.
 */
export function assertSite({ headers }: HttpContext['request'], origins: readonly string[]): void {
  if (headers.origin === undefined ? isOwnPage(headers, origins) : origins.includes(headers.origin)) return
  throw new AppError('ORIGIN_REFUSED', {
    detail: "This page's origin is not an origin of the widget key: a manager must create a key for it",
  })
}

function isOwnPage({ referer, host, 'sec-fetch-site': site }: IncomingHttpHeaders, origins: readonly string[]): boolean {
  if (site !== undefined && site !== 'same-origin') return false
  if (referer !== undefined) return URL.canParse(referer) && origins.includes(new URL(referer).origin)
  return site !== undefined && origins.some((origin) => new URL(origin).host === host)
}

/** Lets only pages of this origin read the answer. */
export function allowOrigin({ response }: HttpContext, origin: string): void {
  response.setHeader('access-control-allow-origin', origin)
  response.setHeader('access-control-expose-headers', 'x-request-id, retry-after, date')
}

/** Answers a preflight. A rejected origin gets the same answer without a permission. */
export function answerPreflight(ctx: HttpContext, isAllowed: boolean): void {
  const { request, response } = ctx
  if (isAllowed && request.headers.origin !== undefined) {
    allowOrigin(ctx, request.headers.origin)
    response.setHeader('access-control-allow-methods', 'GET, POST, DELETE')
    response.setHeader('access-control-allow-headers', 'x-widget-key, content-type')
    response.setHeader('access-control-max-age', '600')
  }
  response.writeHead(204).end()
}
