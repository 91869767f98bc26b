import { getNullableType, type GraphQLInputType, type InputValueDefinitionNode, isInputObjectType, isListType } from 'graphql'
import { type FieldFault, maxErrors } from '../../../kernel/errors.ts'
import { isObject } from '../input-faults.ts'
import { type InputLimit, limitOf } from './input-limit.ts'

type Input = {
  readonly type: GraphQLInputType
  readonly astNode?: InputValueDefinitionNode | null | undefined
}

/** What is over a limit in the arguments of a root field, after graphql's coercion; at most 50, each with its path. No message contains a value. */
export function limitFaults(inputs: Readonly<Record<string, Input>>, values: Readonly<Record<string, unknown>>): readonly FieldFault[] {
  const faults: FieldFault[] = []
  collectMembers(faults, { inputs: Object.entries(inputs), values, at: '' })
  return faults.slice(0, maxErrors)
}

type Members = {
  readonly inputs: readonly (readonly [string, Input])[]
  readonly values: Readonly<Record<string, unknown>>
  readonly at: string
}

function collectMembers(faults: FieldFault[], { inputs, values, at }: Members): void {
  for (const [name, { type, astNode }] of inputs) {
    if (faults.length >= maxErrors) return
    collect(faults, { value: values[name], type, limit: limitOf(astNode), path: at + name })
  }
}

type Place = { readonly value: unknown; readonly type: GraphQLInputType; readonly limit: InputLimit | null; readonly path: string }

function collect(faults: FieldFault[], { value, type, limit, path }: Place): void {
  const named = getNullableType(type)
  if (value === null || value === undefined) return
  if (isListType(named) && Array.isArray(value)) {
    const message = limit && countFault(value.length, limit)
    if (message) return void faults.push({ path, message })
    for (const [index, item] of value.entries()) {
      if (faults.length >= maxErrors) return
      collect(faults, { value: item, type: named.ofType, limit, path: `${path}.${index}` })
    }
  } else if (isInputObjectType(named) && isObject(value)) {
    collectMembers(faults, { inputs: Object.entries(named.getFields()), values: value, at: `${path}.` })
  } else {
    const message = limit && valueFault(value, limit)
    if (message) faults.push({ path, message })
  }
}

function countFault(count: number, { minItems = 0, maxItems = Number.POSITIVE_INFINITY }: InputLimit): string | null {
  if (count >= minItems && count <= maxItems) return null
  return minItems > 0 ? `must have ${minItems} to ${maxItems} entries` : `must have at most ${maxItems} entries`
}

function valueFault(value: unknown, limit: InputLimit): string | null {
  if (typeof value === 'string') return textFault(value, limit)
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = limit
  return typeof value === 'number' && (value < minimum || value > maximum) ? `must be ${minimum} to ${maximum}` : null
}

function textFault(text: string, { form, minLength, maxLength = Number.POSITIVE_INFINITY }: InputLimit): string | null {
  const length = lengthOf(text, maxLength)
  if (length === 0 && minLength > 0) return 'must not be empty'
  if (minLength === maxLength && length !== maxLength) return form.message
  if (length > maxLength) return `must have at most ${maxLength} characters`
  if (length < minLength) return minLength === 1 ? 'must not be empty' : `must have at least ${minLength} characters`
  return form.pattern.test(text) ? null : form.message
}

/** In code points, as JSON Schema counts. They are counted only if that decides. */
function lengthOf(text: string, most: number): number {
  if (text.length <= most || text.length > 2 * most) return text.length
  let count = 0
  for (const _ of text) count += 1
  return count
}
