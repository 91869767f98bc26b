import { Readable } from 'node:stream'
import { OperationTypeNode } from 'graphql'
import { AppError } from '../../kernel/errors.ts'
import { BodyTooLarge } from '../http/body.ts'
import type { HttpContext } from '../http/http-context.ts'
import { bearerToken } from '../http/request-context.ts'
import { bodyOf } from './envelope.ts'
import type { Plan } from './plan.ts'
import type { PlanCache } from './plan-cache.ts'
import type { PlatformRequests } from './platform-requests.ts'
import { createUploadHeadReader, type UploadHead } from './upload-head.ts'
import { createPartGuard } from './upload-parts.ts'

export type UploadDependencies = {
  readonly plans: PlanCache
  readonly requests: PlatformRequests
  /** The most that comes before the files, and in all. */
  readonly limits: { readonly bodyBytes: number; readonly uploadBytes: number }
}

/**
 * Takes a GraphQL upload (`multipart/form-data`) for the platform. Its head is read and planned; the platform gets the head as it was
 * understood here, so that nobody can read another operation out of it, and then the files as they come, which are never held. All of
 * the platform's uploads need a token: without an Authorization header, which no page of another origin can set, none begins.
 */
export function createUploads({ plans, requests, limits }: UploadDependencies): (ctx: HttpContext, boundary: string) => Promise<void> {
  return async (ctx, boundary) => {
    const { request } = ctx
    const patienceMs = ctx.deadlineAt - performance.now()
    try {
      if (bearerToken(request.headers.authorization) === null) throw new AppError('TOKEN_MISSING')
      if (Number(request.headers['content-length'] ?? 0) > limits.uploadBytes) throw new BodyTooLarge(limits.uploadBytes)
      const head = await readHead(piecesOf(ctx), createUploadHeadReader({ boundary, limitBytes: limits.bodyBytes }))
      requirePlatform(plans.plan(head.envelope.query, head.envelope.operationName))
      const body = Readable.from(passedOn({ ctx, boundary, head, patienceMs, limitBytes: limits.uploadBytes }), { objectMode: false })
      requests.forwardUpload(ctx, body, `multipart/form-data; boundary="${boundary}"`)
    } catch (error) {
      leaveRest(ctx)
      throw error
    }
  }
}

/** The body as it comes. Whoever stops reading leaves the rest to be read by others. */
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

function requirePlatform(plan: Plan): void {
  if (plan.kind === 'refused') throw plan.error
  if (plan.kind === 'odd') throw new AppError('INVALID_INPUT', { detail: 'The document cannot be read, or has no such operation' })
  if (plan.kind !== 'platform' || plan.operation === OperationTypeNode.SUBSCRIPTION) {
    throw new AppError('INVALID_INPUT', {
      detail: 'Files come with queries and mutations of the platform alone; send all else as application/json',
    })
  }
  if (plan.credentials.length > 0) throw new AppError('INVALID_INPUT', { detail: 'Credentials come as application/json, without files' })
}

type PassedOn = {
  readonly ctx: HttpContext
  readonly boundary: string
  readonly head: UploadHead
  /** The time that another request has in all; here each piece has it. */
  readonly patienceMs: number
  readonly limitBytes: number
}

/** The head anew, then the rest as it comes. */
async function* passedOn({ ctx, boundary, head, patienceMs, limitBytes }: PassedOn): AsyncGenerator<Buffer> {
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
      if (!ctx.response.headersSent) ctx.deadlineAt = performance.now() + patienceMs
      guard(piece)
      yield piece
    }
  } finally {
    if (size > limitBytes) leaveRest(ctx)
    // The platform answered before it had heard all: the rest goes by, so that the client comes to the answer.
    else ctx.request.resume()
  }
}

/** What is still to come is not read: the connection ends with the answer. */
function leaveRest({ request, response }: HttpContext): void {
  if (request.complete) return
  response.shouldKeepAlive = false
  request.pause()
}
