import type { HttpContext } from '../http/http-context.ts'

/** Answers with JSON that is not cached. */
export function sendJson({ request, response }: HttpContext, value: unknown, status = 200): void {
  const body = Buffer.from(JSON.stringify(value))
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
    'cache-control': 'no-store',
  })
  response.end(request.method === 'HEAD' ? undefined : body)
}
