import { buildHTTPExecutor } from '@graphql-tools/executor-http'
import { createGraphQLError, type ExecutionRequest, type ExecutionResult, type Executor } from '@graphql-tools/utils'
import { fetch } from '@whatwg-node/fetch'
import { type GraphQLError, OperationTypeNode } from 'graphql'

/** What each upstream request of a stitched operation is made with: the caller's own token, from the operation's context. */
export type CallerContext = {
  readonly accessToken: string
  readonly requestId: string
  readonly signal: AbortSignal
  /** Errors of the platform that came without a path: they stand for the whole request and are shown once. */
  readonly wholeErrors: Map<string, GraphQLError>
  /** Why the platform's answers could not be used, for the log. */
  readonly faults: Set<TransportReason>
}

/** Marks an error that stands for a whole request while it goes through the stitched schema. */
export const wholeErrorMark = 'sidecarWholeError'

/** One request to the platform's record endpoint. Nothing is shared between callers, not even requests that are the same. */
export function createPlatformExecutor({ endpoint, deadlineMs }: { endpoint: string; deadlineMs: number }): Executor<CallerContext> {
  const execute = buildHTTPExecutor({
    endpoint,
    fetch,
    method: 'POST',
    // A subscription goes on until one side ends it.
    timeout: (request) => (isSubscription(request) ? undefined : deadlineMs),
    deduplicateInflightRequests: false,
    headers: (request) => ({ ...headersFor(request?.context), ...(isSubscription(request) && { accept: 'text/event-stream' }) }),
  })
  return async (request) => {
    const { context } = request
    const result: unknown = await execute({ ...request, ...(context && { signal: context.signal }) })
    return isResult(result) && context ? withMarkedErrors(result, context) : passOn(result)
  }
}

function isSubscription(request: ExecutionRequest | undefined): boolean {
  return request?.operationType === OperationTypeNode.SUBSCRIPTION
}

function headersFor(context: unknown): Record<string, string> {
  if (!isCaller(context)) throw new TypeError('A request to the platform was made without its caller')
  return {
    accept: 'application/json',
    'content-type': 'application/json',
    authorization: `Bearer ${context.accessToken}`,
    'x-request-id': context.requestId,
  }
}

function isCaller(context: unknown): context is CallerContext {
  return typeof context === 'object' && context !== null && 'accessToken' in context && 'requestId' in context
}

function isResult(value: unknown): value is ExecutionResult {
  return typeof value === 'object' && value !== null && !(Symbol.asyncIterator in value)
}

function passOn(result: unknown): AsyncIterable<ExecutionResult> {
  if (typeof result === 'object' && result !== null && isStream(result)) return result
  throw new TypeError('The platform was asked without a caller')
}

function isStream(value: object): value is AsyncIterable<ExecutionResult> {
  return Symbol.asyncIterator in value
}

function withMarkedErrors(result: ExecutionResult, context: CallerContext): ExecutionResult {
  if (!result.errors) return result
  // The executor looks at the answer itself, not at what it calls its errors.
  const given: readonly GraphQLError[] = Array.isArray(result.errors) ? result.errors : [notErrors]
  const errors = given.map((error) => {
    const reason = transportFault(error)
    if (reason) context.faults.add(reason)
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

/** The executor puts the platform's whole answer into the errors that it makes itself; that must reach nobody. */
function transportFault({ extensions }: GraphQLError): TransportReason | null {
  const { code } = extensions
  if (code === 'RESPONSE_VALIDATION_FAILED') return 'PROVIDER_ANSWER_INVALID'
  return code === 'SUBREQUEST_HTTP_ERROR' || 'request' in extensions ? 'PROVIDER_UNAVAILABLE' : null
}
