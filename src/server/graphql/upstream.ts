import { scaled } from '../../kernel/deadlines.ts'
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { type Dispatcher, errors, Pool } from 'undici'
import { CircuitBreaker } from '../../kernel/circuit-breaker.ts'
import { AppError, type ErrorReason } from '../../kernel/errors.ts'
import { isGatewayFailure } from '../../kernel/http-client.ts'
import { countUpstreamCall, type Figures } from '../../ports/figures.ts'
import { traceparentOf } from '../../kernel/tracing.ts'
import { abortError, type EndCause, type HttpContext } from '../http/http-context.ts'
import { invalidAnswer } from './invalid-answer.ts'

export type UpstreamOptions = {
  /** The platform's address, without a path. */
  readonly url: string
  /** Connections for ordinary requests; event streams have connections of their own. Default 256. */
  readonly connections?: number
  /** Requests under way or waiting at once; more are refused with OVERLOADED. Default 10,000. */
  readonly maxInFlight?: number
  /** Shared with all other requests to the platform. Default: one of its own. */
  readonly breaker?: CircuitBreaker
  /** The longest time before the answer begins, and between two pieces of it. Default 30 s. */
  readonly stallMs?: number
  /** Counts the requests. */
  readonly calls?: Pick<Figures, 'upstreamCalls'>
}

export type UpstreamRequest = {
  readonly path: string
  /** A flat list of names and values. */
  readonly headers: string[]
  readonly body: Buffer | string | Readable
  /** A stream lasts until one side ends it, an upload as long as it arrives. Both have connections of their own. */
  readonly lasting?: 'stream' | 'upload' | null
}

/** The platform over keep-alive connections: one request for each request of a client. */
export type Upstream = {
  readonly figures: UpstreamFigures
  readonly breaker: CircuitBreaker
  /** Throws OVERLOADED if too many are under way, PROVIDER_UNAVAILABLE if the platform does not work. The handler gets all other errors. */
  dispatch(request: UpstreamRequest, handler: AnswerHandler): void
  close(): Promise<void>
}

/** `sent`: requests that have one of the connections for ordinary requests. */
type UpstreamFigures = { inFlight: number; sent: number }
type Sent = { readonly request: UpstreamRequest; readonly handler: AnswerHandler }

const uploadConnections = 32

export function createUpstream(options: UpstreamOptions): Upstream {
  const {
    connections = 256,
    maxInFlight = 10_000,
    stallMs = scaled(30_000),
    calls = null,
    breaker = new CircuitBreaker({ party: 'platform', who: 'The platform', workspaceId: null }),
  } = options
  const common = { headersTimeout: stallMs, keepAliveTimeout: 30_000, connect: { timeout: scaled(5_000) } }
  const pool = new Pool(options.url, { ...common, connections, bodyTimeout: stallMs })
  const streams = new Pool(options.url, { ...common, bodyTimeout: 0 })
  // uploads.ts sets a deadline for each piece; undici's timeout would count from the first.
  const uploads = new Pool(options.url, { ...common, connections: uploadConnections, headersTimeout: 0, bodyTimeout: stallMs })
  const figures = { inFlight: 0, sent: 0 }
  let queue: Sent[] = []
  const send = ({ request: { path, headers, body }, handler }: Sent): void => {
    figures.sent += 1
    handler.isSent = true
    pool.dispatch({ path, method: 'POST', headers, body }, handler)
  }
  const sendNext = (): void => {
    const next = queue.shift()
    if (next) send(next)
  }
  // A stalled platform holds as many requests as it has connections. The others have not been sent, and get their answer at once.
  breaker.onChange((cause) => {
    const unsent = cause === null ? [] : queue
    if (cause !== null) queue = []
    for (const { handler } of unsent) handler.onResponseError(null, breaker.refusal())
  })
  return {
    figures,
    breaker,
    dispatch(request, handler) {
      if (figures.inFlight >= maxInFlight) throw new AppError('OVERLOADED', { data: { retryAfterSeconds: 1 } })
      breaker.enter()
      figures.inFlight += 1
      const { path, headers, body, lasting } = request
      handler.use({ figures, breaker, sendNext, path, calls, stallMs })
      if (lasting) (lasting === 'stream' ? streams : uploads).dispatch({ path, method: 'POST', headers, body }, handler)
      else if (figures.sent < connections) send({ request, handler })
      else queue.push({ request, handler })
    },
    async close() {
      await Promise.all([pool.destroy(), streams.destroy(), uploads.destroy()])
    },
  }
}

/**
 * The client's headers that are forwarded to the platform: never a cookie, an Origin, or a header of the connection. Written out name by
 * name, because a loop over the names costs more than everything else here. `isRead`: the answer is read here, so it must not be compressed.
 */
export function forwardedHeaders(ctx: HttpContext, contentType: string, isRead = false): string[] {
  const { headers } = ctx.request
  const list = ['content-type', contentType, 'x-request-id', ctx.requestId]
  if (headers.authorization !== undefined) list.push('authorization', headers.authorization)
  if (headers.accept !== undefined) list.push('accept', headers.accept)
  if (!isRead && headers['accept-encoding'] !== undefined) list.push('accept-encoding', oneOf(headers['accept-encoding']))
  pushRareHeaders(list, ctx)
  return list
}

/** The client's language, program and schema version; the trace. */
export function pushRareHeaders(list: string[], { request: { headers }, span }: HttpContext): void {
  if (span !== null) list.push('traceparent', traceparentOf(span))
  if (headers['accept-language'] !== undefined) list.push('accept-language', headers['accept-language'])
  if (headers['user-agent'] !== undefined) list.push('user-agent', headers['user-agent'])
  if (headers['x-locale'] !== undefined) list.push('x-locale', oneOf(headers['x-locale']))
  if (headers['x-schema-version'] !== undefined) list.push('x-schema-version', oneOf(headers['x-schema-version']))
  if (headers['x-app-version'] !== undefined) list.push('x-app-version', oneOf(headers['x-app-version']))
}

function oneOf(value: string | readonly string[]): string {
  return typeof value === 'string' ? value : value.join(', ')
}

/** Receives the platform's answer for one request, and aborts the platform request with it. A class, because undici is fastest with one shape. */
export abstract class AnswerHandler implements Dispatcher.DispatchHandler {
  /** Whether it has one of the connections for ordinary requests. */
  isSent = false
  protected readonly ctx: HttpContext
  protected controller: Dispatcher.DispatchController | null = null
  private upstream: Used | null = null
  /** Whether the breaker has its verdict. */
  private isJudged = false
  /** In `performance.now()` time. */
  private askedAt = 0

  constructor(ctx: HttpContext) {
    this.ctx = ctx
    ctx.waitingFor = this
  }

  /** The longest time between two pieces. */
  protected get stallMs(): number {
    return this.upstream?.stallMs ?? Number.POSITIVE_INFINITY
  }

  use(upstream: Used): void {
    this.upstream = upstream
    this.askedAt = performance.now()
  }

  abort(cause: EndCause): void {
    this.controller?.abort(abortError(cause))
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller
    if (!this.ctx.aborted) return
    // Nothing is sent yet: an error leaves the connection open, where an abort would close it. Only an abort ends the body of an upload.
    if (this.isSent) throw abortError(this.ctx.aborted)
    controller.abort(abortError(this.ctx.aborted))
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return
    this.judge(isGatewayFailure(status) ? 'failed' : 'answered')
    this.count(status >= 500 ? 'PROVIDER_UNAVAILABLE' : 'OK')
    this.begin(status, headers)
  }

  abstract onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void

  onResponseEnd(): void {
    this.release()
    this.finish()
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    const shown = this.ctx.aborted === null ? upstreamError(error) : abortError(this.ctx.aborted)
    // Whether an answer that takes too long will come, only silence shows.
    this.judge(this.ctx.aborted === null && isUnreachable(shown) ? 'failed' : 'left')
    // If the client left, nobody knows what the platform would have answered.
    if (this.ctx.aborted !== 'CLIENT_LEFT') this.count(shown instanceof AppError ? shown.reason : 'DEADLINE_PASSED')
    this.release()
    this.fail(shown)
  }

  protected abstract begin(status: number, headers: IncomingHttpHeaders): void
  protected abstract finish(): void
  protected abstract fail(error: Error): void

  private judge(verdict: 'answered' | 'failed' | 'left'): void {
    if (this.isJudged) return
    this.isJudged = true
    this.upstream?.breaker[verdict]()
  }

  /** Until the answer begins, or until it is known that there is none. */
  private count(result: 'OK' | ErrorReason): void {
    const { askedAt, upstream } = this
    this.askedAt = 0
    if (askedAt === 0 || !upstream?.calls) return
    const seconds = (performance.now() - askedAt) / 1_000
    countUpstreamCall(upstream.calls, { provider: 'platform', operation: upstream.path, result, seconds })
  }

  private release(): void {
    this.controller = null
    if (this.ctx.waitingFor === this) this.ctx.waitingFor = null
    const { upstream } = this
    this.upstream = null
    if (upstream === null) return
    upstream.figures.inFlight -= 1
    if (!this.isSent) return
    upstream.figures.sent -= 1
    upstream.sendNext()
  }
}

/** What a handler uses of its upstream. */
type Used = Pick<Upstream, 'figures' | 'breaker'> & {
  readonly sendNext: () => void
  readonly path: string
  readonly stallMs: number
  readonly calls: Pick<Figures, 'upstreamCalls'> | null
}

/** Not a request of ours that was refused because of it. */
function isUnreachable(error: Error): boolean {
  return error instanceof AppError && error.reason === 'PROVIDER_UNAVAILABLE' && error.data?.['party'] === undefined
}

/** Undici's error as an AppError. */
function upstreamError(error: Error): AppError {
  if (error instanceof AppError) return error
  if (error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError) {
    return new AppError('DEADLINE_PASSED', { detail: 'The platform took too long', cause: error })
  }
  if (error instanceof errors.ResponseContentLengthMismatchError || error instanceof errors.HTTPParserError) return invalidAnswer(error)
  return new AppError('PROVIDER_UNAVAILABLE', { detail: 'The platform is not available', cause: error, data: { retryAfterSeconds: 1 } })
}
