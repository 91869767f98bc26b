import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import { AppError, type FieldFault } from '../../kernel/errors.ts'
import { parseInput } from '../../kernel/input.ts'
import { type DocumentValues, type FieldPath, isDocument, valueAt } from './document-values.ts'
import { type Field, fieldsOf, layersOf } from './section-fields.ts'

/** Stands for a secret that is set, wherever a document leaves or enters. */
const maskedSecret = '***masked***'

/** What the input is called that holds the document. */
const input = 'document'

/** The values as they may leave: each secret that is set is masked. */
export function maskSecrets(schema: z.core.$ZodType, values: unknown): unknown {
  const { shape, marks } = layersOf(schema, values)
  if (marks.secret) return values === null ? null : maskedSecret
  if (!shape || !isDocument(values)) return values
  return Object.fromEntries(
    Object.entries(values).map(([field, value]) => [field, shape[field] ? maskSecrets(shape[field], value) : value]),
  )
}

/**
 * The values that a section has when `sent` is put over `present`: fields that are left out stay, lists are replaced, a secret that comes
 * masked stays, `null` clears what may be null. `_meta` is ignored, so that what was read can be sent back. Throws INVALID_INPUT, naming
 * every fault and no value.
 */
export function mergeDocument<Schema extends z.ZodType>(schema: Schema, present: object, sent: unknown): z.output<Schema> {
  if (!isDocument(sent)) throw faultyDocument([{ path: '', message: 'must be an object' }])
  const { _meta, ...fields } = sent
  const kept: FieldPath[] = []
  const values = parseInput(schema, merge({ schema, present, sent: fields, path: [] }, kept), input)
  const faults = [...maskedLiterals(values), ...movedSecrets(fieldsOf(schema, values), { present, values, kept })]
  if (faults.length > 0) throw faultyDocument(faults)
  return values
}

type Part = { readonly schema: z.core.$ZodType; readonly present: unknown; readonly sent: unknown; readonly path: FieldPath }

/** `kept` collects the secrets that stay as they are: sent masked, or not at all. */
function merge({ schema, present, sent, path }: Part, kept: FieldPath[]): unknown {
  if (sent === undefined) {
    kept.push(...fieldsOf(schema, present, path).flatMap((field) => (field.secret ? [field.path] : [])))
    return present
  }
  if (isDocument(sent)) return mergeFields({ schema, present, sent, path }, kept)
  if (sent !== maskedSecret || present === undefined || !layersOf(schema, sent).marks.secret) return sent
  kept.push(path)
  return present
}

function mergeFields({ schema, present, sent, path }: Part & { readonly sent: DocumentValues }, kept: FieldPath[]): DocumentValues {
  const base = isDocument(present) ? present : {}
  const { shape, isChoice } = layersOf(schema, { ...base, ...sent })
  if (!shape) return sent
  const standing = isChoice && 'id' in sent && sent['id'] !== base['id'] ? {} : base
  const fields = [...new Set([...Object.keys(shape), ...Object.keys(sent)])]
  const merged = fields.map((field): readonly [string, unknown] => {
    const part = own(shape, field)
    const value = own(sent, field)
    return [field, part ? merge({ schema: part, present: valueAt(standing, [field]), sent: value, path: [...path, field] }, kept) : value]
  })
  return Object.fromEntries(merged.filter(([, value]) => value !== undefined))
}

/** Whatever stands there by inheritance alone (`__proto__`, `constructor`) is not there. */
function own<Value>(object: Readonly<Record<string, Value>>, field: string): Value | undefined {
  return Object.hasOwn(object, field) ? object[field] : undefined
}

/** The mask never becomes a value, also not with spaces around it that a field would trim. */
function maskedLiterals(value: unknown, path: FieldPath = []): FieldFault[] {
  if (typeof value === 'string') return value.trim().toLowerCase() === maskedSecret ? [maskedLiteral(path)] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]) => maskedLiterals(part, [...path, key]))
}

function maskedLiteral(path: FieldPath): FieldFault {
  return { path: path.join('.'), message: `is ${maskedSecret}, but there is no secret to keep` }
}

type Merged = { readonly present: unknown; readonly values: unknown; readonly kept: readonly FieldPath[] }

/** A kept secret must not be sent elsewhere than where it was given for: else whoever may change an address could read it. */
function movedSecrets(fields: readonly Field[], { present, values, kept }: Merged): FieldFault[] {
  const isKept = ({ path }: Field): boolean =>
    kept.some((other) => isDeepStrictEqual(other, path)) && typeof valueAt(values, path) === 'string'
  const moved = fields.filter(({ path, destination }) => destination && !isDeepStrictEqual(valueAt(values, path), valueAt(present, path)))
  return fields.filter(isKept).flatMap(({ path, sentTo }) => {
    const reasons = moved.filter((field) => sentTo.some((prefix) => isWithin(field.path, prefix)))
    if (reasons.length === 0) return []
    const names = reasons.map((field) => field.path.join('.')).join(', ')
    return [{ path: path.join('.'), message: `must be given anew, because ${names} decides where it is sent and changes` }]
  })
}

function isWithin(path: FieldPath, prefix: FieldPath): boolean {
  return prefix.every((part, index) => path[index] === part)
}

/** INVALID_INPUT for a sent document; paths are those within it. */
export function faultyDocument(faults: readonly FieldFault[]): AppError {
  const fields = faults.map(({ path, message }) => ({ path: path === '' ? input : `${input}.${path}`, message }))
  return new AppError('INVALID_INPUT', { detail: fields.map(({ path, message }) => `${path}: ${message}`).join('; '), data: { fields } })
}
