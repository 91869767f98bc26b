import { hash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { onlyMethods, problemDoor } from './doors.ts'
import type { Door, Exchange } from './exchange.ts'

export type PreparedAnswer = {
  readonly contentType: string
  readonly body: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

/** A door that always gives the same answer: made and compressed for the first who asks, and told apart by its ETag, so that a second look costs nothing. */
export function preparedDoor(prepare: () => PreparedAnswer): Door {
  let ready: Ready | null = null
  return problemDoor(
    onlyMethods(['GET', 'HEAD'], (exchange) => {
      ready ??= makeReady(prepare())
      send(exchange, ready)
    }),
  )
}

type Ready = {
  readonly plain: Buffer
  readonly zipped: Buffer
  readonly etag: string
  readonly contentType: string
  readonly headers: Readonly<Record<string, string>>
}

function makeReady({ contentType, body, headers = {} }: PreparedAnswer): Ready {
  const plain = Buffer.from(body)
  const etag = `"${hash('sha256', plain, 'base64url').slice(0, 22)}"`
  return { plain, zipped: gzipSync(plain, { level: 9 }), etag, contentType, headers }
}

const takesGzip = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/

function send({ request, response }: Exchange, { plain, zipped, etag, contentType, headers }: Ready): void {
  // The compressed form is another representation; a weak tag says that both mean the same.
  const common = { ...headers, etag: `W/${etag}`, 'cache-control': 'no-cache', vary: 'Accept-Encoding, Origin' }
  if (request.headers['if-none-match']?.includes(etag)) return void response.writeHead(304, common).end()
  const isZipped = takesGzip.test(request.headers['accept-encoding'] ?? '')
  const bytes = isZipped ? zipped : plain
  response.writeHead(200, {
    ...common,
    'content-type': contentType,
    'content-length': bytes.length,
    ...(isZipped ? { 'content-encoding': 'gzip' } : {}),
  })
  response.end(request.method === 'HEAD' ? undefined : bytes)
}
