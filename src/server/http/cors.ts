import type { HttpContext } from './http-context.ts'

/** The headers by which pages of allowed origins may read the answer, as names and values in turn. */
export function corsHeaders({ request }: HttpContext, origin: string, allowsOrigin: (origin: string) => boolean): readonly string[] {
  if (!allowsOrigin(origin)) return ['vary', 'Origin']
  const headers = [
    'vary',
    'Origin',
    'access-control-allow-origin',
    origin,
    'access-control-expose-headers',
    'x-request-id, retry-after, etag',
  ]
  if (!isPreflight(request)) return headers
  const asked = request.headers['access-control-request-headers']
  return [
    ...headers,
    'access-control-allow-methods',
    'GET, POST, PUT, PATCH, DELETE',
    'access-control-max-age',
    '600',
    ...(asked === undefined ? [] : ['access-control-allow-headers', asked]),
  ]
}

/** Whether a browser asks beforehand what it may do. */
export function isPreflight(request: HttpContext['request']): boolean {
  return request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined
}
