import { getNullableType, isInputObjectType, isListType } from 'graphql'
import { AppError, type FieldFault, invalidFields, maxErrors } from '../../kernel/errors.ts'
import { bodyFault } from '../http/json-body.ts'
import { type BoundArgument, wholeBody } from './bound-argument.ts'
import type { BoundRow } from './bound-row.ts'
import { inputFaults, isObject, objectFaults } from '../graphql/input-faults.ts'
import { valueOfTexts } from './text-values.ts'

/** The parts of a request that a row can read. */
export type RestRequest = {
  readonly path: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** The version in `If-Match`. Null if there is none. */
  readonly ifMatch: string | null
  /** The JSON body. Undefined if the request has none. */
  readonly body: unknown
}

type Variables = Record<string, unknown>

/** The operation's variables, from all parts of the request. Throws INVALID_INPUT, which names every invalid field. */
export function variablesOf({ bound: all, constants }: BoundRow, request: RestRequest): Variables {
  const body = request.body === undefined ? {} : request.body
  if (!isObject(body)) throw new AppError('INVALID_INPUT', bodyFault('must be a JSON object'))
  const variables: Variables = { ...constants }
  const faults: FieldFault[][] = [unknownParts(all, { query: request.query, body })]
  for (const argument of all) {
    const value = valueOf(argument, { request, body })
    faults.push([...faultsIn(argument, { value, all })])
    if (value !== undefined) assign(variables, argument, value)
  }
  if (faults.some((some) => some.length > 0)) throw invalidFields(faults.flat())
  return variables
}

function valueOf({ from, type, required }: BoundArgument, { request, body }: { request: RestRequest; body: Readonly<Variables> }): unknown {
  if (from.in === 'body') {
    if (from.name !== wholeBody) return Object.hasOwn(body, from.name) ? body[from.name] : undefined
    return request.body === undefined && !required ? undefined : body
  }
  const texts = from.in === 'query' ? request.query.getAll(from.name) : [from.in === 'path' ? request.path[from.name] : request.ifMatch]
  const given = texts.filter((text) => typeof text === 'string')
  return given.length === 0 ? undefined : valueOfTexts(given, type)
}

function faultsIn(
  { variable, from, type, required }: BoundArgument,
  { value, all }: { value: unknown; all: readonly BoundArgument[] },
): readonly FieldFault[] {
  if (value === undefined) return required ? [{ path: from.name, message: 'is required' }] : []
  const input = getNullableType(type)
  if (from.in === 'query' && Array.isArray(value) && !isListType(input)) return [{ path: from.name, message: 'is given more than once' }]
  if (from.in !== 'body' || from.name !== wholeBody || !isInputObjectType(input) || !isObject(value)) {
    return inputFaults(value, type, from.name)
  }
  const elsewhere = all.filter((other) => other.variable === variable).map(({ field }) => field)
  const fields = Object.values(input.getFields()).filter(({ name }) => !elsewhere.includes(name))
  return elsewhere.length > 1 ? objectFaults(value, fields, '') : inputFaults(value, input, '')
}

function assign(variables: Variables, { variable, field }: BoundArgument, value: unknown): void {
  if (field === null) variables[variable] = value
  else variables[variable] = { ...(isObject(variables[variable]) ? variables[variable] : {}), [field]: value }
}

/** Fields and parameters that the row does not have. They are refused, because they are probably misspelt. */
function unknownParts(all: readonly BoundArgument[], { query, body }: { query: URLSearchParams; body: Readonly<Variables> }): FieldFault[] {
  const takes = (place: 'body' | 'query', name: string): boolean => all.some(({ from }) => from.in === place && from.name === name)
  const inBody = takes('body', wholeBody) ? [] : Object.keys(body).filter((name) => !takes('body', name))
  const inQuery = [...new Set(query.keys())].filter((name) => !takes('query', name))
  return [
    ...inBody.slice(0, maxErrors).map((path) => ({ path, message: 'is not a known field' })),
    ...inQuery.slice(0, maxErrors).map((path) => ({ path, message: 'is not a known query parameter' })),
  ]
}
