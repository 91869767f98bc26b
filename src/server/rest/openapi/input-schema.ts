import { getNullableType, type GraphQLInputField, type GraphQLInputType, isInputObjectType, isListType, isNonNullType } from 'graphql'
import { type Components, described, type JsonSchema, leafSchema, orNull } from './json-schema.ts'

/** The values that a request may send for this type. */
export function inputSchema(type: GraphQLInputType, components: Components): JsonSchema {
  if (!isNonNullType(type)) return orNull(valueSchema(type, components))
  return valueSchema(type, components)
}

/** As `inputSchema`, for a value that cannot be null: a body or a parameter. */
export function valueSchema(type: GraphQLInputType, components: Components): JsonSchema {
  const named = getNullableType(type)
  if (isListType(named)) return { type: 'array', items: inputSchema(named.ofType, components) }
  if (!isInputObjectType(named)) return leafSchema(named, components)
  return components.refer(named.name, () => described(fieldsSchema(Object.values(named.getFields()), components), named.description))
}

/** An object with these fields and no others; with `isOpen` others are ignored. */
export function fieldsSchema(fields: readonly GraphQLInputField[], components: Components, { isOpen = false } = {}): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field, components)])),
    required: fields.filter(({ type, defaultValue }) => isNonNullType(type) && defaultValue === undefined).map(({ name }) => name),
    additionalProperties: isOpen,
  }
}

function fieldSchema({ type, description, defaultValue, deprecationReason }: GraphQLInputField, components: Components): JsonSchema {
  const schema = described(inputSchema(type, components), description)
  return {
    ...schema,
    ...(defaultValue === undefined ? {} : { default: defaultValue }),
    ...(deprecationReason ? { deprecated: true } : {}),
  }
}
