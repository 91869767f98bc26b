import { type OpenStream, ServiceError } from '@call-center-sidecar/client'
import { createClient } from 'graphql-ws'

/**
 * All streams of this tab over one web socket: over HTTP/1.1 a browser opens six connections to an origin, for all tabs together, and each stream by
 * server-sent events is one. The typed client opens a stream again that broke off. If no socket comes through, streams go over HTTP for a while.
 */
export const openOverWebSocket: OpenStream = async (sending, signal, overHttp) => {
  if (blockedUntil() > Date.now()) return overHttp()
  try {
    return await openOnSocket(sending, signal)
  } catch (error) {
    if (signal.aborted || error instanceof ServiceError || isAway(error)) throw error
    // Over HTTP an operation that the service refuses closes nothing, and the answer says why.
    if (!isBlocked() && !isRefused(error)) throw error
    const results = await overHttp()
    if (isBlocked()) blockFor(blockedMs)
    return results
  }
}

async function openOnSocket({ token, operation }: Sending, signal: AbortSignal): Promise<AsyncIterable<unknown>> {
  try {
    return await socketWith(token).open(operation, signal)
  } catch (error) {
    if (signal.aborted || error instanceof ServiceError || isAway(error) || !isBlocked()) throw error
    if (!(await worksOverHttp())) failedConnections = 0
    // The request may have waited until the network was back: then a socket comes through too.
    else if (hasConnected) return socketWith(token).open(operation, signal)
    throw error
  }
}

type Sending = Pick<Parameters<OpenStream>[0], 'token' | 'operation'>
type Operation = Parameters<OpenStream>[0]['operation']
type Socket = {
  readonly token: string | null
  readonly open: (operation: Operation, signal: AbortSignal) => Promise<AsyncIterable<unknown>>
}

let current: Socket | null = null
/** What ends each socket of this tab: with a renewed token there are two, until the streams of the old one have ended. */
const open = new Set<() => void>()
/** In this page. */
let hasConnected = false
/** In a row. One may be a lost network; the next one, after a pause, is not, if HTTP works at that moment. */
let failedConnections = 0

function isBlocked(): boolean {
  return failedConnections >= (hasConnected ? 2 : 1)
}

// The browser leaves the sockets of a lost network open.
addEventListener('offline', () => open.forEach((terminate) => terminate()))
// It may be another network.
addEventListener('online', () => {
  failedConnections = 0
  blockFor(0)
})

const blockedMs = 30 * 60_000
const blockedKey = 'call-center-sidecar:sockets-blocked-until'

/** Something in between lets no web socket through: until then no time is lost with it, also after a reload. */
function blockedUntil(): number {
  return Number(sessionStorage.getItem(blockedKey) ?? 0)
}

function blockFor(ms: number): void {
  sessionStorage.setItem(blockedKey, String(Date.now() + ms))
}

const probeMs = 2_000

async function worksOverHttp(): Promise<boolean> {
  try {
    await fetch('/console/icon.svg', { cache: 'no-store', signal: AbortSignal.timeout(probeMs) })
    return true
  } catch {
    return false
  }
}

/** A socket has the token that it began with. */
function socketWith(token: string | null): Socket {
  if (current?.token !== token || !current) current = createSocket(token)
  return current
}

const pingMs = 15_000
/** For the answer to a ping, and for the socket to open. */
const answerMs = 8_000
/** For the service to ask the platform about the token. */
const confirmMs = 30_000

function createSocket(token: string | null): Socket {
  let streams = 0
  const accepted = new Map<string, () => void>()
  const { expectAnswer, ...watch } = watchSocket(() => client.terminate())
  const client = createClient({
    url: `${location.origin.replace('http', 'ws')}/graphql`,
    connectionParams: token === null ? {} : { authorization: `Bearer ${token}` },
    retryAttempts: 0,
    keepAlive: pingMs,
    generateID: () => String((streams += 1)),
    on: {
      ...watch,
      ping(isReceived, payload) {
        if (isReceived) accepted.get(String(payload?.['opened']))?.()
        else expectAnswer(answerMs)
      },
    },
  })
  return {
    token,
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

/** Ends a socket that does not answer in time: Counts the connections that failed. */
function watchSocket(terminate: () => void) {
  let silence: ReturnType<typeof setTimeout> | undefined
  let isConnecting = false
  const expectAnswer = (withinMs: number): void => {
    silence ??= setTimeout(terminate, withinMs)
  }
  const hasAnswered = (): void => {
    clearTimeout(silence)
    silence = undefined
  }
  const hasEnded = (): void => {
    hasAnswered()
    open.delete(terminate)
    if (isConnecting) failedConnections += 1
    isConnecting = false
  }
  return {
    expectAnswer,
    connecting(): void {
      isConnecting = true
      open.add(terminate)
      expectAnswer(answerMs)
    },
    opened(): void {
      hasAnswered()
      expectAnswer(confirmMs)
    },
    connected(): void {
      isConnecting = false
      hasConnected = true
      failedConnections = 0
      hasAnswered()
    },
    error: hasEnded,
    closed: hasEnded,
    pong: (isReceived: boolean): void => void (isReceived && hasAnswered()),
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

const refusals: Readonly<Record<number, string>> = { 4403: 'UNAUTHENTICATED', 4429: 'RATE_LIMITED' }

/** Why the service closed the socket: `TOKEN_REFUSED: what to do`. Null if no token and no patience can change it. */
function refusalIn({ code: number, reason: text }: CloseEvent): ServiceError | null {
  const code = refusals[number]
  const [reason = null, ...message] = text.split(': ')
  return code === undefined ? null : new ServiceError({ code, reason, message: message.join(': '), retryable: number === 4429 })
}

/** The service was reached, and says: later. */
function isAway(error: unknown): boolean {
  return error instanceof CloseEvent && [1001, 1013].includes(error.code)
}

/** A message was not allowed, or too long: that of this stream, or of another one of the socket, which is opened again. */
function isRefused(error: unknown): boolean {
  return error instanceof CloseEvent && [1009, 4400, 4409].includes(error.code)
}
