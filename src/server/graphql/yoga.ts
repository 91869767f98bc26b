import { type ExecutionArgs, type ExecutionResult, GraphQLError, type GraphQLSchema } from 'graphql'
import { createYoga, type Plugin, type YogaServerInstance } from 'graphql-yoga'
import type { RequestContext } from '../../access/request-context.ts'
import { jsonBodyLimit } from '../http/body.ts'
import { type ErrorScope, shownError } from './errors.ts'

export type Yoga = YogaServerInstance<RequestContext, object>

export type YogaOptions = {
  /** The local schema: the doors execute everything of ours on it. */
  readonly schema: GraphQLSchema
  readonly maxBodyBytes?: number
  /** The gateway's part: takes what does not belong on the local schema. */
  readonly plugins?: readonly GatewayPlugin[]
}

export type GatewayPlugin = Plugin<RequestContext, RequestContext>

/** The one Yoga server: request forms, content negotiation, streams, and the pipeline that the REST door shares by `getEnveloped`. */
export function createYogaServer({ schema, maxBodyBytes = jsonBodyLimit, plugins = [] }: YogaOptions): Yoga {
  return createYoga<RequestContext>({
    schema,
    plugins: [...plugins, errorPlugin],
    maskedErrors: false,
    logging: false,
    // Plans are cached by the gateway, bounded by bytes; Yoga's own cache is bounded by number alone.
    parserAndValidationCache: false,
    graphiql: false,
    landingPage: false,
    cors: false,
    multipart: false,
    maxRequestBodySize: maxBodyBytes,
    healthCheckEndpoint: '/health',
  })
}

/** Gives every error of the pipeline its client's form, whichever door asked. */
const errorPlugin: Plugin<RequestContext, RequestContext> = {
  onExecute: ({ args }) => ({
    onExecuteDone: ({ result, setResult }) => {
      if (!isStream(result)) setResult(shownResult(result, scopeOf(args)))
    },
  }),
  onSubscribe: ({ args }) => ({
    onSubscribeResult: ({ result, setResult }) => {
      const scope = scopeOf(args)
      setResult(isStream(result) ? shownStream(result, scope) : shownResult(result, scope))
    },
  }),
  onResultProcess(answer) {
    const { result, serverContext } = answer
    if (!Array.isArray(result) && !isStream(result)) answer.setResult(shownResult(result, serverContext))
  },
}

function scopeOf(args: Pick<ExecutionArgs, 'contextValue'>): ErrorScope {
  const context: unknown = args.contextValue
  if (isScope(context)) return context
  throw new TypeError('An operation was executed without a request context')
}

function isScope(value: unknown): value is ErrorScope {
  return typeof value === 'object' && value !== null && 'requestId' in value && 'log' in value
}

/** The result with its errors as clients see them; the same result where there are none. */
export function shownResult<Result extends ExecutionResult>(result: Result, scope: ErrorScope): Result {
  if (!result.errors || result.errors.length === 0) return result
  return { ...result, errors: result.errors.map((error) => shown(error, scope)) }
}

/** The answers of a stream; what is thrown between them is its last answer, in the form of every error. */
export async function* shownStream<Result extends ExecutionResult>(
  stream: AsyncIterable<Result>,
  scope: ErrorScope,
): AsyncGenerator<Result | ExecutionResult> {
  try {
    for await (const result of stream) yield shownResult(result, scope)
  } catch (error) {
    yield { errors: [shownError(asGraphQLError(error), scope)] }
  }
}

/** Errors of the platform come as the JSON that they are, and stay it. */
function shown(error: GraphQLError, scope: ErrorScope): GraphQLError {
  return isFormatted(error) ? error : shownError(asGraphQLError(error), scope)
}

function isFormatted(error: object): boolean {
  return !(error instanceof Error) && 'message' in error
}

function asGraphQLError(error: unknown): GraphQLError {
  if (error instanceof GraphQLError) return error
  const originalError = error instanceof Error ? error : new Error('something that is no error was thrown', { cause: error })
  return new GraphQLError(originalError.message, { originalError })
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}
