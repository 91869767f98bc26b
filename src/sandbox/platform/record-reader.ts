import type { FieldUse, ObjectModel } from './data-model.ts'
import { recordNotFound } from './errors.ts'
import { compileFilter, indexableEquality, namesDeletedAt, type ReadRecord } from './filters.ts'
import type { JsonObject } from './json.ts'
import { openTable, type RecordTable, type StoredRecord } from './record-table.ts'
import type { DocumentStorage } from './storage.ts'
import type { WorkspaceModel } from './workspace-model.ts'

/** The stored records of a workspace. */
export type Stored = { readonly storage: DocumentStorage; readonly model: WorkspaceModel; readonly workspaceId: string }

/** The records of one workspace, to read. */
export interface RecordReader {
  readonly read: ReadRecord
  table(object: ObjectModel): RecordTable
  /** The one live record that a filter finds; throws "Record not found". */
  findOne(object: ObjectModel, filter: JsonObject): StoredRecord
  /** Records that match a filter, ordered by id. Includes soft-deleted ones if `withDeleted` is set or if the filter asks for them. */
  find(object: ObjectModel, filter: JsonObject, withDeleted?: boolean): readonly StoredRecord[]
  /** The record with this id, soft-deleted or not; throws "Record not found". */
  require(object: ObjectModel, id: string): StoredRecord
  /** Live records that point at one, oldest first. */
  children(use: FieldUse & { kind: 'toMany' }, id: string): StoredRecord[]
}

export function openReader({ storage, model, workspaceId }: Stored): RecordReader {
  const tables = new Map<string, RecordTable>()

  const table = (object: ObjectModel): RecordTable => {
    const known = tables.get(object.id) ?? openTable(storage, `record:${workspaceId}:${object.nameSingular}`)
    tables.set(object.id, known)
    return known
  }
  const read: ReadRecord = (name, id) => {
    const object = model.object(name)
    return object && table(object).get(id)
  }
  const find: RecordReader['find'] = (object, filter, withDeleted = namesDeletedAt(filter)) => {
    const matches = compileFilter({ model, read }, object, filter)
    const equality = indexableEquality(model.uses(object), filter)
    const candidates = equality ? table(object).findBy(equality.path, equality.values) : table(object).inOrder()
    return candidates.filter((record) => (withDeleted || record.deletedAt === null) && matches(record) === true)
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
    require(object, id) {
      const record = table(object).get(id)
      if (!record) throw recordNotFound()
      return record
    },
    children(use, id) {
      const object = model.object(use.target)
      const rows = object ? table(object).findBy([use.joinColumn], [id]) : []
      return rows.filter((record) => record.deletedAt === null).sort(byCreation)
    },
  }
}

function byCreation(a: StoredRecord, b: StoredRecord): number {
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? -1 : 1
  return Number(b['position']) - Number(a['position'])
}
