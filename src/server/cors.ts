import type { Exchange } from './exchange.ts'

/** Answers preflights; lets pages of allowed origins read the answer. True where the exchange is finished. */
export function answerCors(exchange: Exchange, origin: string, allowsOrigin: (origin: string) => boolean): boolean {
  const { request, response } = exchange
  const preflight = request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined
  response.setHeader('vary', 'Origin')
  if (allowsOrigin(origin)) {
    response.setHeader('access-control-allow-origin', origin)
    response.setHeader('access-control-expose-headers', 'x-request-id, retry-after, etag')
    if (preflight) {
      response.setHeader('access-control-allow-methods', 'GET, POST, PUT, PATCH, DELETE')
      response.setHeader('access-control-allow-headers', request.headers['access-control-request-headers'] ?? '')
      response.setHeader('access-control-max-age', '600')
    }
  }
  if (preflight) response.writeHead(204).end()
  return preflight
}
