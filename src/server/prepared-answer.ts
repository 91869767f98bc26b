import { hash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { onlyMethods, problemDoor } from './doors.ts'
import type { Door } from './exchange.ts'

export type PreparedAnswer = {
  readonly contentType: string
  readonly body: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

/** A door that always gives the same answer: compressed once, and told apart by its ETag, so that a second look costs nothing. */
export function preparedDoor({ contentType, body, headers = {} }: PreparedAnswer): Door {
  const plain = Buffer.from(body)
  const zipped = gzipSync(plain, { level: 9 })
  const etag = `"${hash('sha256', plain, 'base64url').slice(0, 22)}"`
  const common = { ...headers, 'cache-control': 'no-cache', vary: 'Accept-Encoding, Origin' }
  return problemDoor(
    onlyMethods(['GET', 'HEAD'], ({ request, response }) => {
      const takesGzip = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(request.headers['accept-encoding'] ?? '')
      // The compressed form is another representation; a weak tag says that both mean the same.
      const tag = `W/${etag}`
      if (request.headers['if-none-match']?.includes(etag)) return void response.writeHead(304, { ...common, etag: tag }).end()
      const bytes = takesGzip ? zipped : plain
      response.writeHead(200, {
        ...common,
        etag: tag,
        'content-type': contentType,
        'content-length': bytes.length,
        ...(takesGzip ? { 'content-encoding': 'gzip' } : {}),
      })
      response.end(request.method === 'HEAD' ? undefined : bytes)
    }),
  )
}
