import {
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLLeafType,
  GraphQLError,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql'
import { type FieldFault, maxErrors } from '../../kernel/errors.ts'

/**
 * The faults of a value for this type, each with its path, in terms of JSON instead of GraphQL; at most 50. Empty if and only if graphql's own
 * coercion accepts the value. No message contains the value, because it may be a secret, or as large as the request.
 */
export function inputFaults(value: unknown, type: GraphQLInputType, path: string): readonly FieldFault[] {
  const faults: FieldFault[] = []
  collect(faults, { value, type, path })
  return faults
}

/** As `inputFaults`, for an object that may have only these fields. */
export function objectFaults(
  value: Readonly<Record<string, unknown>>,
  fields: readonly GraphQLInputField[],
  path: string,
): readonly FieldFault[] {
  const faults: FieldFault[] = []
  collectFields(faults, { value, fields, path })
  return faults
}

type Place<Value = unknown> = { readonly value: Value; readonly path: string }

function collect(faults: FieldFault[], { value, type, path }: Place & { readonly type: GraphQLInputType }): void {
  if (faults.length >= maxErrors) return
  if (isNonNullType(type)) {
    if (value === null || value === undefined) faults.push(fault(path, 'is required'))
    else collect(faults, { value, type: type.ofType, path })
  } else if (value === null || value === undefined) {
    return
  } else if (isListType(type)) {
    if (Array.isArray(value))
      for (const [index, item] of value.entries()) collect(faults, { value: item, type: type.ofType, path: under(path, String(index)) })
    else collect(faults, { value, type: type.ofType, path })
  } else if (!isInputObjectType(type)) {
    const found = leafFault(value, type, path)
    if (found) faults.push(found)
  } else if (isObject(value)) {
    collectFields(faults, { value, fields: Object.values(type.getFields()), path })
    if (type.isOneOf && !hasOne(value)) faults.push(fault(path, `must have exactly one of ${Object.keys(type.getFields()).join(', ')}`))
  } else {
    faults.push(fault(path, 'must be an object'))
  }
}

type Fields = Place<Readonly<Record<string, unknown>>> & { readonly fields: readonly GraphQLInputField[] }

function collectFields(faults: FieldFault[], { value, fields, path }: Fields): void {
  for (const { name, type, defaultValue } of fields) {
    const given = Object.hasOwn(value, name) ? value[name] : undefined
    if (given !== undefined || defaultValue === undefined) collect(faults, { value: given, type, path: under(path, name) })
  }
  const known = new Set(fields.map(({ name }) => name))
  for (const name of Object.keys(value)) {
    if (faults.length >= maxErrors) return
    if (!known.has(name)) faults.push(fault(under(path, name), 'is not a known field'))
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function hasOne(value: Readonly<Record<string, unknown>>): boolean {
  const given = Object.values(value)
  return given.length === 1 && given[0] !== null
}

const requirements: Readonly<Record<string, string>> = {
  String: 'must be a string',
  ID: 'must be a string',
  Int: 'must be a whole number of at most 32 bits',
  Float: 'must be a number',
  Boolean: 'must be true or false',
}

function leafFault(value: unknown, type: GraphQLLeafType, path: string): FieldFault | null {
  try {
    return type.parseValue(value) === undefined ? fault(path, 'is not valid') : null
  } catch (error) {
    if (isEnumType(type)) {
      const allowed = type.getValues().map(({ name }) => name)
      return { ...fault(path, `must be one of ${allowed.join(', ')}`), allowed }
    }
    return fault(path, requirements[type.name] ?? (error instanceof GraphQLError ? error.message : 'is not valid'))
  }
}

function fault(path: string, message: string): FieldFault {
  return { path: path === '' ? 'body' : path, message }
}

function under(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}
