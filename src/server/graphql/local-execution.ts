import {
  type DocumentNode,
  execute,
  type ExecutionResult,
  getVariableValues,
  type GraphQLError,
  type GraphQLSchema,
  Kind,
  validate,
} from 'graphql'
import type { RequestContext } from '../../access/request-context.ts'
import { shownResult } from './yoga.ts'

export type LocalOperation = {
  /** Has one operation. */
  readonly document: DocumentNode
  readonly variables: Readonly<Record<string, unknown>> | null | undefined
}

/** Runs an operation on the local schema; errors come as clients see them. Documents are validated once each. */
export type LocalExecution = {
  /** Empty where the document is valid. */
  validate(document: DocumentNode): readonly GraphQLError[]
  /** What is wrong with the document or its variables, before anything runs; null where nothing is. */
  refusal(operation: LocalOperation, context: RequestContext): ExecutionResult | null
  run(operation: LocalOperation, context: RequestContext): Promise<ExecutionResult>
}

export function createLocalExecution(schema: GraphQLSchema): LocalExecution {
  const verdicts = new WeakMap<DocumentNode, readonly GraphQLError[]>()
  const verdictOf = (document: DocumentNode): readonly GraphQLError[] => {
    let verdict = verdicts.get(document)
    if (!verdict) {
      verdict = validate(schema, document)
      verdicts.set(document, verdict)
    }
    return verdict
  }
  return {
    validate: verdictOf,
    refusal({ document, variables }, context) {
      const errors = verdictOf(document)
      if (errors.length > 0) return shownResult({ errors }, context)
      const operation = document.definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION)
      const coerced = getVariableValues(schema, operation?.variableDefinitions ?? [], variables ?? {}, { maxErrors: 50 })
      return coerced.errors ? shownResult({ errors: coerced.errors }, context) : null
    },
    async run({ document, variables }, contextValue) {
      const errors = verdictOf(document)
      if (errors.length > 0) return shownResult({ errors }, contextValue)
      const result = await execute({ schema, document, contextValue, ...(variables && { variableValues: variables }) })
      return shownResult(result, contextValue)
    },
  }
}
