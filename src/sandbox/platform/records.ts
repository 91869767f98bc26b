import { newId } from '../ids.ts'
import type { ObjectModel } from './data-model.ts'
import { isUuid, type JsonObject } from './json.ts'
import { checkRelations, conflictOf, defaultsOf, duplicateError } from './record-checks.ts'
import { openReader, type RecordReader } from './record-reader.ts'
import type { StoredRecord } from './record-table.ts'
import type { DocumentStorage } from './storage.ts'
import { normalizeInput } from './values.ts'
import type { Version, WorkspaceModel } from './workspace-model.ts'

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

type Creation = { readonly data: JsonObject; readonly actor: Actor; readonly upsert?: boolean }

/** The records of one workspace. Each write is validated like on the platform and reported to the listeners. */
export interface Records extends RecordReader {
  create(object: ObjectModel, input: Creation): StoredRecord
  /** All or none. */
  createMany(object: ObjectModel, input: { data: readonly JsonObject[]; actor: Actor; upsert?: boolean }): StoredRecord[]
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
  readonly version: Version
  readonly moment: () => string
}

export function openRecords({ storage, model, workspaceId, version, moment }: RecordsOptions): Records {
  const reader = openReader({ storage, model, workspaceId })
  const writes = createWrites({ reader, model, version, moment })
  const listeners: ((event: RecordEvent) => void)[] = []

  const reported = (event: RecordEvent): StoredRecord => {
    for (const listener of listeners) listener(event)
    return event.record
  }
  return {
    ...reader,
    listen: (listener) => void listeners.push(listener),
    create: (object, creation) => reported(writes.insert(object, creation)),
    createMany(object, { data, ...input }) {
      const events: RecordEvent[] = []
      try {
        for (const one of data) events.push(writes.insert(object, { ...input, data: one }))
      } catch (error) {
        for (const event of events.toReversed()) writes.undo(event)
        throw error
      }
      return events.map(reported)
    },
    update: (object, { id, data, actor }) => reported(writes.change(object, reader.require(object, id, true), { data, actor })),
    setDeleted(object, { id, deleted, actor }) {
      const values = { deletedAt: deleted ? moment() : null }
      return reported(writes.replace(object, reader.require(object, id, true), { values, actor, action: deleted ? 'deleted' : 'restored' }))
    },
    destroy: (object, { id, actor }) => reported(writes.destroy(object, reader.require(object, id, true), actor)),
  }
}

type Deps = Omit<RecordsOptions, 'storage' | 'workspaceId'> & { readonly reader: RecordReader }
type Replacement = { readonly values: JsonObject; readonly actor: Actor; readonly action: RecordEvent['action'] }

/** Relations to a record that is destroyed become null. */
function unlinkChildren({ reader, model }: Pick<Deps, 'reader' | 'model'>, object: ObjectModel, record: StoredRecord): void {
  for (const use of model.uses(object).values()) {
    const child = use.kind === 'toMany' ? model.object(use.target) : undefined
    if (use.kind !== 'toMany' || !child) continue
    for (const row of reader.table(child).findBy([use.joinColumn], [record.id])) {
      reader.table(child).put({ ...row, [use.joinColumn]: null })
    }
  }
}

/** Checks and stores; each answers the event that is still to be reported. */
function createWrites({ reader, model, version, moment }: Deps) {
  const positions = new Map<string, number>()

  /** A new record comes before all others. */
  const nextPosition = (object: ObjectModel): number => {
    const least = (lowest: number, { position }: StoredRecord): number => Math.min(lowest, Number(position))
    const position = (positions.get(object.id) ?? reader.table(object).inOrder().reduce(least, 1)) - 1
    positions.set(object.id, position)
    return position
  }
  const replace = (object: ObjectModel, before: StoredRecord, { values, actor, action }: Replacement): RecordEvent => {
    const record: StoredRecord = { ...before, ...values, id: before.id, updatedAt: moment(), updatedBy: actor }
    reader.table(object).put(record)
    return { action, object, before, record, actor }
  }
  const change = (object: ObjectModel, before: StoredRecord, { data, actor }: Creation): RecordEvent => {
    const values = normalizeInput(object, model.uses(object), { data, before })
    checkRelations(model, reader, { object, values })
    const conflict = conflictOf(reader, object, { values, ownId: before.id })
    if (conflict) throw duplicateError(object, conflict, version)
    return replace(object, before, { values, actor, action: 'updated' })
  }
  const insert = (object: ObjectModel, { data, actor, upsert = false }: Creation): RecordEvent => {
    const values = normalizeInput(object, model.uses(object), { data })
    const conflict = conflictOf(reader, object, { values })
    if (conflict && !upsert) throw duplicateError(object, conflict, version)
    if (conflict) return change(object, { ...conflict.record, deletedAt: null }, { data, actor })
    checkRelations(model, reader, { object, values })
    const record: StoredRecord = {
      ...defaultsOf(object),
      createdAt: moment(),
      updatedAt: moment(),
      deletedAt: null,
      createdBy: actor,
      updatedBy: actor,
      position: nextPosition(object),
      ...values,
      id: isUuid(values['id']) ? values['id'] : newId(),
    }
    reader.table(object).put(record)
    return { action: 'created', object, before: null, record, actor }
  }
  return {
    replace,
    change,
    insert,
    undo({ object, before, record }: RecordEvent): void {
      if (before) reader.table(object).put(before)
      else reader.table(object).remove(record.id)
    },
    destroy(object: ObjectModel, record: StoredRecord, actor: Actor): RecordEvent {
      reader.table(object).remove(record.id)
      unlinkChildren({ reader, model }, object, record)
      return { action: 'destroyed', object, before: record, record, actor }
    },
  }
}
