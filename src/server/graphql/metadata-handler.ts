import type { CredentialGate } from '../../features/auth/credential-gate.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Handler, HttpContext } from '../http/http-context.ts'
import { bearerToken } from '../http/request-context.ts'
import { mediaTypeFor, sendRefusal, sendRequestError } from './answer.ts'
import { credentialNames } from './credentials.ts'
import { readEnvelope } from './envelope.ts'
import type { GatewayTokens } from './gateway-tokens.ts'
import type { RequestLimits } from './limits.ts'
import type { RootNames } from './metadata-fields.ts'
import type { OnModelChange } from './model-change.ts'
import { operationName } from './plan.ts'
import { createPlanCache, type PlanCache } from './plan-cache.ts'
import { createPlatformRequests, type PlatformRequests } from './platform-requests.ts'
import { receivePost } from './receive.ts'
import type { StreamLimit } from './stream-limit.ts'
import { createUploads } from './uploads.ts'
import type { Upstream } from './upstream.ts'

const none: ReadonlySet<string> = new Set()
const noNames: RootNames = { query: none, mutation: none, subscription: none }

/** `POST /metadata`: every operation goes to the platform. Documents are planned only for the limits and for credential fields. */
export function createMetadataHandler({
  upstream,
  platform,
  credentialGate,
  limits,
  onModelChange,
  streams,
  tokens,
  confirmToken,
}: {
  readonly upstream: Upstream
  readonly platform: { readonly metadataPath: string }
  readonly credentialGate: CredentialGate
  readonly limits: RequestLimits
  readonly onModelChange: OnModelChange
  readonly streams: StreamLimit
  readonly tokens: GatewayTokens
  readonly confirmToken: (ctx: HttpContext) => Promise<void>
}): Handler {
  const plans = createPlanCache({
    limits: limits.document,
    own: noNames,
    metadata: { named: noNames, owned: noNames },
    added: none,
    schema: null,
    credentials: credentialNames,
    introspection: 'platform',
  })
  const { metadataPath: path } = platform
  const requests = createPlatformRequests({ upstream, path, credentialGate, streams, tokens, answerError: sendRequestError })
  const takeUpload = createUploads({
    plan: (_ctx, sent) => ({ plan: plans.plan(sent.query, sent.operationName), envelope: sent }),
    endpoints: { metadata: requests, records: requests },
    limits,
    confirmToken,
  })
  return {
    handle(ctx) {
      if (ctx.request.method === 'POST') {
        return receivePost(ctx, {
          limits,
          takeUpload,
          handleJson: (body) => handleJson(ctx, body, { plans, requests, onModelChange, limits }),
        })
      }
      ctx.response.setHeader('allow', 'POST')
      return sendRequestError(ctx, new AppError('INVALID_INPUT', { detail: 'This path allows only POST' }), 405)
    },
    answerError: sendRequestError,
    writesOwnHead: true,
    takesGraphql: true,
  }
}

function handleJson(
  ctx: HttpContext,
  body: Buffer,
  {
    plans,
    requests,
    onModelChange,
    limits,
  }: {
    readonly plans: PlanCache
    readonly requests: PlatformRequests
    readonly onModelChange: OnModelChange
    readonly limits: RequestLimits
  },
): Promise<void> | void {
  const envelope = readEnvelope(body, limits.bodyBytes)
  if (!envelope) throw new AppError('INVALID_INPUT', { detail: 'The body must be one GraphQL request: query, variables, operationName' })
  const plan = plans.plan(envelope.query, envelope.operationName)
  ctx.operation = operationName(plan)
  if (plan.kind === 'platform') {
    if (plan.introspects && bearerToken(ctx.request.headers.authorization) === null) throw new AppError('TOKEN_MISSING')
    const { credentials, changesModel } = plan
    if (credentials.length > 0) return requests.forwardGated(ctx, { credentials, variables: envelope.variables, envelope })
    return requests.forward(ctx, body, changesModel ? { ...plan, onAnswered: () => onModelChange(ctx) } : plan)
  }
  const error =
    plan.kind === 'refused' ? plan.error : new AppError('INVALID_INPUT', { detail: 'The document has a syntax error or no such operation' })
  return sendRefusal(ctx, error, mediaTypeFor(ctx.request.headers.accept) ?? 'application/json')
}
