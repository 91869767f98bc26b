import { Readable } from 'node:stream'
import { type Dispatcher, request } from 'undici'
import { AppError } from './errors.ts'

export type HttpRequest = {
  /** The name of the server in error messages: "The telephony provider". */
  readonly who: string
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  /** Also allowed with GET: some providers require it, and `fetch` refuses it. */
  readonly body?: string | Uint8Array | AsyncIterable<Uint8Array>
  /** Aborts the request, for example at its deadline. */
  readonly signal: AbortSignal
  readonly maxAnswerBytes?: number
  /** Sets other time limits, or restricts the addresses that may be reached. */
  readonly dispatcher?: Dispatcher | undefined
}

export type HttpAnswer = { readonly status: number; readonly retryAfterSeconds: number | null; readonly text: string }

const usualMaxBytes = 8 * 1024 * 1024

/**
 * Sends one HTTP request and reads the whole answer. It is not repeated, and redirects are not followed. Every status is an answer. Throws
 * PROVIDER_UNAVAILABLE if there is no answer, DEADLINE_PASSED if `signal` aborts first, PROVIDER_ANSWER_INVALID if the answer is too large.
 */
export async function httpRequest(asked: HttpRequest): Promise<HttpAnswer> {
  const { url, method, headers, body, signal, dispatcher } = asked
  try {
    const answer = await request(url, {
      method,
      signal,
      ...(headers ? { headers } : {}),
      ...(body === undefined ? {} : { body: typeof body === 'string' || body instanceof Uint8Array ? body : Readable.from(body) }),
      ...(dispatcher ? { dispatcher } : {}),
    })
    const text = await readText(answer.body, asked)
    return { status: answer.statusCode, retryAfterSeconds: secondsOf(answer.headers['retry-after']), text }
  } catch (error) {
    throw transportError(error, asked)
  }
}

/**
 * Resolves if the server answers a GET, with any status; does not read its body. On the connections, and through the proxy, of other requests by
 * `fetch`. Throws as `httpRequest` does.
 */
export async function reachServer({ url, signal, who }: Pick<HttpRequest, 'url' | 'signal' | 'who'>): Promise<void> {
  try {
    const { body } = await fetch(url, { redirect: 'manual', signal })
    body?.cancel().catch(() => undefined)
  } catch (error) {
    throw transportError(error, { who, signal })
  }
}

async function readText(body: AsyncIterable<unknown>, { who, maxAnswerBytes = usualMaxBytes }: HttpRequest): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    if (!(chunk instanceof Uint8Array)) continue
    bytes += chunk.byteLength
    if (bytes > maxAnswerBytes) throw new AppError('PROVIDER_ANSWER_INVALID', { detail: `${who} gave an answer that is too large` })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** A failed HTTP request as an error of this service; the cause is for the log. */
export function transportError(error: unknown, { who, signal }: Pick<HttpRequest, 'who' | 'signal'>): AppError {
  if (error instanceof AppError) return error
  if (signal.aborted) {
    const reason: unknown = signal.reason
    return reason instanceof AppError ? reason : new AppError('DEADLINE_PASSED', { detail: `${who} took too long`, cause: reason })
  }
  return new AppError('PROVIDER_UNAVAILABLE', { detail: `${who} is not available`, cause: error })
}

function secondsOf(header: string | string[] | undefined): number | null {
  const seconds = typeof header === 'string' ? Number(header) : Number.NaN
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : null
}

/** The server, or a proxy before it, reports that it does not work at present. A 500 can be due to one request. */
export function isGatewayFailure(status: number): boolean {
  return status === 502 || status === 503 || status === 504
}
