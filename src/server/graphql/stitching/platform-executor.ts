import { createGraphQLError, type ExecutionResult, type Executor } from '@graphql-tools/utils'
import { OperationTypeNode, print } from 'graphql'
import { errors, Pool } from 'undici'
import { AppError } from '../../../kernel/errors.ts'
import { isGatewayFailure } from '../../../kernel/http-client.ts'
import { invalidAnswer } from '../invalid-answer.ts'
import { readGraphQL } from '../read-graphql.ts'
import type { PlatformContext, PlatformExecution } from './platform-context.ts'
import { requestPlatform } from './platform-request.ts'
import { transportError } from './transport-errors.ts'

/** Marks an error of a whole request on its way through the stitched schema. */
export const wholeErrorMark = 'sidecarWholeError'

/** As many as those of the service itself, see upstream.ts. */
const connections = 256

type ExecutorSettings = {
  /** The address of an endpoint of the platform. */
  readonly endpoint: string
  /** For each request; of a subscription until it begins. */
  readonly deadlineMs: number
  /** The longest answer. A longer one is PROVIDER_ANSWER_INVALID, and is not read to its end. */
  readonly maxAnswerBytes: number
}

/** Sends requests to one endpoint of the platform. Actors share nothing, not even equal requests. */
export function createPlatformExecutor({ endpoint, deadlineMs, maxAnswerBytes }: ExecutorSettings): Executor<PlatformContext> {
  const { origin, pathname, search } = new URL(endpoint)
  // Each request has a time limit of its own.
  const limits = { headersTimeout: 0, bodyTimeout: 0, maxResponseSize: maxAnswerBytes }
  const pool = new Pool(origin, { ...limits, connections, keepAliveTimeout: 30_000, connect: { timeout: 5_000 } })
  const path = pathname + search
  return async (request) => {
    const { context } = request
    if (!context) throw new TypeError('A request to the platform needs a platform context')
    if (request.operationType === OperationTypeNode.SUBSCRIPTION) {
      // What streams need is loaded on first use.
      const { subscribeToPlatform } = await import('./platform-streams.ts')
      const stream = await subscribeToPlatform({ endpoint, deadlineMs, headers: headersFor(context) }, { ...request, context })
      return Symbol.asyncIterator in stream ? stream : withMarkedErrors(stream, context)
    }
    return withMarkedErrors(await ask({ pool, path, deadlineMs }, { ...request, context }), context)
  }
}

type Endpoint = { readonly pool: Pool; readonly path: string; readonly deadlineMs: number }

async function ask({ pool, path, deadlineMs }: Endpoint, request: PlatformExecution): Promise<ExecutionResult> {
  const { document, operationName, context } = request
  const { signal, beginSpan, onVerdict, failures } = context
  const variables: unknown = request.variables
  const body = JSON.stringify({ query: print(document), variables, operationName })
  const span = beginSpan && (await beginSpan())
  const headers = { ...headersFor(context), ...(span && { traceparent: span.traceparent }) }
  const seen = { status: 0 }
  const onStatus = (status: number): void => {
    seen.status = status
    span?.end(status)
    // Only the status shows whether the platform works: the answer also has errors of one workspace.
    onVerdict(!isGatewayFailure(status))
  }
  const send = (): Promise<Buffer> => requestPlatform(pool, { path, headers, body, signal, deadlineMs, onStatus })
  const mayRepeat = (error: unknown): boolean =>
    request.operationType === OperationTypeNode.QUERY && seen.status === 0 && !signal.aborted && isClosed(error)
  try {
    // The platform closes connections that are idle, and this thread does not see it while it builds a schema.
    return resultIn(await send().catch((error: unknown) => (mayRepeat(error) ? send() : Promise.reject(error))))
  } catch (error) {
    const isUnusable = error instanceof AppError || error instanceof errors.ResponseExceededMaxSizeError
    const reason = isUnusable ? 'PROVIDER_ANSWER_INVALID' : 'PROVIDER_UNAVAILABLE'
    failures.add(reason)
    if (seen.status === 0) {
      span?.end(error instanceof Error ? error.name : 'unknown')
      // How long an answer takes is also up to the client's question. Whether one will come, only silence shows.
      if (!signal.aborted && !isTimeout(error)) onVerdict(false)
    }
    return { errors: [transportError(reason)] }
  }
}

/** Throws PROVIDER_ANSWER_INVALID if it is not a GraphQL answer. */
function resultIn(body: Buffer): ExecutionResult {
  const { data, errors = [] } = readGraphQL({ body })
  if (!data && errors.length === 0) throw invalidAnswer()
  return {
    ...(data !== undefined && { data }),
    ...(errors.length > 0 && { errors: errors.map(({ message, ...rest }) => createGraphQLError(message, rest)) }),
  }
}

function isClosed(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && (error.code === 'UND_ERR_SOCKET' || error.code === 'ECONNRESET' || error.code === 'EPIPE')
  )
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError'
}

function headersFor({ accessToken, requestId }: PlatformContext): Record<string, string> {
  return {
    accept: 'application/json',
    'content-type': 'application/json',
    authorization: `Bearer ${accessToken}`,
    'x-request-id': requestId,
  }
}

/** Errors without a path become one, because each root field of a request gets all of them, and stitching makes one text of several. */
function withMarkedErrors(result: ExecutionResult, { wholeErrors }: PlatformContext): ExecutionResult {
  const whole = result.errors?.filter((error) => !error.path) ?? []
  const [first] = whole
  if (!result.errors || !first) return result
  const mark = `${wholeErrors.size}`
  wholeErrors.set(mark, whole)
  const marked = createGraphQLError(first.message, { extensions: { ...first.extensions, [wholeErrorMark]: mark } })
  return { ...result, errors: [...result.errors.filter((error) => error.path), marked] }
}
