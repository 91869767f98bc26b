import {
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLLeafType,
  GraphQLError,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql'
import type { FieldFault } from '../../kernel/errors.ts'

/**
 * The faults of a value for this type, each with its path, in terms of JSON instead of GraphQL. Empty if and only if graphql's own coercion
 * accepts the value. No message contains the value, because it may be a secret.
 */
export function inputFaults(value: unknown, type: GraphQLInputType, path: string): readonly FieldFault[] {
  if (isNonNullType(type))
    return value === null || value === undefined ? [fault(path, 'is required')] : inputFaults(value, type.ofType, path)
  if (value === null || value === undefined) return []
  if (isListType(type)) {
    const { ofType } = type
    return Array.isArray(value)
      ? value.flatMap((item, index) => inputFaults(item, ofType, under(path, String(index))))
      : inputFaults(value, ofType, path)
  }
  if (!isInputObjectType(type)) return leafFaults(value, type, path)
  if (!isObject(value)) return [fault(path, 'must be an object')]
  return [...objectFaults(value, Object.values(type.getFields()), path), ...oneOfFaults(value, type, path)]
}

/** As `inputFaults`, for an object that may have only these fields. */
export function objectFaults(value: Readonly<Record<string, unknown>>, fields: readonly GraphQLInputField[], path: string): FieldFault[] {
  const known = new Set(fields.map(({ name }) => name))
  const unknown = Object.keys(value).filter((name) => !known.has(name))
  return [
    ...fields.flatMap(({ name, type, defaultValue }) => {
      const given = Object.hasOwn(value, name) ? value[name] : undefined
      return given === undefined && defaultValue !== undefined ? [] : inputFaults(given, type, under(path, name))
    }),
    ...unknown.map((name) => fault(under(path, name), 'is not a known field')),
  ]
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function oneOfFaults(value: Readonly<Record<string, unknown>>, type: GraphQLInputObjectType, path: string): FieldFault[] {
  if (!type.isOneOf) return []
  const given = Object.keys(value)
  if (given.length === 1 && given.every((name) => value[name] !== null)) return []
  return [fault(path, `must have exactly one of ${Object.keys(type.getFields()).join(', ')}`)]
}

const requirements: Readonly<Record<string, string>> = {
  String: 'must be a string',
  ID: 'must be a string',
  Int: 'must be a whole number of at most 32 bits',
  Float: 'must be a number',
  Boolean: 'must be true or false',
}

function leafFaults(value: unknown, type: GraphQLLeafType, path: string): FieldFault[] {
  try {
    if (type.parseValue(value) !== undefined) return []
  } catch (error) {
    if (isEnumType(type)) {
      const allowed = type.getValues().map(({ name }) => name)
      return [{ ...fault(path, `must be one of ${allowed.join(', ')}`), allowed }]
    }
    return [fault(path, requirements[type.name] ?? (error instanceof GraphQLError ? error.message : 'is not valid'))]
  }
  return [fault(path, 'is not valid')]
}

function fault(path: string, message: string): FieldFault {
  return { path: path === '' ? 'body' : path, message }
}

function under(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}
