import { httpError, isJson, type Json } from './errors/read-errors.ts'
import { ServiceError } from './errors/service-error.ts'
import type { Timers } from './timers.ts'

/** Where the service is, and how to get there. */
export interface Connection {
  readonly url: string
  readonly fetch: typeof fetch
  readonly timers: Timers
  readonly timeoutMs: number
}

export interface RequestOptions {
  /** Aborts the request: it fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** How long the answer may take; for a stream or a file, how long its beginning may take. Default: that of the client. */
  readonly timeoutMs?: number | undefined
}

export interface OutgoingRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly token: string | null
  readonly body?: unknown
}

/** A JSON answer that was read, or any other, which the caller reads. */
export type Answer = {
  readonly json: unknown
  readonly response: Response
  /** To be called when the body has been read or left: the caller's signal then no longer ends it. */
  readonly release: () => void
}

/** Sends a request. Throws a ServiceError for a status of 400 or more, and if there is no answer or none in time. */
export async function send(connection: Connection, request: OutgoingRequest, options: RequestOptions = {}): Promise<Answer> {
  const { method, path, headers, token, body } = request
  return inTime(connection, options, async (signal) => {
    const response = await connection.fetch(connection.url + path, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal,
    })
    const isJsonAnswer = /^application\/([\w.-]+\+)?json\b/.test(response.headers.get('content-type') ?? '')
    if (response.ok && !isJsonAnswer) return { json: null, response }
    const text = await response.text()
    const json = isJsonAnswer ? parsed(text) : null
    if (!response.ok) throw httpError(response, json)
    return { json, response }
  })
}

/** The members of a JSON object that the service answered. */
export function members({ json, response }: Answer): Json {
  if (isJson(json)) return json
  const requestId = response.headers.get('x-request-id')
  throw new ServiceError({ code: 'UPSTREAM_FAILED', message: 'The answer is not that of the service: check the address', requestId })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

async function inTime(
  { timers, timeoutMs }: Connection,
  { signal, timeoutMs: ownMs = timeoutMs }: RequestOptions,
  work: (signal: AbortSignal) => Promise<Omit<Answer, 'release'>>,
): Promise<Answer> {
  const leaving = new AbortController()
  const leave = (): void => leaving.abort(signal?.reason)
  let isLate = false
  const cancel = timers.after(ownMs, () => {
    isLate = true
    leaving.abort()
  })
  const release = (): void => signal?.removeEventListener('abort', leave)
  signal?.addEventListener('abort', leave, { once: true })
  let isStreaming = false
  try {
    signal?.throwIfAborted()
    const answer = await work(leaving.signal)
    // The signal also ends what the caller still reads.
    isStreaming = answer.response.body !== null && !answer.response.bodyUsed
    return { ...answer, release }
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof ServiceError) throw error
    if (isLate) throw new ServiceError({ code: 'TIMEOUT', reason: 'DEADLINE_PASSED', message: 'The answer took too long', retryable: true })
    throw new ServiceError({ code: 'NO_ANSWER', message: 'The service could not be reached', retryable: true, cause: error })
  } finally {
    cancel()
    if (!isStreaming) release()
  }
}
