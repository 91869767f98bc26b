import {
  type FieldNode,
  type FragmentDefinitionNode,
  getNullableType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql'
import type { BoundRow } from '../bound-row.ts'
import { type Components, described, type JsonSchema, leafSchema, orNull } from './json-schema.ts'

type Scope = {
  readonly schema: GraphQLSchema
  readonly components: Components
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  readonly operationName: string
}

/** What an operation answers: its root field, with exactly the fields that the operation selects. */
export function answerSchema(row: BoundRow, { schema, components }: Pick<Scope, 'schema' | 'components'>): JsonSchema {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const definition of row.operation.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition)
  }
  return outputSchema(row.field.type, [row.selection], { schema, components, fragments, operationName: row.operationName })
}

function outputSchema(type: GraphQLOutputType, nodes: readonly FieldNode[], scope: Scope): JsonSchema {
  const named = getNullableType(type)
  const schema = isListType(named)
    ? { type: 'array', items: outputSchema(named.ofType, nodes, scope) }
    : isLeafType(named)
      ? leafSchema(named, scope.components)
      : compositeSchema(named, nodes, scope)
  return isNonNullType(type) ? schema : orNull(schema)
}

function compositeSchema(type: GraphQLNamedType, nodes: readonly FieldNode[], scope: Scope): JsonSchema {
  if (isObjectType(type)) return objectSchema(type, nodes, scope)
  if (!isAbstractType(type)) throw new TypeError(`${type.name} is no type of an answer`)
  return described({ anyOf: scope.schema.getPossibleTypes(type).map((possible) => objectSchema(possible, nodes, scope)) }, type.description)
}

function objectSchema(type: GraphQLObjectType, nodes: readonly FieldNode[], scope: Scope): JsonSchema {
  const selected = new Map<string, Selected>()
  for (const { selectionSet } of nodes) if (selectionSet) collect(selectionSet, { type, selected, optional: false }, scope)
  const properties = Object.fromEntries([...selected].map(([name, { fields }]) => [name, propertySchema(type, fields, scope)]))
  const required = [...selected].filter(([, { optional }]) => !optional).map(([name]) => name)
  const schema = described({ type: 'object', properties, required }, type.description)
  return scope.components.keep(type.name, schema, `${type.name}Of${scope.operationName}`)
}

/** `optional`: a client's variable decides whether it is there. */
type Selected = { readonly fields: FieldNode[]; optional: boolean }
type Collection = { readonly type: GraphQLObjectType; readonly selected: Map<string, Selected>; readonly optional: boolean }

function collect(set: SelectionSetNode, collection: Collection, scope: Scope): void {
  for (const selection of set.selections) {
    const optional = collection.optional || (selection.directives ?? []).length > 0
    if (selection.kind === Kind.FIELD) {
      const name = (selection.alias ?? selection.name).value
      const found = collection.selected.get(name)
      if (found) found.optional &&= optional
      collection.selected.set(name, { fields: [...(found?.fields ?? []), selection], optional: found?.optional ?? optional })
      continue
    }
    const fragment = selection.kind === Kind.FRAGMENT_SPREAD ? scope.fragments.get(selection.name.value) : selection
    if (fragment && appliesTo(fragment.typeCondition?.name.value, collection.type, scope)) {
      collect(fragment.selectionSet, { ...collection, optional }, scope)
    }
  }
}

function appliesTo(condition: string | undefined, type: GraphQLObjectType, { schema }: Scope): boolean {
  const wanted = condition === undefined ? type : schema.getType(condition)
  return wanted === type || (isAbstractType(wanted) && schema.isSubType(wanted, type))
}

function propertySchema(type: GraphQLObjectType, nodes: readonly FieldNode[], scope: Scope): JsonSchema {
  const name = nodes[0]?.name.value ?? ''
  if (name === '__typename') return { type: 'string', enum: [type.name] }
  const field = type.getFields()[name]
  if (!field) throw new TypeError(`${type.name} has no field ${name}`)
  const schema = described(outputSchema(field.type, nodes, scope), field.description)
  return field.deprecationReason ? { ...schema, deprecated: true } : schema
}
