import type { Readable } from 'node:stream'
import { OperationTypeNode } from 'graphql'
import type { CredentialGate } from '../../features/auth/credential-gate.ts'
import type { AppError } from '../../kernel/errors.ts'
import type { HttpContext } from '../http/http-context.ts'
import { sendBody, type MediaType } from './answer.ts'
import { type CredentialField, enterGate, type GatedAnswer } from './credentials.ts'
import { bodyOf, type Envelope } from './envelope.ts'
import { type Answer, readGraphQL } from './mixed.ts'
import { PassThrough } from './pass-through.ts'
import { forwardedHeaders, pushRareHeaders, type Upstream } from './upstream.ts'
import { readAnswer, type UpstreamAnswer } from './whole-answer.ts'

export type PlatformRequestsOptions = {
  readonly upstream: Upstream
  /** The path of the endpoint on the platform. */
  readonly path: string
  readonly credentialGate: CredentialGate
  readonly answerError: (ctx: HttpContext, error: AppError) => void
}

/** One endpoint of the platform, as the doors use it. */
export type PlatformRequests = {
  /** The client's bytes go on as they are; the answer streams back untouched. */
  forward(ctx: HttpContext, body: Buffer, operation: OperationTypeNode): void
  /** An upload goes on as it comes in; the answer streams back untouched. */
  forwardUpload(ctx: HttpContext, body: Readable, contentType: string): void
  /** The same for an operation with credential fields: it passes the gate, and its answer is read to tell the gate what became of it. */
  forwardGated(ctx: HttpContext, gated: GatedRequest): Promise<void>
  /** Passes the gate for the credential fields of an operation; what is answered must be told to the pass. */
  enterGate(ctx: HttpContext, gated: GatedFields): Promise<SettleGate>
  /** A request of ours on the caller's behalf, read whole. */
  ask(body: string, ctx: HttpContext): Promise<UpstreamAnswer>
}

export type GatedFields = { readonly credentials: readonly CredentialField[]; readonly variables: Envelope['variables'] }
export type GatedRequest = GatedFields & { readonly envelope: Envelope }
/** The answer, or null where none came. */
export type SettleGate = (answer: GatedAnswer) => void

export function createPlatformRequests({ upstream, path, credentialGate, answerError }: PlatformRequestsOptions): PlatformRequests {
  const ask: PlatformRequests['ask'] = (body, ctx) => readAnswer(upstream, { path, headers: headersToRead(ctx), body }, ctx)

  return {
    ask,
    enterGate: (ctx, { credentials, variables }) => enterGate(credentialGate, { ctx, credentials, variables: variables ?? {} }),
    forward(ctx, body, operation) {
      const { headers } = ctx.request
      // Some clients take streams for every operation: only a subscription goes on without end.
      const lasting = operation === OperationTypeNode.SUBSCRIPTION ? 'stream' : null
      upstream.dispatch(
        { path, headers: forwardedHeaders(ctx, headers['content-type'] ?? 'application/json'), body, lasting },
        new PassThrough(ctx, answerError),
      )
    },
    forwardUpload(ctx, body, contentType) {
      const headers = forwardedHeaders(ctx, contentType)
      upstream.dispatch({ path, headers, body, lasting: 'upload' }, new PassThrough(ctx, answerError))
    },
    async forwardGated(ctx, { credentials, variables, envelope }) {
      const settleGate = await enterGate(credentialGate, { ctx, credentials, variables: variables ?? {} })
      let answer: UpstreamAnswer
      let read: Answer
      try {
        // What we understood of the body, not its bytes: nobody can read anything else out of it.
        answer = await ask(JSON.stringify(bodyOf(envelope)), ctx)
        read = readGraphQL(answer)
      } catch (error) {
        settleGate(null)
        throw error
      }
      settleGate(read)
      const mediaType: MediaType = answer.contentType.startsWith('application/graphql-response+json')
        ? 'application/graphql-response+json'
        : 'application/json'
      sendBody(ctx, { body: answer.body, status: answer.status, mediaType })
    },
  }
}

/** What is read here is merged or checked: plain JSON, not compressed. */
function headersToRead(ctx: HttpContext): string[] {
  const list = ['content-type', 'application/json', 'accept', 'application/json', 'x-request-id', ctx.requestId]
  const { authorization } = ctx.request.headers
  if (authorization !== undefined) list.push('authorization', authorization)
  pushRareHeaders(list, ctx)
  return list
}
