import { badArguments, dataError, type PlatformError } from './errors.ts'
import type { ScalarType } from './field-types.ts'
import { isJsonObject, textOf } from './json.ts'
import { likeTest } from './like.ts'
import { invalidChoice, patternOf, type Place, scalarKinds } from './scalar-kinds.ts'

/** SQL's three truths: true, false, and null for unknown. */
export type Verdict = boolean | null

type Test = (value: unknown) => Verdict
type OperatorUse = { readonly type: ScalarType; readonly place: Place; readonly operator: string; readonly operand: unknown }

/** The one operator of a condition, on one value of a record; absent values come as null. */
export function compileCondition(type: ScalarType, place: Place, condition: unknown): Test {
  const refuse = (message: string, friendly: string) => badArguments('INVALID_ARGS_FILTER', message, `Invalid filter: ${friendly}`)
  if (!isJsonObject(condition)) throw refuse(`Filter value for field "${place.path}" must be an object`, 'filter value must be an object')
  const [given, ...more] = Object.entries(condition)
  if (!given || more.length > 0) {
    throw refuse(`Filter for field "${place.path}" must have exactly one operator`, 'exactly one operator per field is required')
  }
  const [operator, operand] = given
  return compileOperator({ type, place, operator, operand })
}

function compileOperator(use: OperatorUse): Test {
  const { operator, operand, type, place } = use
  if (!scalarKinds[type].operators.includes(operator)) throw unknownOperator(use)
  switch (operator) {
    case 'is':
      return isTest(operand)
    case 'isEmptyArray':
      if (type === 'SELECT') return invalidChoice('{}', place)
      return (value) => (value === null ? null : Array.isArray(value) && value.length === 0)
    case 'in':
      return among(operandsOf(use))
    case 'containsAny':
      return containsAny(use)
    case 'containsIlike':
      return containsLike(likeTest(patternOf(operand), true))
    case 'like':
    case 'ilike':
      return onText(likeTest(patternOf(operand), operator === 'ilike'))
    case 'startsWith':
      return onText((text) => text.startsWith(patternOf(operand)))
    case 'endsWith':
      return onText((text) => text.endsWith(patternOf(operand)))
    case 'search':
      return () => false
    default:
      return compare(use)
  }
}

function unknownOperator({ place: { path }, type, operator }: OperatorUse): PlatformError {
  return badArguments(
    'INVALID_ARGS_FILTER',
    `Operator "${operator}" is not valid for field "${path}" of type ${type} - Allowed operators: ${scalarKinds[type].operators.join(', ')}`,
    `Invalid filter : Operator "${operator}" is not valid for this "${path}" ${type} field`,
  )
}

function isTest(operand: unknown): Test {
  if (operand === 'NULL') return isEmpty
  if (operand === 'NOT_NULL') return (value) => !isEmpty(value)
  const message = 'Invalid filter value for "is" operator. Expected "NULL" or "NOT_NULL"'
  throw badArguments('INVALID_ARGS_FILTER', message, 'Invalid value for "is" operator')
}

function isEmpty(value: unknown): boolean {
  return value === null || value === ''
}

function among(values: readonly unknown[]): Test {
  const wanted = new Set(values)
  return (value) => (value === null ? null : wanted.has(value))
}

function operandsOf(use: OperatorUse): unknown[] {
  const { operand, place } = use
  if (!Array.isArray(operand) || operand.length === 0) {
    const message = `Invalid filter value for field ${place.path}. Expected non-empty array`
    throw badArguments('INVALID_QUERY_INPUT', message, 'Invalid filter value: ""')
  }
  return operand.map((value) => checked(use, value))
}

function containsAny({ operand, place, type }: OperatorUse): Test {
  if (!Array.isArray(operand)) {
    const message = `Filter operator "containsAny" requires an array value for field ${place.path}`
    throw badArguments('INVALID_ARGS_FILTER', message, 'Invalid filter: "containsAny" operator requires an array')
  }
  if (type === 'SELECT') throw dataError()
  const wanted = new Set(operand)
  return (value) => Array.isArray(value) && value.some((item) => wanted.has(item))
}

/** The operand in the form in which records hold such values. */
function checked({ type, place }: OperatorUse, operand: unknown): unknown {
  return operand === null ? null : scalarKinds[type].operand(operand, place)
}

function compare(use: OperatorUse): Test {
  const { operator, type, place } = use
  const operand = checked(use, use.operand)
  if (operator === 'eq' && type === 'TEXT' && !operand) return isEmpty
  if (operator === 'neq' && operand === '') return (value) => !isEmpty(value)
  if (operand === null) return () => null
  const rank = rankOf(type, place.options)
  return (value) => {
    if (operator === 'eq') return value === null ? null : value === operand
    if (operator === 'neq') return value === null ? null : value !== operand
    const order = orderOf(rank(value), rank(operand))
    if (order === null) return null
    if (operator === 'gt') return order > 0
    if (operator === 'gte') return order >= 0
    return operator === 'lt' ? order < 0 : order <= 0
  }
}

/** What decides the order of values of a kind: of choices, their place in the list of options. */
export function rankOf(type: ScalarType, options: readonly string[] = []): (value: unknown) => unknown {
  return type === 'SELECT' ? (value) => (value === null ? null : options.indexOf(textOf(value))) : (value) => value
}

/** The order of two values of one type; null if they cannot be compared. Lists come before objects, as in jsonb. */
export function orderOf(left: unknown, right: unknown): number | null {
  if (typeof left === 'number' && typeof right === 'number') return left - right
  if (typeof left === 'string' && typeof right === 'string') return left < right ? -1 : Number(left > right)
  if (typeof left === 'boolean' && typeof right === 'boolean') return Number(left) - Number(right)
  if (Array.isArray(left) && Array.isArray(right)) return orderOf(left.join('\0'), right.join('\0'))
  if (Array.isArray(left) || Array.isArray(right)) return Array.isArray(left) ? -1 : 1
  return null
}

function onText(test: (text: string) => boolean): Test {
  return (value) => (value === null ? null : test(textOf(value)))
}

function containsLike(test: (text: string) => boolean): Test {
  return (value) => Array.isArray(value) && value.some((item) => test(textOf(item)))
}
