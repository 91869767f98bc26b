import { Readable } from 'node:stream'
import { OperationTypeNode } from 'graphql'
import { AppError } from '../../kernel/errors.ts'
import { BodyTooLarge } from '../http/body.ts'
import type { HttpContext } from '../http/http-context.ts'
import { bearerToken } from '../http/request-context.ts'
import { bodyOf, type Envelope } from './envelope.ts'
import type { Plan } from './plan.ts'
import type { PlatformRequests } from './platform-requests.ts'
import type { Endpoint } from './root-selections.ts'
import { createUploadHeadReader, type UploadHead } from './upload-head.ts'
import { createPartGuard } from './upload-parts.ts'

export type TakeUpload = (ctx: HttpContext, boundary: string) => Promise<void>

/**
 * Takes a GraphQL upload (`multipart/form-data`) for the platform. Its head is read and planned. The platform gets a head that is written
 * from what was read, so that it cannot read another operation from it, and then the files as they arrive; they are never stored. All
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
  readonly plan: (ctx: HttpContext, envelope: Envelope) => Plan | Promise<Plan>
  readonly endpoints: Readonly<Record<Endpoint, PlatformRequests>>
  /** The limit of the part before the files, and of the whole body. */
  readonly limits: { readonly bodyBytes: number; readonly uploadBytes: number }
}): TakeUpload {
  return async (ctx, boundary) => {
    const { request } = ctx
    const pieceTimeoutMs = ctx.deadlineAt - performance.now()
    try {
      if (bearerToken(request.headers.authorization) === null) throw new AppError('TOKEN_MISSING')
      if (Number(request.headers['content-length'] ?? 0) > limits.uploadBytes) throw new BodyTooLarge(limits.uploadBytes)
      await confirmToken(ctx)
      const head = await readHead(piecesOf(ctx), createUploadHeadReader({ boundary, limitBytes: limits.bodyBytes }))
      const endpoint = endpointOf(await plan(ctx, head.envelope))
      const body = Readable.from(forwarded({ ctx, boundary, head, pieceTimeoutMs, limitBytes: limits.uploadBytes }), { objectMode: false })
      endpoints[endpoint].forwardUpload(ctx, { body, contentType: `multipart/form-data; boundary="${boundary}"` })
    } catch (error) {
      if (error instanceof BodyTooLarge) leaveRest(ctx)
      else dropRest(ctx, limits.uploadBytes)
      throw error
    }
  }
}

/** The body as it arrives. A loop that ends early leaves the rest to the next reader. */
function piecesOf({ request }: HttpContext): AsyncIterable<Buffer> {
  return request.iterator({ destroyOnReturn: false })
}

async function readHead(pieces: AsyncIterable<Buffer>, take: (piece: Buffer) => UploadHead | null): Promise<UploadHead> {
  for await (const piece of pieces) {
    const head = take(piece)
    if (head) return head
  }
  throw new AppError('INVALID_INPUT', { detail: 'The form ends before its files' })
}

function endpointOf(plan: Plan): Endpoint {
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

type Forwarded = {
  readonly ctx: HttpContext
  readonly boundary: string
  readonly head: UploadHead
  /** The time limit of other requests; here it applies to each piece. */
  readonly pieceTimeoutMs: number
  readonly limitBytes: number
}

/** The head as it was read, then the rest as it arrives. */
async function* forwarded({ ctx, boundary, head, pieceTimeoutMs, limitBytes }: Forwarded): AsyncGenerator<Buffer> {
  const field = (name: string, value: unknown): string =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${JSON.stringify(value)}\r\n`
  const guard = createPartGuard({ boundary, names: new Set(Object.keys(head.map)) })
  let size = head.rest.length
  try {
    yield Buffer.from(field('operations', bodyOf(head.envelope)) + field('map', head.map))
    guard(head.rest)
    yield head.rest
    for await (const piece of piecesOf(ctx)) {
      size += piece.length
      if (size > limitBytes) throw new BodyTooLarge(limitBytes)
      if (!ctx.response.headersSent) ctx.deadlineAt = performance.now() + pieceTimeoutMs
      guard(piece)
      yield piece
    }
  } finally {
    if (size > limitBytes) leaveRest(ctx)
    // The platform answered early: the rest is read and dropped, so that the client gets to the answer.
    else dropRest(ctx, limitBytes - size)
  }
}

/** The rest is not read: the connection ends with the response. */
function leaveRest({ request, response }: HttpContext): void {
  if (request.complete) return
  response.shouldKeepAlive = false
  request.pause()
}

/** The rest is read and dropped, so that a client that sends before it reads gets the answer. */
function dropRest({ request }: HttpContext, limitBytes: number): void {
  let size = 0
  request.on('data', (piece: Buffer) => {
    size += piece.length
    if (size > limitBytes) request.destroy()
  })
}
