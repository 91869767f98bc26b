import {
  getNamedType,
  getNullableType,
  GraphQLBoolean,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  isInputObjectType,
  isNonNullType,
  isObjectType,
  type InputValueDefinitionNode,
} from 'graphql'
import { type InputLimit, limitOf } from '../graphql/input-limits/input-limit.ts'
import type { Row, Source } from './row.ts'

/** One argument of a row: an argument of its root field, or a field of the input object in it, and the part of the request that gives it. */
export type BoundArgument = {
  readonly variable: string
  /** Null: the variable itself. */
  readonly field: string | null
  readonly from: RequestPart
  readonly type: GraphQLInputType
  readonly limit: InputLimit | null
  /** Whether the request must give it: its type is not null and has no default. */
  readonly required: boolean
  /** From the schema; undefined if there is none. */
  readonly defaultValue: unknown
  /** From the schema. */
  readonly description: string | null
}

export type RequestPart = { readonly in: 'body' | 'path' | 'query' | 'header'; readonly name: string }

/** The name of the part that is the whole body. */
export const wholeBody = ''

export type BoundArguments = {
  readonly faults: readonly string[]
  /** Whole variables come before their fields. */
  readonly bound: readonly BoundArgument[]
  /** Fields of the answer that depend on a Boolean variable. */
  readonly conditions: ReadonlyMap<string, Condition>
}

/** `isDefault`: whether the field is in the answer if the request does not say. */
export type Condition = { readonly variable: string; readonly isDefault: boolean }

/** Finds the type of each argument of the row. `faults` also name required arguments that nothing gives. */
export function bindArguments(row: Row, field: GraphQLField<unknown, unknown>): BoundArguments {
  const variables = new Map([...argumentsOf(field)].map(([name, argument]) => [name, describedInput(argument)]))
  const attempts = Object.entries(row.arguments).map(([target, source]) => ({ target, argument: bindArgument(target, source, variables) }))
  const unknown = [...attempts.filter(({ argument }) => !argument).map(({ target }) => target), ...unknownConstants(row, variables)]
  const bound = attempts.flatMap(({ argument }) => argument ?? [])
  bound.sort((a, b) => Number(a.field !== null) - Number(b.field !== null))
  const requested = bindConditions(row, field)
  return {
    bound: [...bound, ...requested.bound],
    conditions: requested.conditions,
    faults: [
      ...unknown.map((target) => `${row.rootField} has no argument ${target}`),
      ...[...variables].flatMap(([name, input]) => (Object.hasOwn(row.constants, name) ? [] : missing({ name, input, bound }))),
      ...requested.faults,
    ],
  }
}

/** The arguments of a root field, and those of the fields of its answer as `rootField_field_argument`: the variables of a derived document. */
export function argumentsOf(field: GraphQLField<unknown, unknown>): ReadonlyMap<string, GraphQLArgument> {
  const answer = getNamedType(field.type)
  const nested = isObjectType(answer)
    ? Object.values(answer.getFields()).flatMap(({ name, args }) =>
        args.map((argument) => [`${field.name}_${name}_${argument.name}`, argument] as const),
      )
    : []
  return new Map([...field.args.map((argument) => [argument.name, argument] as const), ...nested])
}

type Input = Pick<BoundArgument, 'type' | 'limit' | 'required' | 'defaultValue' | 'description'>

function describedInput(input: {
  readonly type: GraphQLInputType
  readonly defaultValue?: unknown
  readonly description?: string | null | undefined
  readonly astNode?: InputValueDefinitionNode | null | undefined
}): Input {
  const { type, defaultValue, description = null, astNode } = input
  return { type, limit: limitOf(astNode), required: isNonNullType(type) && defaultValue === undefined, defaultValue, description }
}

function bindArgument(target: string, source: Source | undefined, variables: ReadonlyMap<string, Input>): BoundArgument | null {
  const [variable = '', field = null] = target.split('.')
  const whole = variables.get(variable)
  const found = field === null || !whole ? whole : fieldsOf(whole.type).get(field)
  return found && source !== undefined ? { variable, field, from: partOf(source), ...found } : null
}

function unknownConstants({ constants }: Row, variables: ReadonlyMap<string, Input>): readonly string[] {
  return Object.keys(constants).filter((name) => !variables.has(name))
}

/** Each field that depends on the request takes a Boolean variable that has the name of the query parameter. */
function bindConditions(row: Row, field: GraphQLField<unknown, unknown>): BoundArguments {
  const answer = getNamedType(field.type)
  const fields = isObjectType(answer) ? answer.getFields() : {}
  const conditional = [row.onRequest, row.unless].flatMap((sources, index) =>
    Object.entries(sources).flatMap(([name, source]) =>
      source === undefined ? [] : [{ name, from: partOf(source), isDefault: index === 1 }],
    ),
  )
  return {
    faults: conditional.filter(({ name }) => !fields[name]).map(({ name }) => `its answer has no field ${name}`),
    conditions: new Map(conditional.map(({ name, from, isDefault }) => [name, { variable: from.name, isDefault }])),
    bound: conditional.map(({ name, from, isDefault }) => ({
      variable: from.name,
      field: null,
      from,
      type: GraphQLBoolean,
      limit: null,
      required: false,
      defaultValue: isDefault,
      description: isDefault ? `If false, the answer has no \`${name}\`.` : `If true, the answer also has \`${name}\`.`,
    })),
  }
}

function fieldsOf(type: GraphQLInputType): ReadonlyMap<string, Input> {
  const object = getNullableType(type)
  const fields = isInputObjectType(object) ? Object.values(object.getFields()) : []
  return new Map(fields.map((field) => [field.name, describedInput(field)]))
}

function partOf(source: Source): RequestPart {
  if (source === 'body') return { in: 'body', name: wholeBody }
  const dot = source.indexOf('.')
  const place = source.slice(0, dot)
  const name = source.slice(dot + 1)
  return place === 'body' || place === 'path' || place === 'query' ? { in: place, name } : { in: 'header', name }
}

function missing({ name, input, bound }: { name: string; input: Input; bound: readonly BoundArgument[] }): readonly string[] {
  const own = bound.filter(({ variable }) => variable === name)
  if (own.some(({ field }) => field === null)) return []
  // Also if it has a default: a document is derived only if every non-null argument is a variable.
  if (own.length === 0) return isNonNullType(input.type) ? [`nothing gives ${name}`] : []
  const given = new Set(own.map(({ field }) => field))
  return [...fieldsOf(input.type)].flatMap(([field, { required }]) =>
    required && !given.has(field) ? [`nothing gives ${name}.${field}`] : [],
  )
}
