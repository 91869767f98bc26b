import type { CredentialGate } from '../../features/auth/credential-gate.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Handler, HttpContext } from '../http/http-context.ts'
import { bearerToken } from '../http/request-context.ts'
import { mediaTypeFor, sendRefusal, sendRequestError } from './answer.ts'
import { credentialNames } from './credentials.ts'
import { isPlainJson, readEnvelope } from './envelope.ts'
import type { RequestLimits } from './limits.ts'
import { createPlanCache } from './plan-cache.ts'
import { createPlatformRequests } from './platform-requests.ts'
import { receiveJson } from './receive.ts'
import { boundaryOf } from './upload-head.ts'
import { createUploads } from './uploads.ts'
import type { Upstream } from './upstream.ts'

export type MetadataHandlerDependencies = {
  readonly upstream: Upstream
  readonly platform: { readonly metadataPath: string }
  readonly credentialGate: CredentialGate
  readonly limits: RequestLimits
}

const none: ReadonlySet<string> = new Set()
const wrongForm = new AppError('INVALID_INPUT', { detail: 'The body must be application/json in UTF-8' })

/** `POST /metadata`: all of it is the platform's; documents are planned only for the limits and for the credentials in them. */
export function createMetadataHandler({ upstream, platform, credentialGate, limits }: MetadataHandlerDependencies): Handler {
  const plans = createPlanCache({
    limits: limits.document,
    own: { query: none, mutation: none, subscription: none },
    added: none,
    credentials: credentialNames,
    introspection: 'platform',
  })
  const metadata = createPlatformRequests({ upstream, path: platform.metadataPath, credentialGate, answerError: sendRequestError })

  const takeUpload = createUploads({ plans, requests: metadata, limits })

  const handleJson = (ctx: HttpContext, body: Buffer): Promise<void> | void => {
    const envelope = readEnvelope(body)
    if (!envelope) throw new AppError('INVALID_INPUT', { detail: 'The body must be one GraphQL request: query, variables, operationName' })
    const plan = plans.plan(envelope.query, envelope.operationName)
    if (plan.kind === 'platform') {
      if (plan.introspects && bearerToken(ctx.request.headers.authorization) === null) throw new AppError('TOKEN_MISSING')
      if (plan.credentials.length === 0) return metadata.forward(ctx, body, plan.operation)
      return metadata.forwardGated(ctx, { credentials: plan.credentials, variables: envelope.variables, envelope })
    }
    const error =
      plan.kind === 'refused'
        ? plan.error
        : new AppError('INVALID_INPUT', { detail: 'The document cannot be read, or has no such operation' })
    return sendRefusal(ctx, error, mediaTypeFor(ctx.request.headers.accept) ?? 'application/json')
  }
  return {
    handle(ctx) {
      const { method, headers } = ctx.request
      if (method !== 'POST') {
        ctx.response.setHeader('allow', 'POST')
        return sendRequestError(ctx, new AppError('INVALID_INPUT', { detail: 'This path takes POST only' }), 405)
      }
      if (isPlainJson(headers['content-type'], headers['content-encoding'])) return receiveJson(ctx, limits.bodyBytes, handleJson)
      const boundary = boundaryOf(headers['content-type'])
      if (boundary !== null && headers['content-encoding'] === undefined) return takeUpload(ctx, boundary)
      return sendRequestError(ctx, wrongForm, headers['content-type'] === undefined ? 400 : 415)
    },
    answerError: sendRequestError,
    writesOwnHead: true,
  }
}
