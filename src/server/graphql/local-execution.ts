import { isAsyncIterable } from '@graphql-tools/utils'
import { type DocumentNode, type ExecutionArgs, type ExecutionResult, type GraphQLError, type GraphQLSchema, Kind } from 'graphql'
import type { RequestContext } from '../../access/request-context.ts'
import { withoutDefer } from './defer.ts'
import { variableErrors, variableFaults } from './variable-faults.ts'
import { asGraphQLError, shownResult } from './yoga.ts'

export type LocalOperation = {
  /** Has one operation. */
  readonly document: DocumentNode
  readonly variables: Readonly<Record<string, unknown>> | null | undefined
}

/** Runs operations on the local schema, through Yoga's pipeline. Errors have the form that clients see. The answer is whole: nothing is deferred. */
export type LocalExecution = {
  /** What is wrong with the document or its variables, found before anything runs; null if nothing is. */
  refusal(operation: LocalOperation, context: RequestContext): ExecutionResult | null
  run(operation: LocalOperation, context: RequestContext): Promise<ExecutionResult>
  /** The answers of a subscription; one with errors if it is refused. */
  subscribe(operation: LocalOperation, context: RequestContext): Promise<AsyncIterable<ExecutionResult>>
}

/** Yoga's `getEnveloped`: plugins of the Yoga server see what runs through it. */
type Pipeline = (context: RequestContext) => {
  readonly validate: (schema: GraphQLSchema, document: DocumentNode) => readonly GraphQLError[]
  readonly contextFactory: () => unknown
  readonly execute: (args: ExecutionArgs) => unknown
  readonly subscribe: (args: ExecutionArgs) => unknown
}

/** Each document is validated once. */
export function createLocalExecution(schema: GraphQLSchema, pipeline: Pipeline): LocalExecution {
  const verdicts = new WeakMap<DocumentNode, readonly GraphQLError[]>()
  const whole = new WeakMap<DocumentNode, DocumentNode>()
  const errorsOf = (document: DocumentNode, context: RequestContext): readonly GraphQLError[] => {
    const known = verdicts.get(document)
    if (known) return known
    const errors = pipeline(context).validate(schema, document)
    // Yoga's note of a status, which it would remove from an answer of its own.
    for (const { extensions } of errors) delete extensions['http']
    verdicts.set(document, errors)
    whole.set(document, withoutDefer(document))
    return errors
  }
  return {
    refusal({ document, variables }, context) {
      const errors = errorsOf(document, context)
      if (errors.length > 0) return shownResult({ errors }, context)
      const operation = document.definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION)
      const faults = operation ? variableFaults(schema, operation, variables ?? {}) : []
      return faults.length > 0 ? shownResult({ errors: variableErrors(faults).map(asGraphQLError) }, context) : null
    },
    async run({ document, variables }, context) {
      const errors = errorsOf(document, context)
      if (errors.length > 0) return shownResult({ errors }, context)
      const { contextFactory, execute } = pipeline(context)
      const contextValue = await contextFactory()
      const executed = whole.get(document) ?? document
      const result = await execute({ schema, document: executed, contextValue, ...(variables && { variableValues: variables }) })
      if (isResult(result)) return result
      throw new TypeError('A local operation was answered by a stream')
    },
    async subscribe({ document, variables }, context) {
      const errors = errorsOf(document, context)
      if (errors.length > 0) return only(shownResult({ errors }, context))
      const { contextFactory, subscribe } = pipeline(context)
      const contextValue = await contextFactory()
      const result = await subscribe({ schema, document, contextValue, ...(variables && { variableValues: variables }) })
      if (isResult(result)) return only(result)
      if (isResults(result)) return result
      throw new TypeError('A subscription was not answered')
    },
  }
}

async function* only<Result>(result: Result): AsyncGenerator<Result> {
  yield result
}

function isResults(value: unknown): value is AsyncIterable<ExecutionResult> {
  return isAsyncIterable(value)
}

function isResult(value: unknown): value is ExecutionResult {
  return typeof value === 'object' && value !== null && !(Symbol.asyncIterator in value)
}
