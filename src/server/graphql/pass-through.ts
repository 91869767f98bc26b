import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { Dispatcher } from 'undici'
import { AppError } from '../../kernel/errors.ts'
import type { EndCause, HttpContext } from '../http/http-context.ts'
import { mediaTypeOf } from '../http/media-types.ts'
import { toAppError } from '../http/problem.ts'
import { slowReaderMs } from './answer.ts'
import { formattedError } from './errors.ts'
import { invalidAnswer, NotAcceptable } from './invalid-answer.ts'
import { bodyWithCodes, hasErrorsFirst } from './platform-errors.ts'
import { isAnonymous, refusesField } from './unknown-field.ts'
import { AnswerHandler } from './upstream.ts'

/** What else happens when the platform has answered. */
export type ForwardHooks = {
  /** The endpoint does not have a root field. Resolves to the body to send, or to null if another request answers the client. */
  readonly onUnknownField?: (body: Buffer) => Promise<Buffer | null>
  /** The platform has answered, and not with errors alone. The client may not have all of the answer yet. The answer must not be compressed. */
  readonly onAnswered?: () => void
}

const closingBrace = 0x7d
const smallBytes = 16_384
/** A larger answer ends if less than this comes within the longest time between two pieces: a byte a second would hold client and connection for ever. */
const leastBytes = 65_536

/**
 * Streams the platform's answer back unchanged: status, body, content type, errors; only errors without a code get one. An answer that is not GraphQL (HTML, empty, incomplete
 * JSON) becomes an error of ours if nothing has been sent yet; otherwise it ends the connection. A small answer is sent when it is complete.
 */
export class PassThrough extends AnswerHandler {
  private readonly answerError: (ctx: HttpContext, error: AppError) => void
  private readonly hooks: ForwardHooks
  private readonly response: ServerResponse
  private status = 0
  private headers: IncomingHttpHeaders = {}
  private length = -1
  /** JSON that is not compressed: its last byte shows whether it is complete. */
  private plainJson = false
  /** Server-sent events that are not compressed. */
  private isEvents = false
  private held: Buffer | null = null
  private lastByte = 0
  private waiting = false
  private isStream = false
  /** What has come since the pace was checked, and when that was. */
  private paceBytes = 0
  private paceSince = 0
  /** Only looked for if there is a hook for it. */
  private hasData = false
  /** Why it ends before the platform has ended it. */
  private refusal: AppError | null = null

  constructor(ctx: HttpContext, { answerError, hooks }: { answerError: (ctx: HttpContext, error: AppError) => void; hooks: ForwardHooks }) {
    super(ctx)
    this.answerError = answerError
    this.hooks = hooks
    this.response = ctx.response
  }

  protected begin(status: number, headers: IncomingHttpHeaders): void {
    const type = mediaTypeOf(headers['content-type'])
    const json = type === 'application/json' || type === 'application/graphql-response+json'
    const stream = !json && (type === 'text/event-stream' || type === 'multipart/mixed')
    if (!json && !stream) {
      this.controller?.abort(status === 406 ? new NotAcceptable() : invalidAnswer())
      return
    }
    this.status = status
    this.headers = headers
    this.length = headers['content-length'] === undefined ? -1 : Number(headers['content-length'])
    this.plainJson = json && headers['content-encoding'] === undefined
    if (!stream) return
    this.isStream = true
    this.isEvents = type === 'text/event-stream' && headers['content-encoding'] === undefined
    this.sendHead()
    this.ctx.startStream()
    this.response.flushHeaders()
  }

  /** When the service stops, a stream of the platform ends with an event of ours. Inside a compressed stream there is no place for one. */
  override abort(cause: EndCause): void {
    if (cause === 'STOPPING') this.response.end(this.isEvents ? lastEvents(this.ctx.requestId, new AppError('STOPPING')) : '')
    super.abort(cause)
  }

  /** The token is refused while the stream lasts: its last event says so. */
  endWith(refusal: AppError): void {
    if (this.refusal !== null) return
    this.refusal = refusal
    if (this.response.headersSent) this.response.end(this.isEvents ? lastEvents(this.ctx.requestId, refusal) : '')
    this.controller?.abort(refusal)
  }

  override onRequestStart(controller: Dispatcher.DispatchController): void {
    super.onRequestStart(controller)
    if (this.refusal) controller.abort(this.refusal)
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.plainJson) {
      if (this.hooks.onAnswered && chunk.includes('"data":{')) this.hasData = true
      this.lastByte = lastVisibleByte(chunk) || this.lastByte
    }
    if (this.ctx.isStopping || this.refusal || this.hold(chunk)) return
    if (this.isTooSlow(chunk.length)) return controller.abort(new AppError('DEADLINE_PASSED', { detail: 'The platform took too long' }))
    const flushed = this.writeHeld()
    if (this.response.write(chunk) && flushed) return
    this.waitForReader(controller)
  }

  /** Most answers are one piece, and small ones are sent when they are known to be complete: until then an error is possible. */
  private hold(chunk: Buffer): boolean {
    const { held } = this
    if (this.response.headersSent || (held !== null && held.length + chunk.length > smallBytes)) return false
    this.held = held === null ? chunk : Buffer.concat([held, chunk])
    if (chunk.length > smallBytes && this.length < 0) setImmediate(sendHeld, this)
    return true
  }

  private isTooSlow(bytes: number): boolean {
    if (this.isStream) return false
    this.paceBytes += bytes
    const now = performance.now()
    if (this.paceSince === 0) this.paceSince = now
    if (now - this.paceSince < this.stallMs) return false
    if (this.paceBytes < leastBytes) return true
    this.paceBytes = 0
    this.paceSince = now
    return false
  }

  /** A large answer of unknown length that has not ended with its first piece: the client gets what is there. */
  sendEarly(): void {
    if (this.controller === null || this.ctx.aborted !== null || this.held === null || hasErrorsFirst(this.held)) return
    if (!this.writeHeld()) this.waitForReader(this.controller)
  }

  /** False if the reader is behind. */
  private writeHeld(): boolean {
    if (!this.response.headersSent) this.sendHead()
    const { held } = this
    this.held = null
    return held === null || this.response.write(held)
  }

  protected finish(): void {
    const whole = this.plainJson ? this.lastByte === closingBrace : this.response.headersSent || this.held !== null
    if (!whole) return this.fail(invalidAnswer())
    const { held, hooks } = this
    this.held = null
    if (this.hasData) hooks.onAnswered?.()
    if (held === null) return void this.response.end()
    if (!hasErrorsFirst(held)) return this.sendWhole(held)
    if (!hooks.onUnknownField || !refusesField(held)) return this.sendErrors(held)
    hooks.onUnknownField(held).then(
      (body) => {
        if (body && this.ctx.aborted === null) this.sendErrors(body)
      },
      (error: unknown) => this.fail(toAppError(error)),
    )
  }

  /** Errors without data get a code if they have none. */
  private sendErrors(held: Buffer): void {
    const { ctx, status } = this
    ctx.hasFailed = true
    this.sendWhole(bodyWithCodes(held, { status, requestId: ctx.requestId, isAnonymous: isAnonymous(ctx) }))
  }

  private sendWhole(held: Buffer): void {
    this.length = held.length
    this.sendHead()
    // A small body as text goes out in one piece with the head.
    if (held.length <= smallBytes) this.response.end(held.toString('latin1'), 'latin1')
    else this.response.end(held)
  }

  protected fail(error: Error): void {
    const { ctx, response } = this
    if (ctx.aborted !== null || ctx.isStopping || (this.refusal && response.headersSent)) return
    const shown = toAppError(error)
    // An error of the client: its answer names it.
    if (shown.code !== 'BAD_USER_INPUT')
      ctx.log.warn({ reason: shown.reason, route: ctx.route, cause: causeOf(error) }, 'platform.request-failed')
    if (response.headersSent) response.destroy()
    else this.answerError(ctx, shown)
  }

  /** Of the platform's headers only these come back; never a cookie. */
  private sendHead(): void {
    const { ctx, headers } = this
    // From here on the reader sets the pace. A platform that stalls and a reader that takes nothing have deadlines of their own.
    ctx.deadlineAt = Number.POSITIVE_INFINITY
    const head: string[] = []
    if (headers['content-type'] !== undefined) head.push('content-type', headers['content-type'])
    if (headers['content-encoding'] !== undefined) head.push('content-encoding', headers['content-encoding'])
    if (headers['content-language'] !== undefined) head.push('content-language', headers['content-language'])
    head.push('cache-control', headers['cache-control'] ?? 'no-store')
    if (headers['retry-after'] !== undefined) head.push('retry-after', headers['retry-after'])
    if (this.length >= 0) head.push('content-length', String(this.length))
    ctx.writeHead(this.status, head)
  }

  private waitForReader(controller: Dispatcher.DispatchController): void {
    if (this.waiting) return
    this.waiting = true
    controller.pause()
    this.ctx.deadlineAt = performance.now() + slowReaderMs
    this.response.once('drain', () => {
      this.waiting = false
      this.paceSince = 0
      this.ctx.deadlineAt = Number.POSITIVE_INFINITY
      controller.resume()
    })
  }
}

/** The blank line ends an event of the platform that has not come whole. */
function lastEvents(requestId: string, error: AppError): string {
  const errors = [formattedError(error, requestId)]
  return `\n\nevent: next\ndata: ${JSON.stringify({ errors })}\n\nevent: complete\ndata:\n\n`
}

function sendHeld(answer: PassThrough): void {
  answer.sendEarly()
}

/** The last byte that is not white space; 0 if there is none. */
function lastVisibleByte(chunk: Buffer): number {
  let index = chunk.length - 1
  while (index >= 0 && (chunk[index] ?? 0) <= 0x20) index -= 1
  return chunk[index] ?? 0
}

/** The kind of error for the log. Its message may contain the platform's answer. */
function causeOf(error: Error): string {
  return error.cause instanceof Error && 'code' in error.cause ? String(error.cause.code) : error.name
}
