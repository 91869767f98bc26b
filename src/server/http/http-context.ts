import type { IncomingMessage } from 'node:http'
import type { Span } from '@opentelemetry/api'
import type { Principal } from '../../access/principal.ts'
import { AppError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import type { TimedResponse } from './timed-response.ts'
import type { Upgraded } from './upgraded.ts'

/** Why a request ended before its response was complete: the client closed the connection, or the deadline passed. */
export type AbortCause = 'CLIENT_LEFT' | 'DEADLINE'

/** Why the work for a request ends. `STOPPING`: the service stops; a stream sends a last event and ends. */
export type EndCause = AbortCause | 'STOPPING'

export type HttpHost = {
  readonly log: Log
  readonly addressOf: (request: IncomingMessage) => string
}

/**
 * One HTTP request and its response. A class, because one is made for every request, and because most requests never need a client address,
 * an AbortSignal or a log of their own: these are made on first use.
 */
export class HttpContext {
  readonly request: IncomingMessage
  readonly response: TimedResponse
  readonly requestId: string
  /** The path as the client sent it, without the query. */
  readonly path: string
  /** The text after the `?`; empty if there is none. */
  readonly query: string
  /** What answers it, for metrics and the log: a pattern such as `/api/calls/{ucid}`, never the path that the client sent. */
  route = ''
  /** The GraphQL operation, for metrics and the log: one of our root fields, `platform`, `mixed`, `stitched` ..., never a name that the client chose. */
  operation: string | null = null
  /** The operation of REST, as `/openapi.json` names it, for the log. */
  restOperation: string | null = null
  /** Whose request it is, if the platform has confirmed its token. */
  requester: Pick<Principal, 'workspaceId' | 'memberId'> | null = null
  /** Its span, if requests are traced. */
  span: Span | null = null
  /** The answer is a GraphQL error, whatever its status. */
  hasFailed = false
  /** When it arrived, in `performance.now()` time. */
  readonly startedAt: number
  /** When it is aborted, in `performance.now()` time. A handler that streams sets it to Infinity. */
  deadlineAt: number
  aborted: AbortCause | null = null
  /** The service is stopping, and this stream ends with a last event. */
  isStopping = false
  /** The platform has confirmed the token of the request. */
  isAuthenticated = false
  /** Its connection has left HTTP, and the service has nothing to do for it until its client shows a token. */
  waitsForClient = false
  /** Bytes of answers in memory for this client that its connection does not have yet. */
  heldBytes = 0
  /** How many answers its connection carries at once: a web socket has several. */
  answers = 1
  /** Ends the connection with a reason, because its client takes too little of its answers. Null: it is destroyed. */
  onUnread: (() => void) | null = null
  /** Headers of every response, as a flat list of names and values. `writeHead` adds the handler's own headers to them. */
  baseHead: string[] = []
  /** Deliberate waits that go on: the request makes no work meanwhile. */
  private pauses = 0
  /** What the request waits for: the rest of the body, then the platform. It is aborted first. */
  waitingFor: { abort(cause: EndCause): void } | null = null
  /** The request before this one on the same connection, if that is still under way. */
  older: HttpContext | null = null
  private readonly host: HttpHost
  /** In `performance.now()` time; 0 if it is no stream. */
  private streamBeganAt = 0
  private listeners: ((cause: EndCause) => void)[] | null = null
  private afterClose: (() => void)[] | null = null
  private controller: AbortController | null = null
  private ownLog: Log | null = null
  private address: string | null = null

  constructor(request: IncomingMessage, response: TimedResponse, options: { host: HttpHost; deadlineMs: number }) {
    this.request = request
    this.response = response
    this.host = options.host
    this.startedAt = response.arrivedAt
    this.deadlineAt = this.startedAt + options.deadlineMs
    const given = request.headers['x-request-id']
    this.requestId = typeof given === 'string' && saneId.test(given) ? given : newId()
    const url = request.url ?? '/'
    const mark = url.indexOf('?')
    this.path = mark < 0 ? url : url.slice(0, mark)
    this.query = mark < 0 ? '' : url.slice(mark + 1)
  }

  get clientAddress(): string {
    this.address ??= this.host.addressOf(this.request)
    return this.address
  }

  get log(): Log {
    this.ownLog ??= this.host.log.child({ requestId: this.requestId })
    return this.ownLog
  }

  /** Aborts when the client leaves or the deadline passes; for a stream also when the service stops. */
  get signal(): AbortSignal {
    if (this.controller) return this.controller.signal
    const controller = new AbortController()
    this.controller = controller
    this.onAbort((cause) => controller.abort(abortError(cause)))
    return controller.signal
  }

  /** Called once, if the client leaves or the deadline passes before the response is complete; for a stream also when the service stops. */
  onAbort(listener: (cause: EndCause) => void): void {
    if (this.aborted) listener(this.aborted)
    else if (this.isStopping) listener('STOPPING')
    else if (this.listeners) this.listeners.push(listener)
    else this.listeners = [listener]
  }

  /** For a context that lasts longer than what it waited for. */
  offAbort(listener: (cause: EndCause) => void): void {
    const index = this.listeners?.indexOf(listener) ?? -1
    if (index !== -1) this.listeners?.splice(index, 1)
  }

  /** Called once, when the response is over, complete or not. One listener serves all, because a document may sign in many times. */
  onClosed(listener: () => void): void {
    const { request, response, afterClose } = this
    // The response of an upgrade is not sent, so only its socket tells.
    if (response.closed || request.socket.destroyed) return listener()
    if (afterClose) return void afterClose.push(listener)
    const listeners = [listener]
    this.afterClose = listeners
    response.once('close', () => {
      for (const each of listeners) each()
    })
  }

  /** Sets the headers of every response, for handlers that call `response.writeHead` themselves. */
  setBaseHead(): void {
    const { baseHead, response } = this
    for (let index = 0; index < baseHead.length; index += 2) response.setHeader(baseHead[index] ?? '', baseHead[index + 1] ?? '')
  }

  /** Writes the status, the headers of every response and these (a flat list of names and values). */
  writeHead(status: number, headers: readonly string[]): void {
    const { baseHead } = this
    for (const part of headers) baseHead.push(part)
    this.response.writeHead(status, baseHead)
  }

  /** From now on the response is a stream that lasts until one side ends it. */
  startStream(): void {
    this.streamBeganAt = performance.now()
    this.deadlineAt = Number.POSITIVE_INFINITY
    this.response.slot?.end()
  }

  /** Whether it waits on purpose. */
  get isPausing(): boolean {
    return this.pauses > 0
  }

  /** Runs a deliberate wait, such as the delay after a wrong password: meanwhile the request counts as none that is under way. */
  async pausing<Result>(wait: () => Promise<Result>): Promise<Result> {
    this.pauses += 1
    if (this.pauses === 1) this.response.slot?.leave()
    try {
      return await wait()
    } finally {
      this.pauses -= 1
      if (this.pauses === 0) this.response.slot?.enter()
    }
  }

  /** The service stops: a stream has this time for its last event. Other requests go on. */
  stopStream(withinMs: number): void {
    if (this.streamBeganAt === 0 || this.isStopping || this.aborted) return
    this.isStopping = true
    this.deadlineAt = performance.now() + withinMs
    this.notify('STOPPING')
  }

  /** How long the client waited: until the whole answer was written, or until a stream began. If neither has happened, until now. */
  tookMs(): number {
    return (this.streamBeganAt || this.response.endedAt || performance.now()) - this.startedAt
  }

  abort(cause: AbortCause): void {
    if (this.aborted) return
    this.aborted = cause
    this.notify(cause)
  }

  private notify(cause: EndCause): void {
    this.waitingFor?.abort(cause)
    const listeners = this.listeners
    this.listeners = null
    if (listeners) for (const listener of listeners) listener(cause)
  }
}

/** Turns HTTP requests into use case calls. An error that it throws before the response began goes to `answerError`. */
export type Handler = {
  /** It sends every response by `ctx.writeHead`. Without this the server sets the headers of every response first. */
  readonly writesOwnHead?: boolean
  /** It handles CORS itself, preflights included. Without this the server does, and allows only the frontends. */
  readonly ownsCors?: boolean
  /** Its requests are GraphQL in JSON, and so are its errors. */
  readonly takesGraphql?: boolean
  handle(ctx: HttpContext): Promise<void> | void
  /** Takes over a connection that wants a web socket. Without this the request is handled like any other. */
  upgrade?(ctx: HttpContext, upgraded: Upgraded): void
  /** Writes the error in this handler's format (GraphQL, problem+json). The response has not begun. */
  answerError(ctx: HttpContext, error: AppError): void
}

const saneId = /^[\w.:-]{1,128}$/

/** The reason of an aborted signal. Clients see only that the service stops. */
export function abortError(cause: EndCause): Error {
  if (cause === 'STOPPING') return new AppError('STOPPING')
  return cause === 'CLIENT_LEFT'
    ? new DOMException('The client left', 'AbortError')
    : new DOMException('The deadline passed', 'TimeoutError')
}
