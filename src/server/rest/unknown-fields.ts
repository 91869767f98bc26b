import { getNullableType, type GraphQLInputField, type GraphQLInputType, isInputObjectType, isListType } from 'graphql'
import { wholeBody } from './bound-argument.ts'
import type { BoundRow } from './bound-row.ts'
import { isObject } from '../graphql/input-faults.ts'

/** `ignored`: the paths of the fields that were left out. */
export type KnownFields = { readonly body: unknown; readonly ignored: readonly string[] }

/** The body without the fields that the row does not have, at any depth. */
export function withoutUnknownFields({ bound }: BoundRow, body: unknown): KnownFields {
  const fromBody = bound.filter(({ from }) => from.in === 'body')
  const whole = fromBody.find(({ from }) => from.name === wholeBody)
  if (!whole) {
    return withFields(body, new Map(fromBody.map(({ from, type }) => [from.name, type])), '')
  }
  const elsewhere = new Set(bound.flatMap(({ variable, field }) => (variable === whole.variable && field !== null ? [field] : [])))
  const input = getNullableType(whole.type)
  if (!isInputObjectType(input)) return { body, ignored: [] }
  const fields = Object.values(input.getFields()).filter(({ name }) => !elsewhere.has(name))
  return withFields(body, typesOf(fields), '')
}

function withFields(value: unknown, types: ReadonlyMap<string, GraphQLInputType>, path: string): KnownFields {
  if (!isObject(value)) return { body: value, ignored: [] }
  const ignored: string[] = []
  const known = Object.entries(value).flatMap(([name, part]): [string, unknown][] => {
    const type = types.get(name)
    if (!type) {
      ignored.push(path + name)
      return []
    }
    const deeper = ofType(part, type, `${path}${name}.`)
    for (const name of deeper.ignored) ignored.push(name)
    return [[name, deeper.body]]
  })
  return { body: Object.fromEntries(known), ignored }
}

function ofType(value: unknown, type: GraphQLInputType, path: string): KnownFields {
  const named = getNullableType(type)
  if (isInputObjectType(named)) return withFields(value, typesOf(Object.values(named.getFields())), path)
  if (!isListType(named) || !Array.isArray(value)) return { body: value, ignored: [] }
  const items = value.map((item: unknown, index) => ofType(item, named.ofType, `${path}${index}.`))
  return { body: items.map(({ body }) => body), ignored: items.flatMap(({ ignored }) => ignored) }
}

function typesOf(fields: readonly GraphQLInputField[]): ReadonlyMap<string, GraphQLInputType> {
  return new Map(fields.map(({ name, type }) => [name, type]))
}
