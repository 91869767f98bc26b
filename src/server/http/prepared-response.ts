import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { onlyMethods, problemHandler } from './routes.ts'
import type { Handler, HttpContext } from './http-context.ts'

export type PreparedResponse = {
  readonly contentType: string
  readonly body: string | Uint8Array
  /** Added to the headers that every prepared response has. A `cache-control` among them replaces `no-cache`. */
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * A handler that always sends the same response. It is made and compressed on the first request, outside the event loop, and has an ETag,
 * so that a repeated request costs nothing.
 */
export function preparedHandler(prepare: () => PreparedResponse | Promise<PreparedResponse>): Handler {
  let ready: Promise<Ready> | null = null
  return problemHandler(
    onlyMethods(['GET', 'HEAD'], async (ctx) => {
      ready ??= makeReady(prepare)
      const response = await ready.catch((error: unknown) => {
        // The next request tries again.
        ready = null
        throw error
      })
      if (!ctx.aborted) send(ctx, response)
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

/** Browsers send 30. */
const maxAcceptChars = 200
const asBrotli = promisify(brotliCompress)
const asGzip = promisify(gzip)
/** Larger bodies are compressed by gzip alone, because Brotli takes seconds for them. */
const brotliLimitBytes = 128 * 1_024

async function makeReady(prepare: () => PreparedResponse | Promise<PreparedResponse>): Promise<Ready> {
  const { contentType, body, headers = {} } = await prepare()
  const plain = Buffer.from(body)
  const etag = `"${hash('sha256', plain, 'base64url').slice(0, 22)}"`
  const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length } }
  const forms = [
    ...(plain.length > brotliLimitBytes ? [] : [{ encoding: 'br', bytes: await asBrotli(plain, brotli) }]),
    { encoding: 'gzip', bytes: await asGzip(plain, { level: 6 }) },
    { encoding: null, bytes: plain },
  ]
  return { forms, etag, contentType, headers }
}

function send({ request, response }: HttpContext, { forms, etag, contentType, headers }: Ready): void {
  // A weak tag, because the compressed body differs in its bytes and not in its meaning.
  const common = { 'cache-control': 'no-cache', ...headers, etag: `W/${etag}`, vary: 'Accept-Encoding, Origin' }
  if (request.headers['if-none-match']?.includes(etag)) return void response.writeHead(304, common).end()
  const accepted = request.headers['accept-encoding']?.slice(0, maxAcceptChars) ?? ''
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
