import { Readable } from 'node:stream'
import { OperationTypeNode } from 'graphql'
import { AppError, invalidInput } from '../../kernel/errors.ts'
import { BodyTooLarge } from '../http/body.ts'
import type { HttpContext } from '../http/http-context.ts'
import { bearerToken } from '../http/request-context.ts'
import { bodyOf, type Envelope } from './envelope.ts'
import { type PartHead, partsOf } from './form-parts.ts'
import type { Planned } from './operation-plans.ts'
import type { PlatformRequests } from './platform-requests.ts'
import type { Endpoint } from './root-selections.ts'
import { type Parts, readUploadHead, type UploadHead } from './upload-head.ts'

export type TakeUpload = (ctx: HttpContext, boundary: string) => Promise<void>

/**
 * Takes a GraphQL upload (`multipart/form-data`) for the platform. Its head is read and planned. The platform gets a form that is written
 * from what was read, so that it cannot read another operation from it, with the files as they arrive; they are never stored. All
 * uploads need a token that the platform confirms: an upload has one of few connections for as long as it takes.
 */
export function createUploads({
  plan,
  endpoints,
  limits,
  confirmToken,
}: {
  /** Rejects if the platform does not accept the token of the request. */
  readonly confirmToken: (ctx: HttpContext) => Promise<void>
  readonly plan: (ctx: HttpContext, sent: Envelope) => Planned | Promise<Planned>
  readonly endpoints: Readonly<Record<Endpoint, PlatformRequests>>
  /** The limit of the part before the files, and of the whole body. */
  readonly limits: { readonly bodyBytes: number; readonly uploadBytes: number }
}): TakeUpload {
  return async (ctx, boundary) => {
    const { request } = ctx
    const received: Received = { ctx, bytes: 0, limitBytes: limits.uploadBytes, pieceTimeoutMs: null }
    const pieceTimeoutMs = ctx.deadlineAt - performance.now()
    const parts = partsOf(piecesOf(received), boundary)
    try {
      if (bearerToken(request.headers.authorization) === null) throw new AppError('TOKEN_MISSING')
      if (Number(request.headers['content-length'] ?? 0) > limits.uploadBytes) throw new BodyTooLarge(limits.uploadBytes)
      await confirmToken(ctx)
      const head = await readUploadHead(parts, limits.bodyBytes)
      const planned = await plan(ctx, head.envelope)
      const endpoint = endpointOf(planned)
      received.pieceTimeoutMs = pieceTimeoutMs
      waitForPiece(received)
      const body = Readable.from(forwarded({ boundary, head: { ...head, envelope: planned.envelope }, parts }), { objectMode: false })
      body.once('close', () => void endReading(parts, received))
      // A body of which nothing was sent is still open.
      ctx.response.once('finish', () => body.destroy())
      endpoints[endpoint].forwardUpload(ctx, { body, contentType: `multipart/form-data; boundary="${boundary}"` })
    } catch (error) {
      await parts.return(undefined)
      if (error instanceof BodyTooLarge) leaveRest(ctx)
      else dropRest(received)
      throw error
    }
  }
}

type Received = {
  readonly ctx: HttpContext
  readonly limitBytes: number
  bytes: number
  /** The time limit of other requests, which applies to each piece once the head is forwarded; null before. */
  pieceTimeoutMs: number | null
}

/** The body as it arrives. A loop that ends early leaves the rest to the next reader. */
async function* piecesOf(received: Received): AsyncGenerator<Buffer> {
  const { ctx, limitBytes } = received
  const pieces: AsyncIterable<Buffer> = ctx.request.iterator({ destroyOnReturn: false })
  for await (const piece of pieces) {
    received.bytes += piece.length
    if (received.bytes > limitBytes) {
      leaveRest(ctx)
      throw new BodyTooLarge(limitBytes)
    }
    waitForPiece(received)
    yield piece
  }
}

function waitForPiece({ ctx, pieceTimeoutMs }: Received): void {
  if (pieceTimeoutMs !== null && !ctx.response.headersSent) ctx.deadlineAt = performance.now() + pieceTimeoutMs
}

function endpointOf({ plan }: Planned): Endpoint {
  if (plan.kind === 'refused') throw plan.error
  if (plan.kind === 'unplanned') throw new AppError('INVALID_INPUT', { detail: 'The document has a syntax error or no such operation' })
  if (plan.kind !== 'platform' || plan.operation === OperationTypeNode.SUBSCRIPTION) {
    throw new AppError('INVALID_INPUT', {
      detail: 'Only queries and mutations of the platform may have files: send other operations as application/json',
    })
  }
  if (plan.credentials.length > 0)
    throw new AppError('INVALID_INPUT', { detail: 'An operation with credentials may not have files: send it as application/json' })
  return plan.endpoint
}

type Forwarded = { readonly boundary: string; readonly head: UploadHead; readonly parts: Parts }

const misnamed = invalidInput('map', 'must name every later part once, and each of these must be a file')

/** The form for the platform: the head as it was read, then the files as they arrive. */
async function* forwarded({ boundary, head, parts }: Forwarded): AsyncGenerator<Buffer> {
  const unsent = new Set(Object.keys(head.map))
  const begin = (headers: string): string => `\r\n--${boundary}\r\n${headers}\r\n\r\n`
  const field = (name: string, value: unknown): string => begin(`content-disposition: form-data; name="${name}"`) + JSON.stringify(value)
  // A server that takes the last `operations` would run another operation than the planned one.
  const beginFile = ({ name, isFile, written }: PartHead): Buffer => {
    if (!unsent.delete(name) || !isFile) throw misnamed
    return Buffer.from(begin(written))
  }
  yield Buffer.from((field('operations', bodyOf(head.envelope)) + field('map', head.map)).slice(2))
  if (head.next) yield beginFile(head.next)
  for await (const part of parts) yield Buffer.isBuffer(part) ? part : beginFile(part)
  yield Buffer.from(`\r\n--${boundary}--\r\n`)
}

/** The platform answered early or not at all, or the form was refused: the client gets to the answer, and its connection goes on if it may. */
async function endReading(parts: Parts, received: Received): Promise<void> {
  await parts.return(undefined)
  if (received.bytes <= received.limitBytes) dropRest(received)
}

/** The rest is not read: the connection ends with the response. */
function leaveRest({ request, response }: HttpContext): void {
  if (request.complete) return
  response.shouldKeepAlive = false
  request.pause()
}

/** The rest is read and dropped, so that a client that sends before it reads gets the answer. */
function dropRest({ ctx: { request }, bytes, limitBytes }: Received): void {
  let size = bytes
  request.on('data', (piece: Buffer) => {
    size += piece.length
    if (size > limitBytes) request.destroy()
  })
}
