import { hash } from 'node:crypto'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { onlyMethods, problemHandler } from './routes.ts'
import type { Handler, HttpContext } from './http-context.ts'

export type PreparedAnswer = {
  readonly contentType: string
  readonly body: string | Uint8Array
  /** Beside those that each has; a `cache-control` among them stands instead of `no-cache`. */
  readonly headers?: Readonly<Record<string, string>>
}

/** A door that always gives the same answer: made and compressed for the first who asks, and told apart by its ETag, so that a second look costs nothing. */
export function preparedHandler(prepare: () => PreparedAnswer): Handler {
  let ready: Ready | null = null
  return problemHandler(
    onlyMethods(['GET', 'HEAD'], (ctx) => {
      ready ??= makeReady(prepare())
      send(ctx, ready)
    }),
  )
}

type Ready = {
  /** The forms of the body by their content encoding, the smallest first. */
  readonly forms: readonly { readonly encoding: string | null; readonly bytes: Buffer }[]
  readonly etag: string
  readonly contentType: string
  readonly headers: Readonly<Record<string, string>>
}

/** What is larger is compressed by gzip alone: the best that Brotli can would hold the event loop for long. */
const brotliLimitBytes = 128 * 1_024

function makeReady({ contentType, body, headers = {} }: PreparedAnswer): Ready {
  const plain = Buffer.from(body)
  const etag = `"${hash('sha256', plain, 'base64url').slice(0, 22)}"`
  const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length } }
  const forms = [
    ...(plain.length > brotliLimitBytes ? [] : [{ encoding: 'br', bytes: brotliCompressSync(plain, brotli) }]),
    { encoding: 'gzip', bytes: gzipSync(plain, { level: 9 }) },
    { encoding: null, bytes: plain },
  ]
  return { forms, etag, contentType, headers }
}

function send({ request, response }: HttpContext, { forms, etag, contentType, headers }: Ready): void {
  // The compressed form is another representation; a weak tag says that both mean the same.
  const common = { 'cache-control': 'no-cache', ...headers, etag: `W/${etag}`, vary: 'Accept-Encoding, Origin' }
  if (request.headers['if-none-match']?.includes(etag)) return void response.writeHead(304, common).end()
  const accepted = request.headers['accept-encoding'] ?? ''
  const { encoding, bytes } = forms.find((form) => form.encoding === null || takes(accepted, form.encoding)) ?? {
    encoding: null,
    bytes: '',
  }
  response.writeHead(200, {
    ...common,
    'content-type': contentType,
    'content-length': bytes.length,
    ...(encoding === null ? {} : { 'content-encoding': encoding }),
  })
  response.end(request.method === 'HEAD' ? undefined : bytes)
}

function takes(accepted: string, encoding: string): boolean {
  return accepted.split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    return name.toLowerCase() === encoding && !parameters.some((text) => /^q=0(\.0*)?$/.test(text))
  })
}
