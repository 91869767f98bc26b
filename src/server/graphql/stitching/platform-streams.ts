import { buildHTTPExecutor } from '@graphql-tools/executor-http'
import { createGraphQLError, type ExecutionResult } from '@graphql-tools/utils'
import { fetch } from '@whatwg-node/fetch'
import type { GraphQLError } from 'graphql'
import { isGatewayFailure } from '../../../kernel/http-client.ts'
import type { PlatformContext, PlatformExecution } from './platform-context.ts'
import type { RequestSpan } from './request-spans.ts'
import { transportError, type TransportReason } from './transport-errors.ts'

/** One endpoint of the platform. `deadlineMs`: until a stream begins, or a refusal is complete. */
type Endpoint = { readonly endpoint: string; readonly deadlineMs: number; readonly headers: Record<string, string> }

/** Begins a subscription at one endpoint of the platform. A refusal is one result. A stream that has begun has no time limit: its operation ends it. */
export async function subscribeToPlatform(
  { endpoint, deadlineMs, headers }: Endpoint,
  request: PlatformExecution,
): Promise<ExecutionResult | AsyncIterable<ExecutionResult>> {
  const { signal, beginSpan, failures, onVerdict } = request.context
  const span = beginSpan && (await beginSpan())
  // An executor for each: one for all would hold a listener for every stream that it began.
  const execute = buildHTTPExecutor({
    endpoint,
    fetch: (url, init) => judgedFetch({ span, signal, onVerdict }, url, init),
    method: 'POST',
    deduplicateInflightRequests: false,
    headers: { ...headers, accept: 'text/event-stream', ...(span && { traceparent: span.traceparent }) },
  })
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(new DOMException('The platform took too long', 'TimeoutError')), deadlineMs)
  const begun = Promise.resolve(execute({ ...request, signal: AbortSignal.any([signal, late.signal]) }))
  const result: unknown = await begun.finally(() => clearTimeout(timer))
  if (!isResult(result)) throw new TypeError('The platform gave no result')
  return Symbol.asyncIterator in result ? result : withTransportErrors(result, failures)
}

async function judgedFetch(
  { span, signal, onVerdict }: Pick<PlatformContext, 'signal' | 'onVerdict'> & { readonly span: RequestSpan | null },
  url: string,
  init: RequestInit | undefined,
): Promise<Response> {
  try {
    const answer = await fetch(url, init)
    span?.end(answer.status)
    onVerdict(!isGatewayFailure(answer.status))
    return answer
  } catch (error) {
    span?.end(error instanceof Error ? error.name : 'unknown')
    // A stream that takes too long to begin says nothing: only silence shows whether the platform answers.
    if (!signal.aborted && !init?.signal?.aborted) onVerdict(false)
    throw error
  }
}

function isResult(value: unknown): value is ExecutionResult | AsyncIterable<ExecutionResult> {
  return typeof value === 'object' && value !== null
}

/** The executor puts the platform's whole answer into its own errors. Clients must not see that. */
function withTransportErrors(result: ExecutionResult, failures: PlatformContext['failures']): ExecutionResult {
  if (!result.errors) return result
  // The executor does not check that `errors` is a list.
  const given: readonly GraphQLError[] = Array.isArray(result.errors) ? result.errors : [notErrors]
  const errors = given.map((error) => {
    const reason = transportReason(error)
    if (reason) failures.add(reason)
    return reason ? transportError(reason) : error
  })
  return { ...result, errors }
}

const notErrors = createGraphQLError('', { extensions: { code: 'RESPONSE_VALIDATION_FAILED' } })

function transportReason({ extensions }: GraphQLError): TransportReason | null {
  const { code } = extensions
  if (code === 'RESPONSE_VALIDATION_FAILED') return 'PROVIDER_ANSWER_INVALID'
  return code === 'SUBREQUEST_HTTP_ERROR' || 'request' in extensions ? 'PROVIDER_UNAVAILABLE' : null
}
