import { badArguments, crash } from './errors.ts'
import { isJsonObject, isUuid, type JsonObject } from './json.ts'

/** What the arguments that may be left out must be. */
const forms = {
  filter: 'an object',
  orderBy: 'an array',
  first: 'a number',
  last: 'a number',
  offset: 'a number',
  after: 'a string',
  before: 'a string',
  upsert: 'a boolean',
} as const
type Optional = keyof typeof forms

/** Refuses arguments that an operation does not have, and those of another type. Null counts as left out; one order need not be in a list. */
export function checkArguments(args: JsonObject, required: readonly string[], optional: readonly Optional[]): void {
  const unknown = Object.keys(args).find((name) => ![...required, ...optional].includes(name))
  if (unknown !== undefined) throw badArguments('INVALID_QUERY_INPUT', `Argument not allowed: ${unknown}`)
  for (const name of optional) {
    const value = args[name]
    if (value === undefined || value === null) continue
    const form = forms[name]
    const isFit = form === 'an array' ? typeof value === 'object' : form.endsWith(typeof value)
    if (!isFit) throw badArguments('INVALID_QUERY_INPUT', `Invalid argument: "${name}" must be ${form}`)
  }
}

export function requiredId({ id }: JsonObject): string {
  if (isUuid(id)) return id.toLowerCase()
  throw badArguments('INVALID_QUERY_INPUT', 'Missing required argument: "id" (UUID)')
}

export function requiredObject(args: JsonObject, name: 'filter' | 'data'): JsonObject {
  const value = args[name]
  if (isJsonObject(value)) return value
  throw badArguments('INVALID_QUERY_INPUT', `Missing required argument: "${name}" (object)`)
}

/** The most rows of one createMany. */
const maxRows = 200

export function requiredRows({ data }: JsonObject): JsonObject[] {
  if (!Array.isArray(data)) throw badArguments('INVALID_QUERY_INPUT', 'Missing required argument: "data" (array)')
  const rows: unknown[] = data
  if (rows.length > maxRows) throw badArguments('TOO_MANY_RECORDS', `Maximum number of records to upsert is ${maxRows}.`)
  return rows.map((row) => {
    if (isJsonObject(row)) return row
    throw crash(`Cannot read properties of ${String(row)} (reading 'position')`)
  })
}
