import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  valueFromASTUntyped,
} from 'graphql'
import { crash } from './errors.ts'
import { isJsonObject, type JsonObject } from './json.ts'

/** What was asked of one field. `key` is its name in the answer. */
export type Selection = { readonly key: string; readonly name: string; readonly parts: readonly Selection[] }
/** A root field with its arguments. */
export type RootSelection = Selection & { readonly args: JsonObject; readonly node: FieldNode }

export type Reading = {
  readonly document: DocumentNode
  readonly operation: OperationDefinitionNode
  readonly variables: JsonObject
  /**
   * False as on 2.21, which answers nested fields under their own names, whatever alias was asked, and does not apply directives to
   * root fields nor variables in directives.
   */
  readonly isStandard: boolean
}

/** The operation that a request means; undefined if the document has none of that name. */
export function operationOf(document: DocumentNode, operationName: string | null): OperationDefinitionNode | undefined {
  const operations = document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION)
  return operationName === null ? operations[0] : operations.find((operation) => operation.name?.value === operationName)
}

/** The variables of a request, with the defaults of the operation for those that are absent. */
export function variablesOf(operation: OperationDefinitionNode, given: JsonObject): JsonObject {
  const variables: JsonObject = { ...given }
  for (const { variable, defaultValue } of operation.variableDefinitions ?? []) {
    if (defaultValue && variables[variable.name.value] === undefined) variables[variable.name.value] = valueFromASTUntyped(defaultValue)
  }
  return variables
}

/** The root fields of an operation, fragments spread. What was asked of a root field is read, and may fail, when it is needed. */
export function rootSelections(reading: Reading): RootSelection[] {
  const reader = readerOf(reading)
  return reader.fieldsOf(reading.operation.selectionSet, !reading.isStandard).map((node) => ({
    key: node.alias?.value ?? node.name.value,
    name: node.name.value,
    get parts() {
      return reader.partsOf(node.selectionSet)
    },
    args: argumentsOf(node, reading.variables),
    node,
  }))
}

function argumentsOf(node: FieldNode, variables: JsonObject): JsonObject {
  // Not by assignment, because an argument may be called `__proto__`.
  return Object.fromEntries((node.arguments ?? []).map(({ name, value }) => [name.value, valueFromASTUntyped(value, variables)]))
}

function readerOf({ document, variables, isStandard }: Reading) {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition)
  }
  const isWanted = (node: SelectionNode): boolean =>
    (node.directives ?? []).every((directive) => {
      const condition = directive.arguments?.find((argument) => argument.name.value === 'if')
      if (!isStandard && condition?.value.kind === Kind.VARIABLE) {
        throw crash(`Cannot read properties of undefined (reading '${condition.value.name.value}')`)
      }
      const value: unknown = condition && valueFromASTUntyped(condition.value, variables)
      return directive.name.value === 'skip' ? value !== true : directive.name.value !== 'include' || value === true
    })
  const fieldsOf = (set: SelectionSetNode | undefined, all = false): FieldNode[] =>
    (set?.selections ?? [])
      .filter((node) => all || isWanted(node))
      .flatMap((node) => {
        if (node.kind === Kind.FIELD) return [node]
        return fieldsOf(node.kind === Kind.INLINE_FRAGMENT ? node.selectionSet : fragments.get(node.name.value)?.selectionSet, all)
      })
  const partsOf = (set: SelectionSetNode | undefined): Selection[] => {
    const merged = new Map<string, Selection>()
    for (const node of fieldsOf(set)) {
      const key = isStandard ? (node.alias?.value ?? node.name.value) : node.name.value
      const known = merged.get(key)
      merged.set(key, { key, name: node.name.value, parts: [...(known?.parts ?? []), ...partsOf(node.selectionSet)] })
    }
    return [...merged.values()]
  }
  return { fieldsOf, partsOf }
}

/** The JSON variables of a request body; anything but an object counts as none. */
export function variablesGiven(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {}
}
