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
type Making = { readonly make: Make; readonly schema: GraphQLSchema; readonly known: readonly string[] }

export type Operation = { readonly query: string; readonly sender: 'manager' | 'agent' | 'stranger' | 'nobody' }

/**
 * Operations of the schema: up to three root fields, arguments that are valid or nearly so, selections up to four levels, with aliases,
 * fragments and conditions; some with a damaged text.
 */
export function graphqlOperations(schema: GraphQLSchema, known: readonly string[]): fc.Arbitrary<Operation> {
  return fc.gen().map((generate) => {
    const make: Make = (arbitrary) => generate(() => arbitrary)
    const making: Making = { make, schema, known }
    const kind = make(fc.constantFrom('query', 'query', 'query', 'mutation'))
    const root = kind === 'query' ? schema.getQueryType() : schema.getMutationType()
    const count = make(fc.integer({ min: 1, max: 3 }))
    const fields = root ? Array.from({ length: count }, (_, index) => rootField(making, root, index)) : []
    const text = `${kind} Fuzz {\n${fields.join('\n')}\n}`
    return {
      query: make(fc.nat(9)) === 0 ? damagedText(make, text) : text,
      sender: make(fc.constantFrom('manager', 'manager', 'agent', 'agent', 'stranger', 'nobody')),
    }
  })
}

function rootField(making: Making, root: GraphQLObjectType, index: number): string {
  const field = making.make(fc.constantFrom(...Object.values(root.getFields())))
  return `f${index}: ${fieldText(making, field, 4)}`
}

function fieldText(making: Making, field: GraphQLField<unknown, unknown>, depth: number): string {
  const condition = making.make(fc.nat(30))
  const directive = condition === 0 ? ' @skip(if: true)' : condition === 1 ? ' @include(if: true)' : condition === 2 ? ' @unknown' : ''
  return `${field.name}${argumentsText(making, field.args)}${directive}${selectionOf(making, getNamedType(field.type), depth)}`
}

function selectionOf(making: Making, type: GraphQLNamedType, depth: number): string {
  if (isLeafType(type)) return making.make(fc.nat(40)) === 0 ? ' { x }' : ''
  if (isUnionType(type))
    return ` { __typename ${type
      .getTypes()
      .map((one) => `... on ${one.name}${selectionOf(making, one, depth - 1)}`)
      .join(' ')} }`
  if (!isObjectType(type) && !isInterfaceType(type)) return ''
  const fields = Object.values(type.getFields()).filter(({ type: inner }) => depth > 1 || isLeafType(getNamedType(inner)))
  const chosen = fields.length === 0 ? [] : making.make(fc.subarray(fields, { maxLength: Math.min(4, fields.length) }))
  const texts = chosen.map((field) => {
    const alias = making.make(fc.nat(6)) === 0 ? `a${making.make(fc.nat(3))}: ` : ''
    return alias + fieldText(making, field, depth - 1)
  })
  return ` { __typename ${texts.join(' ')} }`
}

function argumentsText(making: Making, args: readonly GraphQLArgument[]): string {
  const texts = args.flatMap((arg) => {
    const isLeftOut = making.make(fc.nat(isNonNullType(arg.type) ? 30 : 1)) === 0
    return isLeftOut ? [] : [`${arg.name}: ${valueText(making, arg.type, 3)}`]
  })
  if (making.make(fc.nat(40)) === 0) texts.push('unexpected: 1')
  return texts.length === 0 ? '' : `(${texts.join(', ')})`
}

function valueText(making: Making, type: GraphQLInputType, depth: number): string {
  const { make } = making
  if (isNonNullType(type)) return make(fc.nat(40)) === 0 ? 'null' : valueText(making, type.ofType, depth)
  if (make(fc.nat(15)) === 0) return wildLiteral(make)
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

function scalarText({ make, known }: Making, name: string): string {
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
