import { buildHTTPExecutor } from '@graphql-tools/executor-http'
import { createGraphQLError, type ExecutionRequest, type ExecutionResult, type Executor } from '@graphql-tools/utils'
import { fetch } from '@whatwg-node/fetch'
import { type GraphQLError, OperationTypeNode } from 'graphql'
import { isGatewayFailure } from '../../../kernel/http-client.ts'
import type { RequestSpan } from './request-spans.ts'

/** The context of each platform request of a stitched operation. The request carries the actor's own token. */
export type PlatformContext = {
  readonly accessToken: string
  readonly requestId: string
  readonly signal: AbortSignal
  /** Errors of the platform without a path. They concern the whole request and are shown once. */
  readonly wholeErrors: Map<string, GraphQLError>
  /** Why answers of the platform were not usable, for the log. */
  readonly failures: Set<TransportReason>
  /** Begins the span of a request; null if the operation is not traced. */
  readonly beginSpan: (() => Promise<RequestSpan | null>) | null
  /** Called for each request that was sent: whether the platform works. Not for one that was aborted or took too long. */
  readonly onVerdict: (works: boolean) => void
}

/** Marks an error of a whole request on its way through the stitched schema. */
export const wholeErrorMark = 'sidecarWholeError'

/** Sends requests to one endpoint of the platform. Actors share nothing, not even equal requests. */
export function createPlatformExecutor(endpoint: string, deadlineMs: number): Executor<PlatformContext> {
  const execute = buildHTTPExecutor({
    endpoint,
    fetch: judgedFetch,
    method: 'POST',
    // A subscription has no time limit.
    timeout: (request) => (isSubscription(request) ? undefined : deadlineMs),
    deduplicateInflightRequests: false,
    headers: (request) => ({ ...headersFor(request?.context), ...(isSubscription(request) && { accept: 'text/event-stream' }) }),
  })
  return async (request) => {
    const { context } = request
    const result: unknown = await execute({ ...request, ...(context && { signal: context.signal }) })
    return isResult(result) && context ? withMarkedErrors(result, context) : asStream(result)
  }
}

/** Only the status shows whether the platform works: the result also has errors of one workspace. */
async function judgedFetch(url: string, init?: RequestInit, context?: unknown): Promise<Response> {
  const { onVerdict = null, beginSpan = null } = isPlatformContext(context) ? context : {}
  const span = beginSpan && (await beginSpan())
  try {
    const answer = await fetch(url, span ? withTrace(init, span) : init)
    span?.end(answer.status)
    onVerdict?.(!isGatewayFailure(answer.status))
    return answer
  } catch (error) {
    span?.end(error instanceof Error ? error.name : 'unknown')
    // How long an answer takes is also up to the client's question. Whether one will come, only silence shows.
    if (init?.signal?.aborted !== true) onVerdict?.(false)
    throw error
  }
}

function withTrace(init: RequestInit | undefined, { traceparent }: RequestSpan): RequestInit {
  const headers = new Headers(init?.headers)
  headers.set('traceparent', traceparent)
  return { ...init, headers }
}

function isSubscription(request: ExecutionRequest | undefined): boolean {
  return request?.operationType === OperationTypeNode.SUBSCRIPTION
}

function headersFor(context: unknown): Record<string, string> {
  if (!isPlatformContext(context)) throw new TypeError('A request to the platform needs a platform context')
  return {
    accept: 'application/json',
    'content-type': 'application/json',
    authorization: `Bearer ${context.accessToken}`,
    'x-request-id': context.requestId,
  }
}

function isPlatformContext(context: unknown): context is PlatformContext {
  return typeof context === 'object' && context !== null && 'accessToken' in context && 'requestId' in context
}

function isResult(value: unknown): value is ExecutionResult {
  return typeof value === 'object' && value !== null && !(Symbol.asyncIterator in value)
}

function asStream(result: unknown): AsyncIterable<ExecutionResult> {
  if (typeof result === 'object' && result !== null && isStream(result)) return result
  throw new TypeError('A request to the platform needs a platform context')
}

function isStream(value: object): value is AsyncIterable<ExecutionResult> {
  return Symbol.asyncIterator in value
}

function withMarkedErrors(result: ExecutionResult, context: PlatformContext): ExecutionResult {
  if (!result.errors) return result
  // The executor does not check that `errors` is a list.
  const given: readonly GraphQLError[] = Array.isArray(result.errors) ? result.errors : [notErrors]
  const errors = given.map((error) => {
    const reason = transportFailure(error)
    if (reason) context.failures.add(reason)
    const shown = reason
      ? createGraphQLError(transportErrors[reason].message, { extensions: { ...transportErrors[reason].extensions } })
      : error
    if (shown.path) return shown
    const mark = `${context.wholeErrors.size}`
    context.wholeErrors.set(mark, shown)
    return createGraphQLError(shown.message, { extensions: { ...shown.extensions, [wholeErrorMark]: mark } })
  })
  return { ...result, errors }
}

const transportErrors = {
  PROVIDER_ANSWER_INVALID: {
    message: 'The platform gave an answer that cannot be read',
    extensions: { code: 'UPSTREAM_FAILED', reason: 'PROVIDER_ANSWER_INVALID', retryable: true },
  },
  PROVIDER_UNAVAILABLE: {
    message: 'The platform is not available',
    extensions: { code: 'UPSTREAM_UNAVAILABLE', reason: 'PROVIDER_UNAVAILABLE', retryable: true },
  },
} as const
export type TransportReason = keyof typeof transportErrors

const notErrors = createGraphQLError('', { extensions: { code: 'RESPONSE_VALIDATION_FAILED' } })

/** The executor puts the platform's whole answer into its own errors. Clients must not see that. */
function transportFailure({ extensions }: GraphQLError): TransportReason | null {
  const { code } = extensions
  if (code === 'RESPONSE_VALIDATION_FAILED') return 'PROVIDER_ANSWER_INVALID'
  return code === 'SUBREQUEST_HTTP_ERROR' || 'request' in extensions ? 'PROVIDER_UNAVAILABLE' : null
}
