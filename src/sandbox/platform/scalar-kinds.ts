import { inspect } from 'node:util'
import { dayOf, momentOf, strictMomentOf } from './dates.ts'
import { badArguments, crash, dataError, platformError } from './errors.ts'
import type { ScalarType } from './field-types.ts'
import { isUuid, textOf } from './json.ts'

/** Where a value is: `phones.primaryPhoneNumber` in data or in a filter; for choices their values and the name of their type. */
export type Place = {
  readonly path: string
  readonly subCode: 'INVALID_ARGS_DATA' | 'INVALID_ARGS_FILTER'
  readonly options?: readonly string[]
  readonly enumName?: string
}

/** Checks a value that is not null and gives it as records hold it. Throws the platform's error. */
type Rule = (value: unknown, place: Place) => unknown

type ScalarKind = {
  /** The names of the GraphQL type and of the input that filters it. */
  readonly graphqlName: string
  readonly filterName: string
  /** In the order in which the platform's error message lists them. */
  readonly operators: readonly string[]
  /** What a value that was never written reads as. */
  readonly empty: unknown
  /** For a value that is written, and for the operand of a filter. */
  readonly write: Rule
  readonly operand: Rule
}

const comparing = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'in', 'is']
/** What most kinds have in common. */
const plain = (graphqlName: string, filterName = `${graphqlName}Filter`) => ({ graphqlName, filterName, operators: comparing, empty: null })
const list = (...operators: readonly string[]) => ({ ...plain('[String]', 'ArrayFilter'), operators, empty: [], operand: textOf })

/** Everything that is particular to a kind of field. */
export const scalarKinds: Readonly<Record<ScalarType, ScalarKind>> = {
  TEXT: {
    ...plain('String'),
    operators: [...comparing, 'like', 'ilike', 'startsWith', 'endsWith'],
    empty: '',
    write: (value, place) => storable(stringOf(value, place)) || null,
    operand: patternOf,
  },
  UUID: { ...plain('UUID'), write: uuidOf, operand: uuidOf },
  NUMBER: {
    ...plain('Float'),
    write: (value, place) => (typeof value === 'number' ? value : invalidNumber(value, place)),
    operand: numberOf,
  },
  NUMERIC: { ...plain('BigFloat'), write: numberOf, operand: numberOf },
  BOOLEAN: {
    ...plain('Boolean'),
    operators: ['eq', 'is'],
    write: booleanOf,
    operand: (value, place) => (value === 'true' || value === 'false' ? value === 'true' : booleanOf(value, place)),
  },
  DATE_TIME: {
    ...plain('DateTime'),
    write: (value, place) => momentOf(value) ?? invalidDate(value, place, 'date-time'),
    operand: (value, place) => strictMomentOf(value) ?? invalidDate(value, place, 'date-time'),
  },
  DATE: { ...plain('Date'), write: dateOf, operand: dateOf },
  SELECT: {
    ...plain('String'),
    operators: [...comparing.slice(0, -1), 'containsAny', 'is', 'isEmptyArray'],
    write: chosenOf,
    operand: (value, place) => (place.options?.includes(textOf(value)) ? value : invalidChoice(textOf(value), place)),
  },
  MULTI_SELECT: { ...list('containsAny', 'is', 'isEmptyArray'), write: choicesOf },
  ARRAY: {
    ...list('containsIlike', 'is', 'isEmptyArray'),
    write: (value, place) => filled(stringsOf(value, place).map(storable)),
  },
  RAW_JSON: {
    ...plain('JSON', 'RawJsonFilter'),
    operators: ['is', 'like'],
    write: (value, place) => filled(documentOf(value, place)),
    operand: textOf,
  },
  POSITION: {
    ...plain('Position', 'FloatFilter'),
    write: (value, place) => {
      if (typeof value === 'number' || value === 'first' || value === 'last') return value
      return refuse(place, `Invalid position value ${inspect(value)} for field "${place.path}"`, `position: "${inspect(value)}"`)
    },
    operand: numberOf,
  },
  TS_VECTOR: {
    ...plain('TSVector'),
    operators: ['eq', 'search'],
    write: (_value, { path }) => {
      throw badArguments('INVALID_ARGS_DATA', `${path} TS_VECTOR-typed field does not support write operations`)
    },
    operand: textOf,
  },
}

/** Refuses a value; the text for users begins alike for every kind. */
function refuse({ subCode }: Place, message: string, wrong: string): never {
  throw badArguments(subCode, message, `Invalid value${wrong.startsWith(':') ? '' : ' for '}${wrong}`)
}

/** A text to compare with. Without a value, as of a variable that was not sent, the platform's answer is not known. */
export function patternOf(value: unknown): string {
  if (value === undefined) throw dataError()
  return storable(textOf(value))
}

/** Texts as PostgreSQL can store them: no NUL, no half of a surrogate pair. */
function storable(text: string): string {
  if (text.includes('\0')) throw dataError()
  return text.toWellFormed()
}

function stringOf(value: unknown, place: Place): string {
  if (typeof value === 'string') return value
  return refuse(place, `Invalid string value ${inspect(value)} for text field "${place.path}"`, `: "${inspect(value)}"`)
}

function uuidOf(value: unknown, place: Place): string {
  if (isUuid(value)) return value.toLowerCase()
  return refuse(place, `Invalid UUID value ${inspect(value)} for field "${place.path}"`, `UUID: "${inspect(value)}"`)
}

function numberOf(value: unknown, place: Place): number {
  const number = typeof value === 'number' || (typeof value === 'string' && value !== '') ? Number(value) : Number.NaN
  return Number.isNaN(number) ? invalidNumber(number, place) : number
}

function invalidNumber(value: unknown, place: Place): never {
  return refuse(place, `Invalid number value ${inspect(value)} for field "${place.path}"`, `number: "${inspect(value)}"`)
}

function booleanOf(value: unknown, place: Place): boolean {
  if (typeof value === 'boolean') return value
  return refuse(place, `Invalid boolean value ${inspect(value)} for field "${place.path}"`, `: "${inspect(value)}"`)
}

function dateOf(value: unknown, place: Place): string {
  return dayOf(value) ?? invalidDate(value, place, 'date')
}

function invalidDate(value: unknown, place: Place, kind: 'date' | 'date-time'): never {
  const form = `Expected format: '${kind === 'date' ? 'YYYY-MM-DD' : 'YYYY-MM-DDTHH:mm:ssZ'}'`
  return refuse(
    place,
    `Invalid value ${inspect(value)} for ${kind} field "${place.path}". ${form}`,
    `${kind}: "${inspect(value)}". ${form}`,
  )
}

function chosenOf(value: unknown, place: Place): string {
  const text = stringOf(value, place)
  const { path, options = [] } = place
  if (options.includes(text)) return text
  const message = `Invalid value "${text}" for field "${path}". Valid values are: ${options.join(', ')}`
  throw badArguments('INVALID_ARGS_DATA', message, `Invalid value for field "${path}"`)
}

/** PostgreSQL itself refuses an unknown choice in a filter. */
export function invalidChoice(text: string, { enumName = '' }: Place): never {
  const message = `invalid input value for enum workspace.${enumName}: "${text}"`
  throw platformError(message, 'BAD_USER_INPUT', { friendly: 'Invalid input provided.' })
}

function stringsOf(value: unknown, place: Place): string[] {
  const items: unknown[] = Array.isArray(value) ? value : [value]
  const texts = items.filter((item) => typeof item === 'string')
  if (texts.length === items.length) return texts
  const message = `Invalid value ${inspect(value)} for field "${place.path} - Array values need to be string"`
  return refuse(place, message, `: "${inspect(value)}"`)
}

function choicesOf(value: unknown, place: Place): unknown {
  const texts = stringsOf(value, place)
  if (texts.every((text) => place.options?.includes(text))) return filled(texts)
  return refuse(place, `Invalid value ${inspect(value)} for multi select field "${place.path}"`, `multi-select: "${inspect(value)}"`)
}

/** An empty list or object is stored as nothing. */
export function filled<Value extends object>(value: Value): Value | null {
  return Object.keys(value).length === 0 ? null : value
}

/** A JSON object or list, or the text of one. Composite fields are checked in the same way. */
export function documentOf(value: unknown, place: Place): object {
  const parsed = typeof value === 'string' ? parsedText(value) : value
  if (typeof parsed === 'object' && parsed !== null) {
    if (JSON.stringify(parsed).includes('\\u0000')) throw dataError()
    return parsed
  }
  return invalidDocument(value, place)
}

export function invalidDocument(value: unknown, place: Place): never {
  const wrong = typeof value === 'string' ? 'JSON.' : `JSON: "${inspect(value)}"`
  return refuse(place, `Invalid object value ${inspect(value)} for field "${place.path}"`, wrong)
}

/** What JSON text says; null if it is none. */
export function parsedText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** A list that may come as JSON text, as additional phones and links may; anything else counts as no list. */
export function listOf(value: unknown): unknown[] {
  try {
    const list: unknown = typeof value === 'string' ? JSON.parse(value) : value
    return Array.isArray(list) ? list : []
  } catch (error) {
    throw crash(error instanceof Error ? error.message : String(error))
  }
}
