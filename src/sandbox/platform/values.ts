import { z } from 'zod'
import type { FieldModel, FieldUse, ObjectModel } from './data-model.ts'
import { badArguments, type PlatformError } from './errors.ts'
import { type CompositeType, composites, type ScalarType } from './field-types.ts'
import { unknownField } from './filters.ts'
import { isJsonObject, isUuid, type JsonObject, textOf } from './json.ts'
import { normalizePhones } from './phones.ts'
import { normalizeRichText } from './rich-text.ts'

/** Checks the input of a create or update and gives the values as records hold them. Composite parts that are absent stay as in `before`. */
export function normalizeInput(
  object: ObjectModel,
  uses: ReadonlyMap<string, FieldUse>,
  change: { data: JsonObject; before?: JsonObject },
): JsonObject {
  const values: JsonObject = {}
  for (const [name, value] of Object.entries(change.data)) {
    const use = uses.get(name)
    if (!use || use.kind === 'toMany') throw unknownField(object, name, 'INVALID_ARGS_DATA')
    if (value === undefined) continue
    const [key, normalized] = normalizeUse(name, use, { value, before: change.before?.[name] })
    values[key] = normalized
  }
  return values
}

type Change = { readonly value: unknown; readonly before: unknown }

function normalizeUse(name: string, use: FieldUse, change: Change): [string, unknown] {
  switch (use.kind) {
    case 'scalar':
      return [name, normalizeScalar(name, use, change.value)]
    case 'joinColumn':
    case 'toMany':
      return [name, normalizeUuid(name, change.value)]
    case 'toOne':
      return [use.joinColumn, connectedId(name, change.value)]
    case 'composite':
      return [name, normalizeComposite(name, use.type, change)]
  }
}

/** `{ connect: { where: { id } } }` or `{ disconnect: true }`. */
function connectedId(name: string, value: unknown): unknown {
  const connect = z.object({ connect: z.object({ where: z.object({ id: z.string() }) }) }).safeParse(value)
  return connect.success ? normalizeUuid(name, connect.data.connect.where.id) : null
}

function normalizeUuid(name: string, value: unknown): unknown {
  if (value === null || value === '') return null
  if (isUuid(value)) return value.toLowerCase()
  throw badValue(`Invalid UUID value '${textOf(value)}' for field "${name}"`, value)
}

function badValue(message: string, value: unknown): PlatformError {
  return badArguments('INVALID_ARGS_DATA', message, `Invalid value: "'${textOf(value)}'"`)
}

function normalizeScalar(name: string, { field, type }: { field: FieldModel; type: ScalarType }, value: unknown): unknown {
  if (value === null) return null
  switch (type) {
    case 'TEXT':
      if (typeof value === 'string') return value === '' ? null : value
      throw badValue(`Invalid string value '${textOf(value)}' for text field "${name}"`, value)
    case 'UUID':
      return normalizeUuid(name, value)
    case 'NUMBER':
    case 'NUMERIC':
      if (typeof value === 'number' && Number.isFinite(value)) return value
      throw badValue(`Invalid number value '${textOf(value)}' for field "${name}"`, value)
    case 'BOOLEAN':
      if (typeof value === 'boolean') return value
      throw badValue(`Invalid boolean value '${textOf(value)}' for field "${name}"`, value)
    case 'DATE_TIME':
      return normalizeMoment(name, value)
    case 'SELECT':
      return chosen(name, field, value)
    case 'MULTI_SELECT':
      return (Array.isArray(value) ? value : [value]).map((item) => chosen(name, field, item))
    case 'ARRAY':
      return (Array.isArray(value) ? value : [value]).map(textOf)
    case 'RAW_JSON':
      return typeof value === 'string' ? parsedOrText(value) : value
    case 'DATE':
    case 'POSITION':
    case 'TS_VECTOR':
      return value
  }
}

function normalizeMoment(name: string, value: unknown): string {
  const moment = new Date(typeof value === 'string' || typeof value === 'number' || value instanceof Date ? value : Number.NaN)
  if (!Number.isNaN(moment.getTime())) return moment.toISOString()
  throw badValue(`Invalid value '${textOf(value)}' for date-time field "${name}"`, value)
}

function chosen(name: string, field: FieldModel, value: unknown): unknown {
  const values = (field.options ?? []).map((option) => option.value)
  if (typeof value === 'string' && values.includes(value)) return value
  const message = `Invalid value "${textOf(value)}" for field "${name}". Valid values are: ${values.join(', ')}`
  throw badArguments('INVALID_ARGS_DATA', message, `Invalid value for field "${name}"`)
}

function parsedOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function normalizeComposite(name: string, type: CompositeType, { value, before }: Change): unknown {
  if (value === null) return null
  if (!isJsonObject(value)) throw badValue(`Invalid value '${textOf(value)}' for field "${name}"`, value)
  for (const part of Object.keys(value)) {
    if (!composites[type].parts[part]) throw badArguments('INVALID_ARGS_DATA', `Sub field "${part}" not found for composite type: ${type}`)
  }
  const merged = { ...(isJsonObject(before) ? before : {}), ...normalizeParts(name, type, value) }
  return Object.fromEntries(Object.entries(merged).map(([part, inner]) => [part, inner === '' ? null : inner]))
}

function normalizeParts(name: string, type: CompositeType, value: JsonObject): JsonObject {
  if (type === 'PHONES') return normalizePhones(value)
  if (type === 'EMAILS') return normalizeEmails(name, value)
  return type === 'RICH_TEXT' ? normalizeRichText(value) : value
}

const emailForm = z.email()

function normalizeEmails(name: string, value: JsonObject): JsonObject {
  const { primaryEmail, additionalEmails } = value
  return {
    ...value,
    ...(primaryEmail === undefined ? {} : { primaryEmail: normalizeEmail(`${name}.primaryEmail`, primaryEmail) }),
    ...(Array.isArray(additionalEmails)
      ? { additionalEmails: additionalEmails.map((email) => normalizeEmail(`${name}.additionalEmails`, email)) }
      : {}),
  }
}

function normalizeEmail(name: string, email: unknown): unknown {
  if (email === null || email === '') return null
  if (emailForm.safeParse(email).success) return textOf(email).toLowerCase()
  throw badValue(`Invalid string value '${textOf(email)}' for email field "${name}"`, email)
}
