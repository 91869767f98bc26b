import { getNullableType, isEnumType, isInputObjectType } from 'graphql'
import { type BoundArgument, wholeBody } from '../bound-argument.ts'
import type { BoundRow } from '../bound-row.ts'
import { fieldsSchema, inputSchema, valueSchema } from './input-schema.ts'
import { withExample } from './examples.ts'
import { type Components, described, type JsonSchema, type SchemaOfBody } from './json-schema.ts'

export type Parameter = {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly schema: SchemaOfBody
}

export type RequestBody = {
  readonly required: boolean
  readonly content: { readonly 'application/json': { readonly schema: SchemaOfBody } }
}

/** The parameters in the path, the query and the headers. */
export function parametersOf(row: BoundRow, components: Components): readonly Parameter[] {
  return [...row.bound.flatMap((argument) => parameterOf(argument, components)), ...preferenceOf(row)]
}

function preferenceOf({ waitArgument }: BoundRow): readonly Parameter[] {
  if (waitArgument === null) return []
  const description = '`respond-async` answers at once with 202 and `Location`, unless the result is there already.'
  return [{ name: 'Prefer', in: 'header', required: false, description, schema: { type: 'string', examples: ['respond-async'] } }]
}

function parameterOf(argument: BoundArgument, components: Components): Parameter[] {
  const { from, variable, required, description } = argument
  if (from.in === 'body') return []
  const name = from.in === 'header' ? 'If-Match' : from.name
  const schema = from.in === 'path' ? inPath(argument, components) : withDefault(valueSchema(argument, components), argument)
  const whole = withExample(exampleIn(schema, description), name, variable)
  return [{ name, in: from.in, required: from.in === 'path' || required, ...(description ? { description } : {}), schema: whole }]
}

/** The example that the description names, without the description, which the parameter has. */
function exampleIn(schema: JsonSchema, description: string | null): JsonSchema {
  const { examples } = described(schema, description)
  return examples ? { ...schema, examples } : schema
}

function withDefault(schema: JsonSchema, { defaultValue }: BoundArgument): JsonSchema {
  return defaultValue === undefined ? schema : { ...schema, default: defaultValue }
}

/** Enum values in paths are in lower case, with hyphens. */
function inPath(argument: BoundArgument, components: Components): JsonSchema {
  const named = getNullableType(argument.type)
  if (!isEnumType(named)) return valueSchema(argument, components)
  return described(
    { type: 'string', enum: named.getValues().map(({ name }) => name.toLowerCase().replaceAll('_', '-')) },
    named.description,
  )
}

/** The JSON body. Null if the row takes none. */
export function requestBodyOf(row: BoundRow, components: Components): RequestBody | null {
  const given = row.bound.filter(({ from }) => from.in === 'body')
  const [first] = given
  if (!first) return null
  const schema = first.from.name === wholeBody ? wholeSchema(first, row, components) : fieldwiseSchema(given, row, components)
  return { required: given.some(({ required }) => required), content: { 'application/json': { schema } } }
}

function wholeSchema(
  argument: BoundArgument,
  { bound, operationName, ignoresUnknownFields: isOpen }: BoundRow,
  components: Components,
): JsonSchema {
  const input = getNullableType(argument.type)
  const elsewhere = bound.flatMap(({ variable, field }) => (variable === argument.variable && field !== null ? [field] : []))
  if (!isInputObjectType(input)) return valueSchema(argument, components)
  const name = elsewhere.length === 0 && !isOpen ? input.name : `${operationName}Body`
  return bodySchema(name, described(fieldsSchema(input, { components, isOpen, without: elsewhere }), input.description), components)
}

/**
 * A schema of its own, so that generated clients have a type with this name. With a default it is part of the operation: openapi-typescript
 * takes the default of a schema of its own for a promise that the field is there, and its clients had to send it.
 */
function bodySchema(name: string, schema: JsonSchema, components: Components): JsonSchema {
  const hasDefault = Object.values(schema.properties ?? {}).some((property) => property.default !== undefined)
  return hasDefault ? { title: name, ...schema } : components.refer(name, () => schema)
}

function fieldwiseSchema(given: readonly BoundArgument[], row: BoundRow, components: Components): JsonSchema {
  const name = `${row.operationName}Body`
  const schemaOf = (argument: BoundArgument): JsonSchema =>
    withDefault(withExample(described(inputSchema(argument, components), argument.description), argument.from.name, name), argument)
  const schema: JsonSchema = {
    type: 'object',
    properties: Object.fromEntries(given.map((argument) => [argument.from.name, schemaOf(argument)])),
    required: given.filter(({ required }) => required).map(({ from }) => from.name),
    additionalProperties: row.ignoresUnknownFields,
  }
  return bodySchema(name, schema, components)
}
