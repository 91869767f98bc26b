import { type OpenStream, ServiceError } from '@call-center-sidecar/client'
import { createClient } from 'graphql-ws'

/**
 * All streams of this tab over one web socket: over HTTP/1.1 a browser opens six connections to an origin, for all tabs together, and each stream by
 * server-sent events is one. The typed client opens a stream again that broke off.
 */
export const openOverWebSocket: OpenStream = async (sending, signal, overHttp) => {
  try {
    return await socketWith(sending.token).open(sending.operation, signal)
  } catch (error) {
    // Something in between may not let web sockets pass.
    if (hasConnected || signal.aborted) throw error
    return overHttp()
  }
}

type Operation = Parameters<OpenStream>[0]['operation']
type Socket = {
  readonly token: string | null
  readonly open: (operation: Operation, signal: AbortSignal) => Promise<AsyncIterable<unknown>>
  readonly terminate: () => void
}

let current: Socket | null = null
/** In this page. */
let hasConnected = false

// The browser leaves the sockets of a lost network open.
addEventListener('offline', () => current?.terminate())

/** A socket has the token that it began with. With a renewed one there are two, until the streams of the old one have ended. */
function socketWith(token: string | null): Socket {
  if (current?.token !== token || !current) current = createSocket(token)
  return current
}

const pingMs = 15_000
/** For the answer to a ping, and for a connection. */
const answerMs = 8_000

function createSocket(token: string | null): Socket {
  let streams = 0
  let silence: ReturnType<typeof setTimeout> | undefined
  const accepted = new Map<string, () => void>()
  const expectAnswer = (): void => {
    silence ??= setTimeout(() => client.terminate(), answerMs)
  }
  const hasAnswered = (): void => {
    clearTimeout(silence)
    silence = undefined
  }
  const client = createClient({
    url: `${location.origin.replace('http', 'ws')}/graphql`,
    connectionParams: token === null ? {} : { authorization: `Bearer ${token}` },
    retryAttempts: 0,
    keepAlive: pingMs,
    generateID: () => String((streams += 1)),
    on: {
      connecting: expectAnswer,
      connected() {
        hasConnected = true
        hasAnswered()
      },
      closed: hasAnswered,
      ping(isReceived, payload) {
        if (isReceived) accepted.get(String(payload?.['opened']))?.()
        else expectAnswer()
      },
      pong: (isReceived) => isReceived && hasAnswered(),
    },
  })
  return {
    token,
    terminate: () => client.terminate(),
    async open(operation, signal) {
      const results = client.iterate<object>({ ...operation })
      const id = String(streams)
      const left = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
      void left.then(() => results.return?.())
      const opened = new Promise<void>((resolve) => accepted.set(id, resolve))
      const first = next(results)
      try {
        await Promise.race([opened, first, left])
        signal.throwIfAborted()
      } finally {
        accepted.delete(id)
      }
      return rest(first, results)
    },
  }
}

async function* rest(first: Promise<IteratorResult<object>>, results: AsyncIterator<object>): AsyncGenerator<object, void> {
  try {
    for (let result = await first; result.done !== true; result = await next(results)) yield result.value
  } finally {
    void results.return?.()
  }
}

/** A refused operation is a result with errors. */
async function next(results: AsyncIterator<object>): Promise<IteratorResult<object>> {
  try {
    return await results.next()
  } catch (error) {
    if (Array.isArray(error)) return { done: false, value: { errors: error } }
    throw error instanceof CloseEvent ? (refusalIn(error) ?? error) : error
  }
}

const codes: Readonly<Record<number, string>> = { 4403: 'UNAUTHENTICATED', 4429: 'RATE_LIMITED' }

/** Why the service closed the socket: `TOKEN_REFUSED: what to do`. Null if no token and no patience can change it. */
function refusalIn({ code: number, reason: text }: CloseEvent): ServiceError | null {
  const code = codes[number]
  const [reason = null, ...message] = text.split(': ')
  return code === undefined ? null : new ServiceError({ code, reason, message: message.join(': '), retryable: number === 4429 })
}
