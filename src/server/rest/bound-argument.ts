import {
  getNullableType,
  type GraphQLInputType,
  type GraphQLSchema,
  isInputObjectType,
  isInputType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
} from 'graphql'
import type { Row, Source } from './row.ts'

/** One argument of a row: a variable of its operation, or a field of the input object in it, and the part of the request that gives it. */
export type BoundArgument = {
  readonly variable: string
  /** Null: the variable itself. */
  readonly field: string | null
  readonly from: RequestPart
  readonly type: GraphQLInputType
  /** Whether the request must give it: neither the type nor a default does without. */
  readonly required: boolean
}

export type RequestPart = { readonly in: 'body' | 'path' | 'query' | 'header'; readonly name: string }

/** The name of the part that is the whole body. */
export const wholeBody = ''

export type BoundArguments = {
  readonly faults: readonly string[]
  /** Whole variables come before their fields. */
  readonly bound: readonly BoundArgument[]
}

/** Finds the type of each argument of the row; `faults` also name what the operation needs and nothing gives. */
export function bindArguments(row: Row, definition: OperationDefinitionNode, schema: GraphQLSchema): BoundArguments {
  const variables = variablesOf(definition, schema)
  const faults: string[] = []
  const bound = Object.entries(row.arguments).flatMap(([target, source]): BoundArgument[] => {
    const argument = source === undefined ? null : bindArgument(target, source, variables)
    if (!argument) faults.push(`its operation has no argument ${target}`)
    return argument ? [argument] : []
  })
  bound.sort((a, b) => Number(a.field !== null) - Number(b.field !== null))
  return { bound, faults: [...faults, ...[...variables].flatMap((variable) => missing(variable, bound))] }
}

type Variable = { readonly type: GraphQLInputType; readonly required: boolean }

function variablesOf(definition: OperationDefinitionNode, schema: GraphQLSchema): ReadonlyMap<string, Variable> {
  const found = new Map<string, Variable>()
  for (const { variable, type: node, defaultValue } of definition.variableDefinitions ?? []) {
    const type = typeFromAST(schema, node)
    if (isInputType(type)) found.set(variable.name.value, { type, required: isNonNullType(type) && defaultValue === undefined })
  }
  return found
}

function bindArgument(target: string, source: Source, variables: ReadonlyMap<string, Variable>): BoundArgument | null {
  const [variable = '', field = null] = target.split('.')
  const whole = variables.get(variable)
  const found = field === null || !whole ? whole : fieldsOf(whole.type).find(({ name }) => name === field)
  return found ? { variable, field, from: partOf(source), type: found.type, required: found.required } : null
}

function fieldsOf(type: GraphQLInputType): readonly (Variable & { readonly name: string })[] {
  const object = getNullableType(type)
  if (!isInputObjectType(object)) return []
  return Object.values(object.getFields()).map((field) => ({
    name: field.name,
    type: field.type,
    required: isNonNullType(field.type) && field.defaultValue === undefined,
  }))
}

function partOf(source: Source): RequestPart {
  if (source === 'body') return { in: 'body', name: wholeBody }
  const dot = source.indexOf('.')
  const place = source.slice(0, dot)
  const name = source.slice(dot + 1)
  return place === 'body' || place === 'path' || place === 'query' ? { in: place, name } : { in: 'header', name }
}

function missing([name, { type, required }]: readonly [string, Variable], bound: readonly BoundArgument[]): readonly string[] {
  const own = bound.filter(({ variable }) => variable === name)
  if (own.some(({ field }) => field === null)) return []
  if (own.length === 0) return required ? [`nothing gives $${name}`] : []
  const given = new Set(own.map(({ field }) => field))
  return fieldsOf(type).flatMap((field) => (field.required && !given.has(field.name) ? [`nothing gives $${name}.${field.name}`] : []))
}
