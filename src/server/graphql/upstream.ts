import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { type Dispatcher, errors, Pool } from 'undici'
import { AppError } from '../../kernel/errors.ts'
import { abortError, type EndCause, type HttpContext } from '../http/http-context.ts'

export type UpstreamOptions = {
  /** The platform's address, without a path. */
  readonly url: string
  /** Connections for ordinary requests; event streams have connections of their own. Default 256. */
  readonly connections?: number
  /** Requests under way or waiting at once; more are refused with OVERLOADED. Default 10,000. */
  readonly maxInFlight?: number
  /** The longest time before the answer begins, and between two pieces of it. Default 30 s. */
  readonly stallMs?: number
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
  readonly figures: { inFlight: number }
  /** Throws OVERLOADED if too many are under way. The handler gets all other errors. */
  dispatch(request: UpstreamRequest, handler: AnswerHandler): void
  close(): Promise<void>
}

const uploadConnections = 32

export function createUpstream(options: UpstreamOptions): Upstream {
  const { connections = 256, maxInFlight = 10_000, stallMs = 30_000 } = options
  const common = { headersTimeout: stallMs, keepAliveTimeout: 30_000, connect: { timeout: 5_000 } }
  const pool = new Pool(options.url, { ...common, connections, bodyTimeout: stallMs })
  const streams = new Pool(options.url, { ...common, bodyTimeout: 0 })
  // uploads.ts sets a deadline for each piece; undici's timeout would count from the first.
  const uploads = new Pool(options.url, { ...common, connections: uploadConnections, headersTimeout: 0, bodyTimeout: stallMs })
  const figures = { inFlight: 0 }
  return {
    figures,
    dispatch({ path, headers, body, lasting }, handler) {
      if (figures.inFlight >= maxInFlight) throw new AppError('OVERLOADED', { data: { retryAfterSeconds: 1 } })
      figures.inFlight += 1
      handler.figures = figures
      const target = lasting ? (lasting === 'stream' ? streams : uploads) : pool
      target.dispatch({ path, method: 'POST', headers, body }, handler)
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

/** The client's language, program and schema version. */
export function pushRareHeaders(list: string[], { request: { headers } }: HttpContext): void {
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
  figures: { inFlight: number } | null = null
  protected readonly ctx: HttpContext
  protected controller: Dispatcher.DispatchController | null = null

  constructor(ctx: HttpContext) {
    this.ctx = ctx
    ctx.waitingFor = this
  }

  abort(cause: EndCause): void {
    this.controller?.abort(abortError(cause))
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller
    if (this.ctx.aborted) controller.abort(abortError(this.ctx.aborted))
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status >= 200) this.begin(status, headers)
  }

  abstract onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void

  onResponseEnd(): void {
    this.release()
    this.finish()
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.release()
    this.fail(this.ctx.aborted === null ? upstreamError(error) : abortError(this.ctx.aborted))
  }

  protected abstract begin(status: number, headers: IncomingHttpHeaders): void
  protected abstract finish(): void
  protected abstract fail(error: Error): void

  private release(): void {
    this.controller = null
    if (this.ctx.waitingFor === this) this.ctx.waitingFor = null
    if (this.figures) this.figures.inFlight -= 1
    this.figures = null
  }
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

/** The platform's answer is not a GraphQL answer. */
export function invalidAnswer(cause?: unknown): AppError {
  return new AppError('PROVIDER_ANSWER_INVALID', { detail: 'The platform gave an answer that cannot be read', cause })
}
