import { type DocumentNode, execute, type ExecutionResult, type GraphQLError, type GraphQLSchema, validate } from 'graphql'
import type { RequestContext } from '../../auth/request.ts'
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
    async run({ document, variables }, contextValue) {
      const errors = verdictOf(document)
      if (errors.length > 0) return shownResult({ errors }, contextValue)
      const result = await execute({ schema, document, contextValue, ...(variables && { variableValues: variables }) })
      return shownResult(result, contextValue)
    },
  }
}
