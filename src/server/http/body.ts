import type { IncomingMessage, ServerResponse } from 'node:http'
import { AppError } from '../../kernel/errors.ts'
import { type AbortCause, abortError, type HttpContext } from './http-context.ts'
import { type IncompleteBody, incompleteBodies } from './incomplete-bodies.ts'

/** 1 MB, which is more than any client sends as JSON. */
export const jsonBodyLimit = 1_048_576

/** The body is larger than its handler allows. Handlers answer it with status 413. */
export class BodyTooLarge extends AppError {
  constructor(limitBytes: number) {
    super('INVALID_INPUT', { detail: `The request body must be at most ${sizeOf(limitBytes)}` })
  }
}

function sizeOf(bytes: number): string {
  return bytes % 1_048_576 === 0 ? `${bytes / 1_048_576} MB` : `${Math.floor(bytes / 1_024)} kB`
}

/** Reads the whole body. Rejects with BodyTooLarge at the first byte over the limit, and when the client leaves. */
export function readBody(ctx: HttpContext, limitBytes = jsonBodyLimit): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    collectBody(ctx, limitBytes, (error, body) => (error === null ? resolve(body) : reject(error)))
  })
}

const nothing = Buffer.alloc(0)

/** The same by callback, which saves the hot path two rounds of the microtask queue. */
// oxlint-disable-next-line max-params -- the callback comes last
export function collectBody(ctx: HttpContext, limitBytes: number, done: BodyDone): void {
  const { request } = ctx
  const length = request.headers['content-length']
  const collector = new BodyCollector(ctx, { announced: length === undefined ? -1 : Number(length), limitBytes, done })
  if (collector.announced > limitBytes) return collector.refuse(new BodyTooLarge(limitBytes))
  ctx.waitingFor = collector
  request.on('data', (chunk: Buffer) => collector.take(chunk))
  if (collector.announced <= 0) request.on('end', () => collector.settle(null))
}

type Unread = { readonly request: IncomingMessage; readonly response: ServerResponse }

/** Reading this much costs less than a new connection. */
const smallBody = 65_536

/** For an answer that comes before the body was read: a small body is skipped, any other ends the connection. */
export function leaveBody(ctx: Unread): void {
  const { 'content-length': length, 'transfer-encoding': encoding } = ctx.request.headers
  if (encoding === undefined && Number(length ?? 0) <= smallBody) return
  endWithAnswer(ctx)
}

/** The rest of the body is not read: the connection ends with the response. */
function endWithAnswer({ request, response }: Unread): void {
  response.shouldKeepAlive = false
  request.pause()
}

const smallestBuffer = 4_096

type BodyDone = (error: Error | null, body: Buffer) => void

const tooManyBodies = 'Too many large requests are arriving at once: send this one again'

class BodyCollector implements IncompleteBody {
  readonly announced: number
  private readonly ctx: HttpContext
  private readonly limitBytes: number
  private readonly done: BodyDone
  /** The first piece; with the second one, a buffer that grows. */
  private bytes: Buffer = nothing
  private size = 0
  private settled = false

  constructor(ctx: HttpContext, { announced, limitBytes, done }: { announced: number; limitBytes: number; done: BodyDone }) {
    this.ctx = ctx
    this.announced = announced
    this.limitBytes = limitBytes
    this.done = done
  }

  take(chunk: Buffer): void {
    if (this.settled) return
    const before = this.size
    this.size += chunk.length
    if (this.size > this.limitBytes) return this.refuse(new BodyTooLarge(this.limitBytes))
    if (before === 0) this.bytes = chunk
    else this.append(chunk, before)
    // The last byte has come: no need to wait for the stream's end event.
    if (this.size === this.announced) this.settle(null)
    else incompleteBodies.note(this, this.bytes.length)
  }

  giveWay(): void {
    this.refuse(new AppError('OVERLOADED', { detail: tooManyBodies, data: { retryAfterSeconds: 1 } }))
  }

  /** Copies: a list of the pieces would take a hundred bytes for each, and a client may send a megabyte as a million of them. */
  private append(chunk: Buffer, at: number): void {
    if (this.size > this.bytes.length) {
      const larger = Buffer.allocUnsafe(Math.min(this.limitBytes, Math.max(2 * this.size, smallestBuffer)))
      this.bytes.copy(larger, 0, 0, at)
      this.bytes = larger
    }
    chunk.copy(this.bytes, at)
  }

  refuse(error: AppError): void {
    endWithAnswer(this.ctx)
    this.settle(error)
  }

  abort(cause: AbortCause): void {
    this.settle(abortError(cause))
  }

  settle(error: Error | null): void {
    if (this.settled) return
    this.settled = true
    incompleteBodies.remove(this)
    this.ctx.waitingFor = null
    const body = this.bytes.subarray(0, this.size)
    this.bytes = nothing
    if (error) this.done(error, nothing)
    else this.done(null, body)
  }
}
