import * as fc from 'fast-check'
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
} from 'graphql'
import { wildTexts } from './wild.ts'

/** Makes a value of an arbitrary; fast-check repeats and shrinks what is made with it. */
type Make = <T>(arbitrary: fc.Arbitrary<T>) => T
/** `isValid`: no part of it is damaged. */
type Making = { readonly make: Make; readonly known: readonly string[]; readonly isValid: boolean }

export type Operation = { readonly query: string; readonly sender: 'manager' | 'agent' | 'stranger' | 'nobody' }

/** The root fields to choose from, and those that the service or its sandbox can answer: an undamaged operation has one of these. */
type Roots = { readonly isChosen: (name: string) => boolean; readonly isAnswered: (name: string) => boolean }

/**
 * Operations of the schema: up to three root fields, arguments that are valid or nearly so, selections up to four levels, with aliases,
 * fragments and conditions; some with a damaged text. In six of ten no part is damaged, so that they reach what answers them.
 */
export function graphqlOperations(schema: GraphQLSchema, known: readonly string[], roots: Roots): fc.Arbitrary<Operation> {
  return fc.gen().map((generate) => {
    const make: Make = (arbitrary) => generate(() => arbitrary)
    const isValid = make(fc.nat(9)) < 6
    const making: Making = { make, known, isValid }
    const fieldsOf = (type: GraphQLObjectType | null | undefined) =>
      Object.values(type?.getFields() ?? {}).filter(({ name }) => roots.isChosen(name) && (!isValid || roots.isAnswered(name)))
    const queries = fieldsOf(schema.getQueryType())
    const isQuery = queries.length > 0 && make(fc.nat(3)) > 0
    const chosen = isQuery ? queries : fieldsOf(schema.getMutationType())
    const count = make(fc.integer({ min: 1, max: isValid ? 1 : 3 }))
    const fields = Array.from({ length: count }, (_, index) => `f${index}: ${fieldText(making, make(fc.constantFrom(...chosen)), 4)}`)
    const text = `${isQuery ? 'query' : 'mutation'} Fuzz {\n${fields.join('\n')}\n}`
    return {
      query: !isValid && make(fc.nat(9)) === 0 ? damagedText(make, text) : text,
      sender: make(fc.constantFrom(...(isValid ? (['manager', 'manager', 'agent'] as const) : senders))),
    }
  })
}

const senders = ['manager', 'manager', 'agent', 'agent', 'stranger', 'nobody'] as const

/** Whether this part is damaged: one in `times` of those that may be. */
const isDamaged = ({ make, isValid }: Making, times: number): boolean => !isValid && make(fc.nat(times)) === 0

function fieldText(making: Making, field: GraphQLField<unknown, unknown>, depth: number): string {
  const condition = making.make(fc.nat(30))
  const directive =
    condition === 0 ? ' @skip(if: true)' : condition === 1 ? ' @include(if: true)' : condition === 2 && !making.isValid ? ' @unknown' : ''
  return `${field.name}${argumentsText(making, field.args)}${directive}${selectionOf(making, getNamedType(field.type), depth)}`
}

function selectionOf(making: Making, type: GraphQLNamedType, depth: number): string {
  if (isLeafType(type)) return isDamaged(making, 40) ? ' { x }' : ''
  if (isUnionType(type))
    return ` { __typename ${type
      .getTypes()
      .map((one) => `... on ${one.name}${selectionOf(making, one, depth - 1)}`)
      .join(' ')} }`
  if (!isObjectType(type) && !isInterfaceType(type)) return ''
  const fields = Object.values(type.getFields()).filter(({ type: inner }) => depth > 1 || isLeafType(getNamedType(inner)))
  const chosen = fields.length === 0 ? [] : making.make(fc.subarray(fields, { maxLength: Math.min(4, fields.length) }))
  const texts = chosen.map((field) => {
    const alias = making.make(fc.nat(6)) === 0 ? `a${making.isValid ? field.name : making.make(fc.nat(3))}: ` : ''
    return alias + fieldText(making, field, depth - 1)
  })
  return ` { __typename ${texts.join(' ')} }`
}

function argumentsText(making: Making, args: readonly GraphQLArgument[]): string {
  const texts = args.flatMap((arg) => {
    // Filters and orders have rules that no type states.
    const isFree = !isNonNullType(arg.type) && (!making.isValid || (isLeafType(arg.type) && making.make(fc.nat(3)) === 0))
    const isLeftOut = isNonNullType(arg.type) ? isDamaged(making, 30) : !isFree || making.make(fc.boolean())
    return isLeftOut ? [] : [`${arg.name}: ${valueText(making, arg.type, 3)}`]
  })
  if (isDamaged(making, 40)) texts.push('unexpected: 1')
  return texts.length === 0 ? '' : `(${texts.join(', ')})`
}

function valueText(making: Making, type: GraphQLInputType, depth: number): string {
  const { make } = making
  if (isNonNullType(type)) return isDamaged(making, 40) ? 'null' : valueText(making, type.ofType, depth)
  if (isDamaged(making, 15)) return wildLiteral(make)
  if (isListType(type)) {
    const count = make(fc.nat(2))
    return `[${Array.from({ length: count }, () => valueText(making, type.ofType, depth)).join(', ')}]`
  }
  if (isEnumType(type)) return make(fc.constantFrom(...type.getValues().map(({ name }) => name)))
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).filter((field) => isNonNullType(field.type) || (depth > 0 && make(fc.nat(3)) === 0))
    return `{${fields.map((field) => `${field.name}: ${valueText(making, field.type, depth - 1)}`).join(', ')}}`
  }
  return scalarText(making, type.name)
}

function scalarText({ make, known, isValid }: Making, name: string): string {
  switch (name) {
    case 'Int':
      return String(make(fc.integer({ min: -3, max: 70 })))
    case 'Float':
      return String(make(fc.double({ min: -10, max: 1e6, noNaN: true })))
    case 'Boolean':
      return String(make(fc.boolean()))
    case 'DateTime':
    case 'Date':
      return JSON.stringify(
        make(fc.constantFrom('2026-11-22T08:00:00.000Z', '2026-11-22', '2026-12-01T10:00:00+05:30', '1999-01-01T00:00:00Z')),
      )
    default:
      if (isValid && make(fc.nat(9)) > 0) return JSON.stringify(make(fc.constantFrom(...known)))
      return JSON.stringify(make(fc.oneof(fc.constantFrom(...known), fc.uuid(), fc.string({ maxLength: 20 }), wildTexts)).toWellFormed())
  }
}

function wildLiteral(make: Make): string {
  return make(
    fc.constantFrom(
      'null',
      '""',
      '-1',
      '99999999999',
      '1e400',
      'UNKNOWN',
      '[]',
      '[[[]]]',
      '{}',
      '{a: {b: 1}}',
      '"\\u0000"',
      '$missing',
      '""" x """',
    ),
  )
}

function damagedText(make: Make, text: string): string {
  const at = make(fc.nat(text.length))
  const piece = make(
    fc.constantFrom('', '{', '}', '(', ')', '"', '...', '@', '$', '#', '\u0000', '!', ': ', '... { __typename }', '... on Nothing { x }'),
  )
  return text.slice(0, at) + piece + text.slice(at + make(fc.nat(3)))
}
