import { createHash } from 'node:crypto'
import { newId } from '../../kernel/ids.ts'
import { type FieldModel, type FieldUse, joinColumnOf, type ObjectModel } from './data-model.ts'
import { badArguments, internalError, platformError, recordNotFound } from './errors.ts'
import { compileFilter, indexableEquality, namesDeletedAt, type ReadRecord } from './filters.ts'
import { isUuid, type JsonObject } from './json.ts'
import { type FieldPath, openTable, type RecordTable, type StoredRecord, valueAt } from './record-table.ts'
import type { DocumentStorage } from './storage.ts'
import { normalizeInput } from './values.ts'
import type { WorkspaceModel } from './workspace-model.ts'

/** Who writes, as records remember it. */
export type Actor = {
  readonly source: string
  readonly name: string | null
  readonly workspaceMemberId: string | null
  readonly context: JsonObject
}

export type RecordEvent = {
  readonly action: 'created' | 'updated' | 'deleted' | 'restored' | 'destroyed'
  readonly object: ObjectModel
  readonly before: StoredRecord | null
  readonly record: StoredRecord
  readonly actor: Actor
}

/** The records of one workspace. Each write is checked as the platform checks it and told to the listeners. */
export interface Records {
  readonly read: ReadRecord
  table(object: ObjectModel): RecordTable
  /** The one live record that a filter finds; throws "Record not found". */
  findOne(object: ObjectModel, filter: JsonObject): StoredRecord
  /** Live records that a filter finds, in the order of their ids. */
  find(object: ObjectModel, filter: JsonObject): readonly StoredRecord[]
  /** Live records that point at one, oldest first. */
  children(use: FieldUse & { kind: 'toMany' }, id: string): StoredRecord[]
  create(object: ObjectModel, input: { data: JsonObject; actor: Actor; upsert?: boolean }): StoredRecord
  update(object: ObjectModel, input: { id: unknown; data: JsonObject; actor: Actor }): StoredRecord
  /** Soft delete and its reverse. */
  setDeleted(object: ObjectModel, input: { id: unknown; deleted: boolean; actor: Actor }): StoredRecord
  destroy(object: ObjectModel, input: { id: unknown; actor: Actor }): StoredRecord
  listen(listener: (event: RecordEvent) => void): void
}

export type RecordsOptions = {
  readonly storage: DocumentStorage
  readonly model: WorkspaceModel
  readonly workspaceId: string
  readonly moment: () => string
}

export function openRecords({ storage, model, workspaceId, moment }: RecordsOptions): Records {
  const tables = new Map<string, RecordTable>()
  const positions = new Map<string, number>()
  const listeners: ((event: RecordEvent) => void)[] = []

  const table = (object: ObjectModel): RecordTable => {
    const known = tables.get(object.id) ?? openTable(storage, `record:${workspaceId}:${object.nameSingular}`)
    tables.set(object.id, known)
    return known
  }
  const read: ReadRecord = (name, id) => {
    const object = model.object(name)
    return object && table(object).get(id)
  }
  const tell = (event: RecordEvent): void => {
    for (const listener of listeners) listener(event)
  }
  const live = (object: ObjectModel, id: unknown, deleted = false): StoredRecord => {
    if (!isUuid(id)) throw badArguments('INVALID_QUERY_INPUT', 'Missing required argument: "id" (UUID)')
    const record = table(object).get(id.toLowerCase())
    if (!record || (record.deletedAt !== null && !deleted)) throw recordNotFound()
    return record
  }

  const find: Records['find'] = (object, filter) => {
    const matches = compileFilter({ model, read }, object, filter)
    const withDeleted = namesDeletedAt(filter)
    const byIndex = indexableEquality(model.uses(object), filter)
    const candidates = byIndex ? table(object).findBy(byIndex.path, byIndex.values) : table(object).inOrder()
    return candidates.filter((record) => (withDeleted || record.deletedAt === null) && matches(record) === true)
  }

  const nextPosition = (object: ObjectModel): number => {
    const lowest =
      positions.get(object.id) ??
      table(object)
        .inOrder()
        .reduce((least, { position }) => Math.min(least, Number(position)), 1)
    positions.set(object.id, lowest - 1)
    return lowest - 1
  }

  const checkRelations = (object: ObjectModel, values: JsonObject): void => {
    for (const [name, use] of model.uses(object)) {
      const id = values[name]
      if (use.kind !== 'joinColumn' || typeof id !== 'string' || read(use.target, id)) continue
      const tableName = `${object.isCustom ? '_' : ''}${object.nameSingular}`
      const constraint = `FK_${createHash('sha256').update(`${tableName}.${name}`).digest('hex').slice(0, 27)}`
      throw platformError(`insert or update on table "${tableName}" violates foreign key constraint "${constraint}"`, 'BAD_USER_INPUT', {
        friendly: 'This operation references a record that does not exist or cannot be modified due to existing relationships.',
      })
    }
  }

  const conflictOf = (object: ObjectModel, values: JsonObject): { record: StoredRecord; field: FieldModel | null } | null => {
    const { id } = values
    const same = typeof id === 'string' ? table(object).get(id) : undefined
    if (same) return { record: same, field: null }
    for (const { field, path } of uniquePaths(object)) {
      const value = valueAt(values, path)
      const other =
        value === null
          ? undefined
          : table(object)
              .findBy(path, [value])
              .find((record) => record.id !== id)
      if (other) return { record: other, field }
    }
    return null
  }

  const write = (
    object: ObjectModel,
    before: StoredRecord,
    input: { values: JsonObject; actor: Actor; action: RecordEvent['action'] },
  ): StoredRecord => {
    const record: StoredRecord = { ...before, ...input.values, id: before.id, updatedAt: moment(), updatedBy: input.actor }
    table(object).put(record)
    tell({ action: input.action, object, before, record, actor: input.actor })
    return record
  }

  const change = (object: ObjectModel, before: StoredRecord, { data, actor }: { data: JsonObject; actor: Actor }): StoredRecord => {
    const values = normalizeInput(object, model.uses(object), { data, before })
    checkRelations(object, values)
    for (const { field, path } of uniquePaths(object)) {
      const value = valueAt(values, path)
      const other =
        value === null
          ? undefined
          : table(object)
              .findBy(path, [value])
              .find((record) => record.id !== before.id)
      if (other) throw duplicate(object, { record: other, field })
    }
    return write(object, before, { values, actor, action: 'updated' })
  }

  return {
    read,
    table,
    find,
    findOne(object, filter) {
      const [record] = find(object, filter)
      if (!record) throw recordNotFound()
      return record
    },
    children(use, id) {
      const object = model.object(use.target)
      const rows = object ? table(object).findBy([use.joinColumn], [id]) : []
      return rows.filter((record) => record.deletedAt === null).sort(byCreation)
    },
    create(object, { data, actor, upsert = false }) {
      const values = normalizeInput(object, model.uses(object), { data })
      const conflict = conflictOf(object, values)
      if (conflict && !upsert) throw duplicate(object, conflict)
      if (conflict) return change(object, conflict.record, { data, actor })
      checkRelations(object, values)
      const now = moment()
      const record: StoredRecord = {
        ...defaultsOf(object),
        createdAt: now,
        updatedAt: now,
        deletedAt: null,
        createdBy: actor,
        updatedBy: actor,
        position: nextPosition(object),
        ...values,
        id: isUuid(values['id']) ? values['id'] : newId(),
      }
      table(object).put(record)
      tell({ action: 'created', object, before: null, record, actor })
      return record
    },
    update: (object, { id, data, actor }) => change(object, live(object, id), { data, actor }),
    setDeleted(object, { id, deleted, actor }) {
      const before = live(object, id, true)
      return write(object, before, { values: { deletedAt: deleted ? moment() : null }, actor, action: deleted ? 'deleted' : 'restored' })
    },
    destroy(object, { id, actor }) {
      const record = live(object, id, true)
      table(object).remove(record.id)
      forgetReferences(object, record.id)
      tell({ action: 'destroyed', object, before: record, record, actor })
      return record
    },
    listen: (listener) => void listeners.push(listener),
  }

  /** The platform's relations are set to null when their target goes. */
  function forgetReferences(object: ObjectModel, id: string): void {
    for (const use of model.uses(object).values()) {
      if (use.kind !== 'toMany') continue
      const child = model.object(use.target)
      if (!child) throw internalError(`no object ${use.target}`)
      for (const record of table(child).findBy([use.joinColumn], [id])) table(child).put({ ...record, [use.joinColumn]: null })
    }
  }
}

function byCreation(a: StoredRecord, b: StoredRecord): number {
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? -1 : 1
  return Number(b['position']) - Number(a['position'])
}

function uniquePaths(object: ObjectModel): { field: FieldModel; path: FieldPath }[] {
  return object.fields
    .filter((field) => field.isUnique)
    .map((field) => ({
      field,
      path: field.type === 'EMAILS' ? [field.name, 'primaryEmail'] : [field.type === 'RELATION' ? joinColumnOf(field.name) : field.name],
    }))
}

function duplicate(object: ObjectModel, { record, field }: { record: StoredRecord; field: FieldModel | null }): Error {
  if (!field) {
    const friendly = 'This record already exists. Please check your data and try again.'
    return platformError('A duplicate entry was detected', 'BAD_USER_INPUT', { friendly })
  }
  return platformError('A duplicate entry was detected', 'BAD_USER_INPUT', {
    friendly: `This ${field.label} value is already in use. Please check your data and try again.`,
    conflictingRecordId: record.id,
    conflictingObjectNameSingular: object.nameSingular,
  })
}

/** Default values are written in quotes for texts and choices: `'NEW'`. */
function defaultsOf(object: ObjectModel): JsonObject {
  const defaults: JsonObject = {}
  for (const { name, defaultValue, isSystem } of object.fields) {
    if (isSystem || defaultValue === null || defaultValue === undefined) continue
    defaults[name] = typeof defaultValue === 'string' ? defaultValue.replace(/^'([\s\S]*)'$/, '$1') : defaultValue
  }
  return defaults
}
