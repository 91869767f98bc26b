import { badArguments, type PlatformError } from './errors.ts'
import { operatorsOf, type ScalarType } from './field-types.ts'
import { isUuid, textOf } from './json.ts'
import { likeTest } from './like.ts'

/** SQL's three truths: true, false, and null for unknown. */
export type Verdict = boolean | null

type OperatorUse = { readonly name: string; readonly type: ScalarType; readonly operator: string; readonly operand: unknown }

/** One operator on one value of a record; absent values come as null. */
export function compileOperator(use: OperatorUse): (value: unknown) => Verdict {
  const { operator, operand, type } = use
  if (!operatorsOf[type].includes(operator)) throw unknownOperator(use)
  switch (operator) {
    case 'is':
      return operand === 'NULL' ? isEmpty : (value) => !isEmpty(value)
    case 'isEmptyArray':
      return (value) => (Array.isArray(value) && value.length > 0) !== (operand === true)
    case 'in':
      return among(operands(use))
    case 'containsAny': {
      const wanted = new Set(operands(use))
      return (value) => Array.isArray(value) && value.some((item) => wanted.has(item))
    }
    case 'containsIlike':
      return containsLike(likeTest(textOf(operand), true))
    case 'like':
    case 'ilike':
      return onText(likeTest(textOf(operand), operator === 'ilike'))
    case 'startsWith':
      return onText((text) => text.startsWith(textOf(operand)))
    case 'endsWith':
      return onText((text) => text.endsWith(textOf(operand)))
    case 'search':
      return () => false
    default:
      return compare(operator, canonical(use, operand))
  }
}

function unknownOperator({ name, type, operator }: OperatorUse): PlatformError {
  return badArguments(
    'INVALID_ARGS_FILTER',
    `Operator "${operator}" is not valid for field "${name}" of type ${type} - Allowed operators: ${operatorsOf[type].join(', ')}`,
    `Invalid filter : Operator "${operator}" is not valid for this "${name}" ${type} field`,
  )
}

function isEmpty(value: unknown): boolean {
  return value === null || value === ''
}

function among(values: readonly unknown[]): (value: unknown) => Verdict {
  const wanted = new Set(values)
  return (value) => (value === null ? null : wanted.has(value))
}

function operands(use: OperatorUse): unknown[] {
  const { operand } = use
  const values: unknown[] = Array.isArray(operand) ? operand : [operand]
  if (values.length === 0) {
    const message = `Invalid filter value for field ${use.name}. Expected non-empty array`
    throw badArguments('INVALID_QUERY_INPUT', message, 'Invalid filter value: ""')
  }
  return values.map((value) => canonical(use, value))
}

/** The operand in the form in which records hold such values. */
function canonical({ name, type }: OperatorUse, operand: unknown): unknown {
  if (operand === null) return null
  if (type === 'UUID') {
    if (isUuid(operand)) return operand.toLowerCase()
    const text = textOf(operand)
    throw badArguments('INVALID_ARGS_FILTER', `Invalid UUID value '${text}' for field "${name}"`, `Invalid value for UUID: "'${text}'"`)
  }
  if (type === 'DATE_TIME' && typeof operand === 'string') {
    const moment = new Date(operand)
    if (!Number.isNaN(moment.getTime())) return moment.toISOString()
    throw badArguments('INVALID_ARGS_FILTER', `Invalid date-time value '${operand}' for field "${name}"`)
  }
  return operand
}

function compare(operator: string, operand: unknown): (value: unknown) => Verdict {
  if (operator === 'eq') return operand === '' || operand === null ? isEmpty : (value) => (value === null ? null : value === operand)
  if (operator === 'neq') {
    return operand === '' || operand === null ? (value) => !isEmpty(value) : (value) => (value === null ? null : value !== operand)
  }
  return (value) => {
    const order = orderOf(value, operand)
    if (order === null) return null
    if (operator === 'gt') return order > 0
    if (operator === 'gte') return order >= 0
    return operator === 'lt' ? order < 0 : order <= 0
  }
}

/** The order of two values of one type; null if they cannot be compared. */
export function orderOf(left: unknown, right: unknown): number | null {
  if (typeof left === 'number' && typeof right === 'number') return left - right
  if (typeof left === 'string' && typeof right === 'string') return left < right ? -1 : Number(left > right)
  if (typeof left === 'boolean' && typeof right === 'boolean') return Number(left) - Number(right)
  return null
}

function onText(test: (text: string) => boolean): (value: unknown) => Verdict {
  return (value) => {
    if (value === null) return null
    return test(textOf(value))
  }
}

function containsLike(test: (text: string) => boolean): (value: unknown) => Verdict {
  return (value) => Array.isArray(value) && value.some((item) => test(textOf(item)))
}
