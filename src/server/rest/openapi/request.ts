import { getNullableType, isEnumType, isInputObjectType } from 'graphql'
import { type BoundArgument, wholeBody } from '../bound-argument.ts'
import type { BoundRow } from '../bound-row.ts'
import { fieldsSchema, inputSchema, valueSchema } from './input-schema.ts'
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
  return [{ name: 'Prefer', in: 'header', required: false, description, schema: { type: 'string' } }]
}

function parameterOf(argument: BoundArgument, components: Components): Parameter[] {
  const { from, required, description } = argument
  if (from.in === 'body') return []
  const name = from.in === 'header' ? 'If-Match' : from.name
  const schema = from.in === 'path' ? inPath(argument, components) : valueSchema(argument, components)
  return [{ name, in: from.in, required: from.in === 'path' || required, ...(description ? { description } : {}), schema }]
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
  if ((elsewhere.length === 0 && !isOpen) || !isInputObjectType(input)) return valueSchema(argument, components)
  const fields = Object.values(input.getFields()).filter(({ name }) => !elsewhere.includes(name))
  return components.refer(`${operationName}Body`, () => described(fieldsSchema(fields, components, { isOpen }), input.description))
}

function fieldwiseSchema(given: readonly BoundArgument[], row: BoundRow, components: Components): JsonSchema {
  return components.refer(`${row.operationName}Body`, () => ({
    type: 'object',
    properties: Object.fromEntries(
      given.map((argument) => [argument.from.name, described(inputSchema(argument, components), argument.description)]),
    ),
    required: given.filter(({ required }) => required).map(({ from }) => from.name),
    additionalProperties: row.ignoresUnknownFields,
  }))
}
