import type { Readable } from 'node:stream'
import { OperationTypeNode } from 'graphql'
import type { CredentialGate } from '../../features/auth/credential-gate.ts'
import type { AppError } from '../../kernel/errors.ts'
import type { HttpContext } from '../http/http-context.ts'
import { sendBody, type MediaType } from './answer.ts'
import { type CredentialField, enterGate, type GatedAnswer } from './credentials.ts'
import { bodyOf, type Envelope } from './envelope.ts'
import { type Answer, readGraphQL } from './read-graphql.ts'
import { type ForwardHooks, PassThrough } from './pass-through.ts'
import { bodyWithCodes } from './platform-errors.ts'
import type { StreamLimit } from './stream-limit.ts'
import { isAnonymous } from './unknown-field.ts'
import { forwardedHeaders, pushRareHeaders, type Upstream } from './upstream.ts'
import { readAnswer, type UpstreamAnswer } from './whole-answer.ts'

/** One endpoint of the platform, as the handlers use it. */
export type PlatformRequests = {
  /** Forwards the client's bytes unchanged and streams the answer back unchanged. */
  forward(ctx: HttpContext, body: Buffer, forwarded: Forwarded): Promise<void> | void
  /** Forwards an upload as it arrives and streams the answer back unchanged. */
  forwardUpload(ctx: HttpContext, upload: { readonly body: Readable; readonly contentType: string }): void
  /** Forwards an operation with credential fields: it passes the credential gate, which gets the outcome from the answer. */
  forwardGated(ctx: HttpContext, gated: GatedRequest): Promise<void>
  /** Passes the gate for the credential fields of an operation. The returned function must get the answer. */
  enterGate(ctx: HttpContext, gated: GatedFields): Promise<SettleGate>
  /** Sends a request for the actor and reads the whole answer. */
  ask(body: string, ctx: HttpContext): Promise<UpstreamAnswer>
}

export type Forwarded = ForwardHooks & { readonly operation: OperationTypeNode }
export type GatedFields = { readonly credentials: readonly CredentialField[]; readonly variables: Envelope['variables'] }
export type GatedRequest = GatedFields & { readonly envelope: Envelope }
/** Takes the answer; null if there is none. */
export type SettleGate = (answer: GatedAnswer) => void

export function createPlatformRequests({
  upstream,
  path,
  credentialGate,
  streams,
  answerError,
}: {
  readonly upstream: Upstream
  /** The path of the endpoint on the platform. */
  readonly path: string
  readonly credentialGate: CredentialGate
  readonly streams: StreamLimit
  readonly answerError: (ctx: HttpContext, error: AppError) => void
}): PlatformRequests {
  const ask: PlatformRequests['ask'] = (body, ctx) => readAnswer(upstream, { path, headers: headersToRead(ctx), body }, ctx)

  return {
    ask,
    enterGate: (ctx, { credentials, variables }) => enterGate(credentialGate, { ctx, credentials, variables: variables ?? {} }),
    forward(ctx, body, forwarded) {
      const { headers } = ctx.request
      // Some clients accept streams for every operation, but only a subscription lasts.
      const lasting = forwarded.operation === OperationTypeNode.SUBSCRIPTION ? 'stream' : null
      const isRead = forwarded.onAnswered !== undefined
      const dispatch = (): void =>
        upstream.dispatch(
          { path, headers: forwardedHeaders(ctx, headers['content-type'] ?? 'application/json', isRead), body, lasting },
          new PassThrough(ctx, { answerError, hooks: forwarded }),
        )
      return lasting ? streams.admit(ctx).then(dispatch) : dispatch()
    },
    forwardUpload(ctx, { body, contentType }) {
      const headers = forwardedHeaders(ctx, contentType)
      upstream.dispatch({ path, headers, body, lasting: 'upload' }, new PassThrough(ctx, { answerError, hooks: {} }))
    },
    async forwardGated(ctx, { credentials, variables, envelope }) {
      const settleGate = await enterGate(credentialGate, { ctx, credentials, variables: variables ?? {} })
      let answer: UpstreamAnswer
      let read: Answer
      try {
        // Written from what was read here, so that the platform cannot read another operation from the bytes.
        answer = await ask(JSON.stringify(bodyOf(envelope)), ctx)
        read = readGraphQL(answer)
      } catch (error) {
        settleGate(null)
        throw error
      }
      // With 5xx whatever the body says is not the platform's verdict.
      settleGate(answer.status >= 500 ? null : read)
      const mediaType: MediaType = answer.contentType.startsWith('application/graphql-response+json')
        ? 'application/graphql-response+json'
        : 'application/json'
      const came = { status: answer.status, requestId: ctx.requestId, isAnonymous: isAnonymous(ctx) }
      sendBody(ctx, { body: bodyWithCodes(answer.body, came), status: answer.status, mediaType })
    },
  }
}

/** Headers for answers that are merged or checked here: plain JSON, not compressed. */
function headersToRead(ctx: HttpContext): string[] {
  const list = ['content-type', 'application/json', 'accept', 'application/json', 'x-request-id', ctx.requestId]
  const { authorization } = ctx.request.headers
  if (authorization !== undefined) list.push('authorization', authorization)
  pushRareHeaders(list, ctx)
  return list
}
