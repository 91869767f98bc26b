import { type GraphQLSchema, isInputType, type OperationDefinitionNode, typeFromAST } from 'graphql'
import { type AppError, type FieldFault, invalidFields, maxErrors } from '../../kernel/errors.ts'
import { inputFaults } from './input-faults.ts'

/** With one more, graphql says that there are others. Suggestions take time, and show names of the schema to strangers. */
export const validationBounds = { maxErrors: maxErrors - 1, hideSuggestions: true }

type Variables = Readonly<Record<string, unknown>>

/**
 * The faults of an operation's variables, at most 50. Empty if and only if graphql's own coercion accepts them. Ours is asked first, because
 * each message of graphql's repeats the whole value.
 */
export function variableFaults(schema: GraphQLSchema, operation: OperationDefinitionNode, variables: Variables): readonly FieldFault[] {
  const faults: FieldFault[] = []
  for (const { variable, type: typeNode, defaultValue } of operation.variableDefinitions ?? []) {
    const name = variable.name.value
    const type = typeFromAST(schema, typeNode)
    const isGiven = Object.hasOwn(variables, name)
    if (!type || !isInputType(type) || (!isGiven && defaultValue)) continue
    faults.push(...inputFaults(isGiven ? variables[name] : undefined, type, name))
    if (faults.length >= maxErrors) break
  }
  return faults.slice(0, maxErrors)
}

/** An error for each of them. */
export function variableErrors(faults: readonly FieldFault[]): readonly AppError[] {
  return faults.map((fault) => invalidFields([fault]))
}
