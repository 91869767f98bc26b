import { createHash } from 'node:crypto'
import { compositeKinds } from './composite-kinds.ts'
import { type FieldModel, joinColumnOf, type ObjectModel, tableOf } from './data-model.ts'
import { badArguments, platformError, type PlatformError } from './errors.ts'
import { isComposite } from './field-types.ts'
import { type JsonObject, textOf } from './json.ts'
import type { RecordReader } from './record-reader.ts'
import { type FieldPath, type StoredRecord, valueAt } from './record-table.ts'
import type { Version, WorkspaceModel } from './workspace-model.ts'

/** Refuses values that point at records that are not there, as the database does. */
export function checkRelations(
  model: WorkspaceModel,
  reader: RecordReader,
  { object, values }: { object: ObjectModel; values: JsonObject },
): void {
  for (const [name, use] of model.uses(object)) {
    const id = values[name]
    if (use.kind !== 'joinColumn' || typeof id !== 'string' || reader.read(use.target, id)) continue
    const table = tableOf(object)
    const constraint = `FK_${createHash('sha256').update(`${table}.${name}`).digest('hex').slice(0, 27)}`
    throw platformError(`insert or update on table "${table}" violates foreign key constraint "${constraint}"`, 'BAD_USER_INPUT', {
      friendly: 'This operation references a record that does not exist or cannot be modified due to existing relationships.',
    })
  }
}

/** An existing record that conflicts. `field` is the unique field; null means the id itself. */
export type Conflict = { readonly record: StoredRecord; readonly field: FieldModel | null }

/** Other records with the same id, or with the same value in a unique field. `ownId` is the record that is changed. */
export function conflictsOf(
  reader: RecordReader,
  object: ObjectModel,
  { values, ownId }: { values: JsonObject; ownId?: string },
): Conflict[] {
  const { id } = values
  const same = typeof id === 'string' && ownId === undefined ? reader.table(object).get(id) : undefined
  const conflicts: Conflict[] = same ? [{ record: same, field: null }] : []
  for (const field of object.fields.filter(({ isUnique }) => isUnique)) {
    const path = uniquePath(field)
    const value = valueAt(values, path)
    const others = value === null ? [] : reader.table(object).findBy(path, [value])
    conflicts.push(...others.filter((record) => record.id !== ownId).map((record) => ({ record, field })))
  }
  return conflicts
}

function uniquePath({ name, type }: FieldModel): FieldPath {
  const key = isComposite(type) ? compositeKinds[type].key : undefined
  if (key !== undefined) return [name, key]
  return [type === 'RELATION' ? joinColumnOf(name) : name]
}

/** Only a live record that was there before is named. */
export function duplicateError(
  object: ObjectModel,
  { record, field }: Conflict,
  names: { version: Version; isNew: boolean },
): PlatformError {
  if (field && names.version === '1.3') {
    const value = textOf(valueAt(record, uniquePath(field)))
    const friendly = `This ${field.label.toLowerCase()} with value ${value} is already taken. Please choose a different value.`
    return platformError(`Duplicate ${field.label} with value ${value}. Please set a unique one.`, 'BAD_USER_INPUT', { friendly })
  }
  if (!field || names.isNew || record.deletedAt !== null) {
    const friendly = 'This record already exists. Please check your data and try again.'
    return platformError('A duplicate entry was detected', 'BAD_USER_INPUT', { friendly })
  }
  return platformError('A duplicate entry was detected', 'BAD_USER_INPUT', {
    friendly: `This ${field.label} value is already in use. Please check your data and try again.`,
    conflictingRecordId: record.id,
    conflictingObjectNameSingular: object.nameSingular,
  })
}

/** An upsert that fits several records by different values. */
export function ambiguousError(conflicts: readonly Conflict[], values: JsonObject): PlatformError {
  const named = conflicts.map(({ field }) => (field ? uniquePath(field).join('.') : 'id'))
  const keys = named.map((name) => `${name} (${name}: ${textOf(valueAt(values, name.split('.')))})`).join('; ')
  const message = `Multiple records found with the same unique field values for ${keys}. Cannot determine which record to update.`
  return badArguments('UPSERT_MULTIPLE_MATCHING_RECORDS_CONFLICT', message, message)
}

/** The values of fields that are missing in the input of a new record. Default values are written in quotes for texts and choices: `'NEW'`. */
export function defaultsOf(object: ObjectModel): JsonObject {
  const defaults: JsonObject = {}
  for (const { name, defaultValue, isSystem } of object.fields) {
    if (isSystem || defaultValue === null || defaultValue === undefined) continue
    defaults[name] = typeof defaultValue === 'string' ? defaultValue.replace(/^'([\s\S]*)'$/, '$1') : defaultValue
  }
  return defaults
}
