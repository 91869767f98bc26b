import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import { type AppError, type FieldFault, invalidFields } from '../../kernel/errors.ts'
import { parseInput } from '../../kernel/input.ts'
import { type DocumentValues, type FieldPath, isDocument, valueAt } from './document-values.ts'
import { type Field, fieldsOf, layersOf } from './section-fields.ts'

/** The placeholder of a set secret in every document that a client reads or sends. */
const maskedSecret = '***masked***'

/** The name of the input that holds the document. */
const input = 'document'

/** The values for clients: each set secret is masked. */
export function maskSecrets(schema: z.core.$ZodType, values: unknown): unknown {
  const { shape, marks } = layersOf(schema, values)
  if (marks.secret) return values === null ? null : maskedSecret
  if (!shape || !isDocument(values)) return values
  return Object.fromEntries(
    Object.entries(values).map(([field, value]) => [field, shape[field] ? maskSecrets(shape[field], value) : value]),
  )
}

/**
 * Merges `sent` into `present`. A field that is left out does not change; a list is replaced; a secret that is sent masked does not change;
 * `null` clears a nullable field. `_meta` is ignored, so that a client can send back what it read. Throws INVALID_INPUT, which names every
 * error and contains no value.
 */
export function mergeDocument<Schema extends z.ZodType>(schema: Schema, present: object, sent: unknown): z.output<Schema> {
  if (!isDocument(sent)) throw invalidDocument([{ path: '', message: 'must be an object' }])
  const { _meta, ...fields } = sent
  const unchanged: FieldPath[] = []
  const values = parseInput(schema, merge({ schema, present, sent: fields, path: [] }, unchanged), input)
  const errors = [...maskedLiterals(values), ...movedSecrets(fieldsOf(schema, values), { present, values, unchanged })]
  if (errors.length > 0) throw invalidDocument(errors)
  return values
}

type Part = { readonly schema: z.core.$ZodType; readonly present: unknown; readonly sent: unknown; readonly path: FieldPath }

/** `unchanged` collects the secrets that do not change: those that are sent masked or left out. */
function merge({ schema, present, sent, path }: Part, unchanged: FieldPath[]): unknown {
  if (sent === undefined) {
    for (const field of fieldsOf(schema, present, path)) if (field.secret) unchanged.push(field.path)
    return present
  }
  if (isDocument(sent)) return mergeFields({ schema, present, sent, path }, unchanged)
  if (sent !== maskedSecret || present === undefined || !layersOf(schema, sent).marks.secret) return sent
  unchanged.push(path)
  return present
}

function mergeFields({ schema, present, sent, path }: Part & { readonly sent: DocumentValues }, unchanged: FieldPath[]): DocumentValues {
  const base = isDocument(present) ? present : {}
  const { shape, isChoice } = layersOf(schema, { ...base, ...sent })
  if (!shape) return sent
  const current = isChoice && 'id' in sent && sent['id'] !== base['id'] ? {} : base
  const fields = [...new Set([...Object.keys(shape), ...Object.keys(sent)])]
  const merged = fields.map((field): readonly [string, unknown] => {
    const part = own(shape, field)
    const value = own(sent, field)
    return [
      field,
      part ? merge({ schema: part, present: valueAt(current, [field]), sent: value, path: [...path, field] }, unchanged) : value,
    ]
  })
  return Object.fromEntries(merged.filter(([, value]) => value !== undefined))
}

/** Ignores inherited properties (`__proto__`, `constructor`). */
function own<Value>(object: Readonly<Record<string, Value>>, field: string): Value | undefined {
  return Object.hasOwn(object, field) ? object[field] : undefined
}

/** The mask never becomes a value, not even with spaces around it that a field would trim. */
function maskedLiterals(value: unknown, path: FieldPath = []): FieldFault[] {
  if (typeof value === 'string') return value.trim().toLowerCase() === maskedSecret ? [maskedLiteral(path)] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]) => maskedLiterals(part, [...path, key]))
}

function maskedLiteral(path: FieldPath): FieldFault {
  return { path: path.join('.'), message: `is ${maskedSecret}, but no secret is stored` }
}

type Merged = { readonly present: unknown; readonly values: unknown; readonly unchanged: readonly FieldPath[] }

/** An unchanged secret must not be sent to a new destination: otherwise a person who may change an address could read it. */
function movedSecrets(fields: readonly Field[], { present, values, unchanged }: Merged): FieldFault[] {
  const isUnchanged = ({ path }: Field): boolean =>
    unchanged.some((other) => isDeepStrictEqual(other, path)) && typeof valueAt(values, path) === 'string'
  const moved = fields.filter(({ path, destination }) => destination && !isDeepStrictEqual(valueAt(values, path), valueAt(present, path)))
  return fields.filter(isUnchanged).flatMap(({ path, sentTo }) => {
    const reasons = moved.filter((field) => sentTo.some((prefix) => isWithin(field.path, prefix)))
    if (reasons.length === 0) return []
    const names = reasons.map((field) => field.path.join('.')).join(', ')
    return [{ path: path.join('.'), message: `must be sent again, because ${names} decides where it is sent and changes` }]
  })
}

function isWithin(path: FieldPath, prefix: FieldPath): boolean {
  return prefix.every((part, index) => path[index] === part)
}

/** INVALID_INPUT for a sent document; paths are those within it. */
export function invalidDocument(errors: readonly FieldFault[]): AppError {
  return invalidFields(errors.map(({ path, message }) => ({ path: path === '' ? input : `${input}.${path}`, message })))
}
