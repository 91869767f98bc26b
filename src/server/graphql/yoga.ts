import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  getOperationAST,
  GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
  specifiedRules,
  validate,
  type ValidationRule,
} from 'graphql'
import { createYoga, type Plugin, type YogaServerInstance } from 'graphql-yoga'
import type { RequestContext } from '../../access/request-context.ts'
import { AppError, maxErrors } from '../../kernel/errors.ts'
import { jsonBodyLimit } from '../http/body.ts'
import { maxErrorBytes } from '../http/problem.ts'
import { type Cost, refuseCostly } from './cost/cost.ts'
import { operationCost } from './cost/operation-cost.ts'
import { deferRule, withoutDefer, withoutDeferInLists } from './defer.ts'
import { isRecord } from './envelope.ts'
import { type ErrorScope, shownError } from './errors.ts'
import { fragmentsOf } from './root-selections.ts'
import { validationBounds, variableErrors, variableFaults } from './variable-faults.ts'

export type Yoga = YogaServerInstance<RequestContext, object>

export type YogaOptions = {
  /** The local schema. */
  readonly schema: GraphQLSchema
  readonly maxBodyBytes?: number
  /** The gateway's plugin, which runs operations of the platform, and further ones. */
  readonly plugins?: readonly GatewayPlugin[]
}

export type GatewayPlugin = Plugin<RequestContext, RequestContext>

/** The one Yoga server: request forms, content negotiation, streams, and the pipeline that all handlers share by `getEnveloped`. */
export function createYogaServer({ schema, maxBodyBytes = jsonBodyLimit, plugins = [] }: YogaOptions): Yoga {
  return createYoga<RequestContext>({
    schema,
    plugins: [...plugins, boundsPlugin, errorPlugin],
    maskedErrors: false,
    logging: false,
    // The gateway caches plans, bounded by bytes. Yoga's own cache is bounded by number only.
    parserAndValidationCache: false,
    graphiql: false,
    landingPage: false,
    cors: false,
    multipart: false,
    maxRequestBodySize: maxBodyBytes,
    healthCheckEndpoint: '/health',
  })
}

/** Bounds the work on invalid documents and variables, for all handlers. */
const boundsPlugin: Plugin<RequestContext, RequestContext> = {
  onValidate: ({ setValidationFn }) =>
    // oxlint-disable-next-line max-params -- the signature is graphql's
    setValidationFn((schema: GraphQLSchema, document: DocumentNode, rules: readonly ValidationRule[] = specifiedRules) =>
      validate(schema, document, [...rules, deferRule], validationBounds),
    ),
  onExecute({ args, setResultAndStopExecution }) {
    sendListsWhole(args)
    const refused = refusedVariables(args) ?? refusedCost(args)
    if (refused) setResultAndStopExecution(refused)
  },
  onSubscribe({ args, setResultAndStopExecution }) {
    sendEventsWhole(args)
    const refused = refusedVariables(args) ?? refusedCost(args)
    if (refused) setResultAndStopExecution(refused)
  },
}

function sendListsWhole(args: Pick<ExecutionArgs, 'schema' | 'document'>): void {
  if (args.document.loc?.source.body.includes('defer') === true) args.document = withoutDeferInLists(args.schema, args.document)
}

function sendEventsWhole(args: Pick<ExecutionArgs, 'document'>): void {
  args.document = withoutDefer(args.document)
}

/** An error for each invalid variable; null if there is none, or no such operation. */
function refusedVariables(args: ExecutionArgs): ExecutionResult | null {
  const operation = getOperationAST(args.document, args.operationName)
  const faults = operation ? variableFaults(args.schema, operation, args.variableValues ?? {}) : []
  return faults.length === 0 ? null : shownResult({ errors: variableErrors(faults).map(asGraphQLError) }, scopeOf(args))
}

/** The refusal of an operation that costs too much; null if it does not. */
function refusedCost(args: ExecutionArgs): ExecutionResult | null {
  const operation = getOperationAST(args.document, args.operationName)
  if (!operation) return null
  const cost = costs.get(operation) ?? operationCost(operation, { schema: args.schema, fragments: fragmentsOf(args.document) })
  costs.set(operation, cost)
  try {
    refuseCostly(cost, args.variableValues)
    return null
  } catch (error) {
    return shownResult({ errors: [asGraphQLError(error)] }, scopeOf(args))
  }
}
/** Plans hold their documents, so each operation is walked once. */
const costs = new WeakMap<OperationDefinitionNode, Cost>()

/** Gives every error of the pipeline the form that clients see, for all handlers. */
const errorPlugin: Plugin<RequestContext, RequestContext> = {
  onExecute: ({ args }) => ({
    onExecuteDone: ({ result, setResult }) => {
      const scope = scopeOf(args)
      setResult(isStream(result) ? shownStream(result, scope) : shownResult(result, scope))
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

type StreamScope = ErrorScope & Pick<RequestContext, 'signal'>

function scopeOf(args: Pick<ExecutionArgs, 'contextValue'>): StreamScope {
  const context: unknown = args.contextValue
  if (isScope(context)) return context
  throw new TypeError('An operation was executed without a request context')
}

function isScope(value: unknown): value is StreamScope {
  return typeof value === 'object' && value !== null && 'requestId' in value && 'log' in value && 'signal' in value
}

/** The result with its errors as clients see them; the same object if it has none. */
export function shownResult<Result extends ExecutionResult>(result: Result, scope: ErrorScope): Result {
  if (!result.errors || result.errors.length === 0) return result
  return { ...result, errors: shownErrors(result.errors, scope) }
}

function shownErrors(errors: readonly GraphQLError[], scope: ErrorScope): readonly GraphQLError[] {
  return boundedErrors(errors.slice(0, maxErrors).map((error) => shown(error, scope)))
}

/** The first ones that are together at most 64 kB, and at least one: a single error is smaller. */
function boundedErrors(errors: readonly GraphQLError[]): readonly GraphQLError[] {
  let bytes = 0
  return errors.filter((error, index) => {
    bytes += Buffer.byteLength(JSON.stringify(error)) + 1
    return index === 0 || bytes <= maxErrorBytes
  })
}

/**
 * The answers of a stream, or the parts of a deferred answer. An error between them becomes the last answer, and so does the reason why its
 * signal was aborted.
 */
export async function* shownStream<Result extends ExecutionResult>(
  stream: AsyncIterable<Result>,
  scope: StreamScope,
): AsyncGenerator<Result | ExecutionResult> {
  let hasNext: unknown
  try {
    for await (const result of stream) {
      if ('hasNext' in result) ({ hasNext } = result)
      yield shownPart(result, scope)
    }
    if (hasNext !== false && scope.signal.reason instanceof AppError) throw scope.signal.reason
  } catch (error) {
    yield { errors: [shownError(asGraphQLError(error), scope)], ...(hasNext === true && { hasNext: false }) }
  }
}

/** Errors of deferred fields are beside their data. */
function shownPart<Result extends ExecutionResult>(result: Result, scope: ErrorScope): Result {
  const part = shownResult(result, scope)
  if (!('incremental' in part) || !Array.isArray(part.incremental)) return part
  const incremental = part.incremental.map((piece: unknown) => {
    if (!isRecord(piece) || !Array.isArray(piece['errors'])) return piece
    return { ...piece, errors: shownErrors(piece['errors'].map(asGraphQLError), scope) }
  })
  return { ...part, incremental }
}

/** Errors of the platform are JSON and stay as they are. */
function shown(error: GraphQLError, scope: ErrorScope): GraphQLError {
  return isFormatted(error) ? error : shownError(asGraphQLError(error), scope)
}

function isFormatted(error: object): boolean {
  return !(error instanceof Error) && 'message' in error
}

export function asGraphQLError(error: unknown): GraphQLError {
  if (error instanceof GraphQLError) return error
  const originalError = error instanceof Error ? error : new Error('A value that is not an error was thrown', { cause: error })
  return new GraphQLError(originalError.message, { originalError })
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}
