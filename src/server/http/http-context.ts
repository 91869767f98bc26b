import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AppError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'

/** Why an exchange was ended before its answer was complete. */
export type AbortCause = 'CLIENT_LEFT' | 'DEADLINE'

export type HttpHost = {
  readonly log: Log
  readonly addressOf: (request: IncomingMessage) => string
}

/**
 * One HTTP request with its answer. A class, not a closure: it is made for every request, and what most requests never ask for
 * (a client address, an AbortSignal, a log of its own) is made on the first use.
 */
export class HttpContext {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  /** The path as it came, without the query. */
  readonly path: string
  /** What follows the `?`, or an empty text. */
  readonly query: string
  /** When it is cut, in `performance.now()` time; a door that streams for long sets it to Infinity. */
  deadlineAt: number
  aborted: AbortCause | null = null
  /** Headers that every answer has, as names and values in turn; a door that writes its own head adds its own to them. */
  baseHead: string[] = []
  /** What the exchange waits for: the rest of the body, then the platform. Given up first when it is cut. */
  waitingFor: { abort(cause: AbortCause): void } | null = null
  /** The exchange before this one on the same connection, where that is still under way. */
  older: HttpContext | null = null
  private readonly host: HttpHost
  private listeners: ((cause: AbortCause) => void)[] | null = null
  private controller: AbortController | null = null
  private ownLog: Log | null = null
  private address: string | null = null

  constructor(request: IncomingMessage, response: ServerResponse, options: { host: HttpHost; deadlineAt: number }) {
    this.request = request
    this.response = response
    this.host = options.host
    this.deadlineAt = options.deadlineAt
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

  /** Aborts when the client leaves or the deadline passes. */
  get signal(): AbortSignal {
    if (this.controller) return this.controller.signal
    const controller = new AbortController()
    this.controller = controller
    if (this.aborted) controller.abort(abortError(this.aborted))
    else this.onAbort((cause) => controller.abort(abortError(cause)))
    return controller.signal
  }

  /** Called once, when the client leaves or the deadline passes before the answer is complete. */
  onAbort(listener: (cause: AbortCause) => void): void {
    if (this.aborted) listener(this.aborted)
    else if (this.listeners) this.listeners.push(listener)
    else this.listeners = [listener]
  }

  /** Sets the headers that every answer has on the response, for those that write their head by themselves. */
  setBaseHead(): void {
    const { baseHead, response } = this
    for (let index = 0; index < baseHead.length; index += 2) response.setHeader(baseHead[index] ?? '', baseHead[index + 1] ?? '')
  }

  /** Writes status and headers (names and values in turn), with those that every answer has. */
  writeHead(status: number, headers: readonly string[]): void {
    const { baseHead } = this
    for (const part of headers) baseHead.push(part)
    this.response.writeHead(status, baseHead)
  }

  abort(cause: AbortCause): void {
    if (this.aborted) return
    this.aborted = cause
    this.waitingFor?.abort(cause)
    const listeners = this.listeners
    this.listeners = null
    if (listeners) for (const listener of listeners) listener(cause)
  }
}

/** Answers one kind of request. What it throws before the answer has begun is answered by `answerError` in the door's own form. */
export type Handler = {
  /** Its answers go out by `ctx.writeHead` alone; else the headers of every answer are set on the response beforehand. */
  readonly writesOwnHead?: boolean
  /** It says by itself which pages may read its answers, and answers preflights; else the server does, for the frontends alone. */
  readonly ownsCors?: boolean
  handle(ctx: HttpContext): Promise<void> | void
  /** Writes the error in the form of this door (GraphQL, problem+json). The answer has not begun. */
  answerError(ctx: HttpContext, error: AppError): void
}

const saneId = /^[\w.:-]{1,128}$/

/** The reason of an aborted signal; doors never show it. */
export function abortError(cause: AbortCause): DOMException {
  return cause === 'CLIENT_LEFT'
    ? new DOMException('The client left', 'AbortError')
    : new DOMException('The deadline passed', 'TimeoutError')
}
