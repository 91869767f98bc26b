import {
  type FieldNode,
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
import { connectionIn } from '../page.ts'
import { withExample } from './examples.ts'
import { type Components, described, type JsonSchema, leafSchema, orNull } from './json-schema.ts'

type Scope = {
  readonly schema: GraphQLSchema
  readonly components: Components
  readonly operationName: string
  /** Whether this type of a union or interface can be in the answer. */
  readonly includes: (typeName: string) => boolean
}

/** The answer of an operation: its root field, with exactly the fields that the document selects. */
export function answerSchema(row: BoundRow, parts: Omit<Scope, 'operationName'>): JsonSchema {
  const scope = { ...parts, operationName: row.operationName }
  const connection = connectionIn(row.field.type)
  return connection && row.listName !== null
    ? pageSchema(row.listName, connection, { node: row.selection, scope })
    : outputSchema(row.field.type, row.selection, scope)
}

type Within = { readonly node: FieldNode; readonly scope: Scope }

/** A list in an object, as `restAnswer` makes it. */
function pageSchema(listName: string, connection: GraphQLObjectType, within: Within): JsonSchema {
  const { scope } = within
  const { nodes = {}, ...others } = pageProperties(connection, within)
  const description = 'Send it as `after` to get the next page. Null on the last page.'
  const nextCursor = withExample({ type: ['string', 'null'], description }, 'nextCursor', connection.name)
  const properties = { [listName]: nodes, nextCursor, ...others }
  const schema = described({ type: 'object', properties, required: Object.keys(properties) }, connection.description)
  return scope.components.add(connection.name.replace('Connection', 'Page'), schema, scope.operationName)
}

function pageProperties(connection: GraphQLObjectType, { node: { selectionSet }, scope }: Within): Readonly<Record<string, JsonSchema>> {
  const fields = selectionSet ? fieldsFor(connection, selectionSet).filter(({ name }) => name.value !== 'pageInfo') : []
  return Object.fromEntries(fields.map((field) => [field.name.value, propertySchema(connection, field, scope)]))
}

function outputSchema(type: GraphQLOutputType, node: FieldNode, scope: Scope): JsonSchema {
  const connection = connectionIn(type)
  if (connection) return pageProperties(connection, { node, scope })['nodes'] ?? {}
  const named = getNullableType(type)
  const schema = isListType(named)
    ? { type: 'array', items: outputSchema(named.ofType, node, scope) }
    : isLeafType(named)
      ? leafSchema(named, scope.components)
      : compositeSchema(named, node, scope)
  return isNonNullType(type) ? schema : orNull(schema)
}

function compositeSchema(type: GraphQLNamedType, { selectionSet }: FieldNode, scope: Scope): JsonSchema {
  if (!selectionSet) throw new TypeError(`Nothing of ${type.name} is selected`)
  if (isObjectType(type)) return objectSchema(type, selectionSet, scope)
  if (!isAbstractType(type)) throw new TypeError(`${type.name} is not the type of an answer`)
  const possible = scope.schema.getPossibleTypes(type).filter(({ name }) => scope.includes(name))
  const [first, ...others] = possible.map((one) => objectSchema(one, selectionSet, scope))
  if (!first) throw new TypeError(`No type of ${type.name} can be in the answer`)
  return others.length === 0 ? first : described({ anyOf: [first, ...others] }, type.description)
}

function objectSchema(type: GraphQLObjectType, selectionSet: SelectionSetNode, scope: Scope): JsonSchema {
  const fields = fieldsFor(type, selectionSet)
  const properties = Object.fromEntries(fields.map((field) => [field.name.value, propertySchema(type, field, scope)]))
  // A field with a directive is in the answer only if the client requests it.
  const required = fields.filter(({ directives = [] }) => directives.length === 0).map(({ name }) => name.value)
  const schema = described({ type: 'object', properties, required }, type.description)
  return scope.components.add(type.name, schema, `${type.name}Of${scope.operationName}`)
}

/** The selected fields of this type. A derived document has an inline fragment for each possible type of an abstract one. */
function fieldsFor(type: GraphQLObjectType, { selections }: SelectionSetNode): readonly FieldNode[] {
  return selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return [selection]
    const applies = selection.kind === Kind.INLINE_FRAGMENT && selection.typeCondition?.name.value === type.name
    return applies ? fieldsFor(type, selection.selectionSet) : []
  })
}

function propertySchema(type: GraphQLObjectType, node: FieldNode, scope: Scope): JsonSchema {
  const field = type.getFields()[node.name.value]
  if (!field) throw new TypeError(`${type.name} has no field ${node.name.value}`)
  const schema = withExample(described(outputSchema(field.type, node, scope), field.description), field.name, type.name)
  return field.deprecationReason ? { ...schema, deprecated: true } : schema
}
