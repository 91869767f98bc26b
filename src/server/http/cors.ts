import type { IncomingMessage } from 'node:http'
import { isOrigin } from '../../kernel/origin-pattern.ts'
import type { HttpContext } from './http-context.ts'

/** Browsers ask again after this time; Chromium takes no longer one. */
const longestPreflightSeconds = '7200'

/** The headers that let pages of allowed origins read the response, as a flat list of names and values. */
export function corsHeaders(
  { request }: Pick<HttpContext, 'request'>,
  origin: string,
  allowsOrigin: (origin: string) => boolean,
): readonly string[] {
  if (!allowsOrigin(origin)) return ['vary', 'Origin']
  const headers = [
    'vary',
    'Origin',
    'access-control-allow-origin',
    origin,
    'access-control-expose-headers',
    'x-request-id, retry-after, etag, link, location',
  ]
  if (!isPreflight(request)) return headers
  const requested = request.headers['access-control-request-headers']
  return [
    ...headers,
    'access-control-allow-methods',
    'GET, POST, PUT, PATCH, DELETE',
    'access-control-max-age',
    longestPreflightSeconds,
    ...(requested === undefined ? [] : ['access-control-allow-headers', requested]),
  ]
}

/**
 * Whether the client may open a web socket, which CORS does not cover: a program without a page, a page from here, or one that may read answers. The
 * scheme of this service is not known behind a proxy that ends TLS, so the host alone says that a page is from here.
 */
export function mayOpenSocket({ headers }: Pick<IncomingMessage, 'headers'>, allowsOrigin: (origin: string) => boolean): boolean {
  const { origin, host } = headers
  if (origin === undefined || allowsOrigin(origin)) return true
  if (host === undefined || !isOrigin(origin)) return false
  const own = new URL(origin)
  // Browsers leave the usual port out; some proxies add it.
  const named = own.port === '' ? [own.host, `${own.host}${usualPorts[own.protocol] ?? ''}`] : [own.host]
  return named.includes(host.toLowerCase())
}

const usualPorts: Readonly<Record<string, string>> = { 'http:': ':80', 'https:': ':443' }

/** Whether the request is a browser's CORS preflight. */
export function isPreflight(request: HttpContext['request']): boolean {
  return request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined
}
