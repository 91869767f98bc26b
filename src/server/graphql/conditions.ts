import { type DirectiveNode, Kind, type OperationDefinitionNode, valueFromASTUntyped } from 'graphql'

type Variables = Readonly<Record<string, unknown>>

/** One `@skip` or `@include`: the value of its condition with which the selection is part of the answer, and the condition. */
export type Condition = { readonly needs: boolean; readonly value: (variables: Variables) => unknown }

export function conditionsOf(directives: readonly DirectiveNode[] | undefined, operation: OperationDefinitionNode): readonly Condition[] {
  return (directives ?? [])
    .filter(({ name }) => name.value === 'skip' || name.value === 'include')
    .map(({ name, arguments: given }) => {
      const condition = given?.find((argument) => argument.name.value === 'if')?.value
      return { needs: name.value === 'include', value: valueOf(condition, operation) }
    })
}

function valueOf(condition: Parameters<typeof valueFromASTUntyped>[0] | undefined, operation: OperationDefinitionNode): Condition['value'] {
  if (condition?.kind !== Kind.VARIABLE) return () => condition && valueFromASTUntyped(condition)
  const name = condition.name.value
  const defaultValue = operation.variableDefinitions?.find(({ variable }) => variable.name.value === name)?.defaultValue
  return (variables) => (Object.hasOwn(variables, name) ? variables[name] : defaultValue && valueFromASTUntyped(defaultValue))
}

/** Whether one of the selections of a field is part of the answer. */
export function isIncluded(selections: readonly (readonly Condition[])[] | undefined, variables: Variables): boolean {
  return selections === undefined || selections.some((conditions) => conditions.every(({ needs, value }) => value(variables) === needs))
}
