import {
  getNullableType,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql'
import { type InputLimit, limitOf } from '../../graphql/input-limits/input-limit.ts'
import { withExample } from './examples.ts'
import { type Components, described, given, type JsonSchema, leafSchema, limited, orNull } from './json-schema.ts'

export type Limited = { readonly type: GraphQLInputType; readonly limit: InputLimit | null }

/** The values that a request may send for this type. */
export function inputSchema({ type, limit }: Limited, components: Components): JsonSchema {
  const schema = valueSchema({ type, limit }, components)
  return isNonNullType(type) ? schema : orNull(schema)
}

/** As `inputSchema`, for a value that cannot be null: a body or a parameter. */
export function valueSchema({ type, limit }: Limited, components: Components): JsonSchema {
  const named = getNullableType(type)
  if (isListType(named)) {
    const items = inputSchema({ type: named.ofType, limit }, components)
    return { type: 'array', items, ...given({ minItems: limit?.minItems, maxItems: limit?.maxItems }) }
  }
  if (!isInputObjectType(named)) return limited(leafSchema(named, components), limit)
  return components.refer(named.name, () => described(fieldsSchema(named, { components }), named.description))
}

type Fields = { readonly components: Components; readonly isOpen?: boolean; readonly without?: readonly (string | null)[] }

/** An object with the fields of the type and no others; with `isOpen` others are ignored. */
export function fieldsSchema(type: GraphQLInputObjectType, { components, isOpen = false, without = [] }: Fields): JsonSchema {
  const fields = Object.values(type.getFields()).filter(({ name }) => !without.includes(name))
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, withExample(fieldSchema(field, components), field.name, type.name)])),
    required: fields.filter(({ type, defaultValue }) => isNonNullType(type) && defaultValue === undefined).map(({ name }) => name),
    additionalProperties: isOpen,
  }
}

function fieldSchema(
  { type, astNode, description, defaultValue, deprecationReason }: GraphQLInputField,
  components: Components,
): JsonSchema {
  const schema = described(inputSchema({ type, limit: limitOf(astNode) }, components), description)
  return {
    ...schema,
    ...(defaultValue === undefined ? {} : { default: defaultValue }),
    ...(deprecationReason ? { deprecated: true } : {}),
  }
}
