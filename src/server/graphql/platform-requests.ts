import type { Readable } from 'node:stream'
import { OperationTypeNode } from 'graphql'
import type { CredentialGate } from '../../features/auth/credential-gate.ts'
import { AppError } from '../../kernel/errors.ts'
import type { HttpContext } from '../http/http-context.ts'
import { mediaTypeOf } from '../http/media-types.ts'
import { mediaTypeFor, sendBody, sendRefusal, type MediaType } from './answer.ts'
import { type CredentialField, enterGate, type GatedAnswer } from './credentials.ts'
import { bodyOf, type Envelope } from './envelope.ts'
import { checkRenewals, type GatewayTokens, noteIssued } from './gateway-tokens.ts'
import { type Answer, readGraphQL } from './read-graphql.ts'
import { bearerToken } from '../http/request-context.ts'
import { type ForwardHooks, PassThrough } from './pass-through.ts'
import { bodyWithCodes } from './platform-errors.ts'
import type { StreamLimit } from './stream-limit.ts'
import { isAnonymous } from './unknown-field.ts'
import { forwardedHeaders, pushRareHeaders, type Upstream } from './upstream.ts'
import { readAnswer, type UpstreamAnswer } from './whole-answer.ts'

/** One endpoint of the platform, as the handlers use it. Whatever has a token whose sign-in has ended throws TOKEN_REFUSED. */
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
/** Takes the answer; null if there is none. Throws TOKEN_REFUSED if the answer renews tokens of a sign-in that has ended meanwhile. */
export type SettleGate = (answer: GatedAnswer) => Promise<void>

export function createPlatformRequests(options: {
  readonly upstream: Upstream
  /** The path of the endpoint on the platform. */
  readonly path: string
  readonly credentialGate: CredentialGate
  readonly streams: StreamLimit
  readonly tokens: GatewayTokens
  readonly answerError: (ctx: HttpContext, error: AppError) => void
}): PlatformRequests {
  const { upstream, path, streams, tokens, answerError } = options
  const check = ({ request }: HttpContext): void => tokens.checkHeader(request.headers.authorization)
  const ask: PlatformRequests['ask'] = async (body, ctx) => {
    check(ctx)
    return readAnswer(upstream, { path, headers: headersToRead(ctx), body }, ctx)
  }

  return {
    ask,
    enterGate: (ctx, gated) => enterBoth(options, ctx, gated),
    forward(ctx, body, forwarded) {
      try {
        check(ctx)
      } catch (error) {
        return refuse(ctx, error)
      }
      // Some clients accept streams for every operation, but only a subscription lasts.
      const lasting = forwarded.operation === OperationTypeNode.SUBSCRIPTION ? 'stream' : null
      const isRead = forwarded.onAnswered !== undefined
      const dispatch = (): void => {
        const answer = new PassThrough(ctx, { answerError, hooks: forwarded })
        if (lasting) endWhenRefused(tokens, ctx, answer)
        const sent = forwardedHeaders(ctx, 'application/json', isRead)
        upstream.dispatch({ path, headers: sent, body, lasting }, answer)
      }
      if (!lasting) return dispatch()
      return streams.admit(ctx).then(() => {
        check(ctx)
        dispatch()
      })
    },
    forwardUpload(ctx, { body, contentType }) {
      check(ctx)
      const headers = forwardedHeaders(ctx, contentType)
      upstream.dispatch({ path, headers, body, lasting: 'upload' }, new PassThrough(ctx, { answerError, hooks: {} }))
    },
    forwardGated: (ctx, { envelope, ...gated }) =>
      forwardGated(ctx, {
        async enter() {
          check(ctx)
          return enterBoth(options, ctx, gated)
        },
        // Written from what was read here, so that the platform cannot read another operation from the bytes.
        ask: () => ask(JSON.stringify(bodyOf(envelope)), ctx),
      }),
  }
}

type Gating = { readonly enter: () => Promise<SettleGate>; readonly ask: () => Promise<UpstreamAnswer> }

async function forwardGated(ctx: HttpContext, { enter, ask }: Gating): Promise<void> {
  let settleGate: SettleGate
  try {
    settleGate = await enter()
  } catch (error) {
    return refuse(ctx, error)
  }
  let answer: UpstreamAnswer
  let read: Answer
  try {
    answer = await ask()
    read = readGraphQL(answer)
  } catch (error) {
    await settleGate(null)
    throw error
  }
  // With 5xx whatever the body says is not the platform's verdict.
  await settleGate(answer.status >= 500 ? null : read)
  sendGated(ctx, answer)
}

/** A token whose sign-in has ended is refused as the platform refuses one: with 200 and errors, to clients that take JSON. */
function refuse(ctx: HttpContext, error: unknown): void {
  const mediaType = mediaTypeFor(ctx.request.headers.accept)
  if (!(error instanceof AppError) || error.reason !== 'TOKEN_REFUSED' || mediaType === null) throw error
  sendRefusal(ctx, error, mediaType)
}

function sendGated(ctx: HttpContext, { status, contentType, body }: UpstreamAnswer): void {
  const asked = 'application/graphql-response+json'
  const mediaType: MediaType = mediaTypeOf(contentType) === asked ? asked : 'application/json'
  const came = { status, requestId: ctx.requestId, isAnonymous: isAnonymous(ctx) }
  sendBody(ctx, { body: bodyWithCodes(body, came), status, mediaType })
}

/** Passes the credential gate, and notes the tokens that the answer issues. */
async function enterBoth(
  { credentialGate, tokens }: { readonly credentialGate: CredentialGate; readonly tokens: GatewayTokens },
  ctx: HttpContext,
  { credentials, variables }: GatedFields,
): Promise<SettleGate> {
  const fields = { credentials, variables: variables ?? {} }
  await checkRenewals(tokens, fields)
  const settleGate = await enterGate(credentialGate, { ctx, ...fields })
  const settle: SettleGate = async (answer) => {
    settleGate(answer)
    await noteIssued(tokens, fields, answer)
  }
  return settle
}

/** Ends a stream whose token is refused while it lasts. */
function endWhenRefused(tokens: Pick<GatewayTokens, 'follow'>, ctx: HttpContext, stream: PassThrough): void {
  const token = bearerToken(ctx.request.headers.authorization)
  if (token === null) return
  const following = tokens.follow(token, (refusal) => stream.endWith(refusal))
  ctx.onClosed(() => following[Symbol.dispose]())
}

/** Headers for answers that are merged or checked here: plain JSON, not compressed. */
function headersToRead(ctx: HttpContext): string[] {
  const list = ['content-type', 'application/json', 'accept', 'application/json', 'x-request-id', ctx.requestId]
  const { authorization } = ctx.request.headers
  if (authorization !== undefined) list.push('authorization', authorization)
  pushRareHeaders(list, ctx)
  return list
}
