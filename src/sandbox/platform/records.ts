import { newId } from '../ids.ts'
import type { FieldUse, ObjectModel } from './data-model.ts'
import { isJsonObject, isUuid, type JsonObject } from './json.ts'
import { ambiguousError, checkRelations, conflictsOf, defaultsOf, duplicateError } from './record-checks.ts'
import { openReader, type RecordReader, type Stored } from './record-reader.ts'
import { type RecordTable, type StoredRecord, valueAt } from './record-table.ts'
import { normalizeInput } from './values.ts'
import type { Version } from './workspace-model.ts'

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
  update(object: ObjectModel, input: { id: string; data: JsonObject; actor: Actor }): StoredRecord
  /** Soft delete and its reverse. */
  setDeleted(object: ObjectModel, input: { id: string; deleted: boolean; actor: Actor }): StoredRecord
  destroy(object: ObjectModel, input: { id: string; actor: Actor }): StoredRecord
  listen(listener: (event: RecordEvent) => void): void
}

type RecordsOptions = Stored & { readonly version: Version; readonly moment: () => string }

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
    create: (object, creation) => reported(writes.insert(object, creation, new Set())),
    createMany(object, { data, ...input }) {
      const events: RecordEvent[] = []
      const written = new Set<string>()
      try {
        for (const one of data) {
          const event = writes.insert(object, { ...input, data: one }, written)
          events.push(event)
          written.add(event.record.id)
        }
      } catch (error) {
        for (const event of events.toReversed()) undo(reader, event)
        throw error
      }
      // Those that an upsert changed come first.
      return events.toSorted((a, b) => Number(b.before !== null) - Number(a.before !== null)).map(reported)
    },
    update: (object, { id, data, actor }) => reported(writes.change(object, id, { data, actor })),
    setDeleted(object, { id, deleted, actor }) {
      const before = reader.require(object, id)
      const deletedAt = deleted ? moment() : null
      for (const child of childrenOf({ reader, model }, object, before)) {
        if (joining.has(child.object.nameSingular)) reader.table(child.object).put({ ...child.row, deletedAt })
      }
      return reported(writes.replace(object, before, { values: { deletedAt }, actor, action: deleted ? 'deleted' : 'restored' }))
    },
    destroy(object, { id, actor }) {
      const record = reader.require(object, id)
      reader.table(object).remove(id)
      for (const child of childrenOf({ reader, model }, object, record)) {
        reader.table(child.object).put({ ...child.row, [child.joinColumn]: null })
      }
      return reported({ action: 'destroyed', object, before: record, record, actor })
    },
  }
}

type Deps = Omit<RecordsOptions, 'storage' | 'workspaceId'> & { readonly reader: RecordReader }
type Replacement = { readonly values: JsonObject; readonly actor: Actor; readonly action: RecordEvent['action'] }

function undo(reader: RecordReader, { object, before, record }: RecordEvent): void {
  if (before) reader.table(object).put(before)
  else reader.table(object).remove(record.id)
}

type Child = { readonly object: ObjectModel; readonly joinColumn: string; readonly row: StoredRecord }

/** The records that point at one. */
function childrenOf({ reader, model }: Pick<Deps, 'reader' | 'model'>, object: ObjectModel, { id }: StoredRecord): Child[] {
  return [...model.uses(object).values()].flatMap((use) => {
    const child = use.kind === 'toMany' ? model.object(use.target) : undefined
    if (use.kind !== 'toMany' || !child) return []
    const { joinColumn } = use
    return reader
      .table(child)
      .findBy([joinColumn], [id])
      .map((row) => ({ object: child, joinColumn, row }))
  })
}

/** These are deleted and restored with the note, task or record that they join. */
const joining = new Set(['noteTarget', 'taskTarget'])

/** Parts of composite values that a change leaves out stay as they are. */
function withKeptParts(uses: ReadonlyMap<string, FieldUse>, before: StoredRecord, values: JsonObject): JsonObject {
  const kept = Object.entries(values).map(([name, value]): [string, unknown] => {
    const old = before[name]
    return [name, uses.get(name)?.kind === 'composite' && isJsonObject(value) && isJsonObject(old) ? { ...old, ...value } : value]
  })
  return Object.fromEntries(kept)
}

type Wanted = { readonly positions: Map<string, number>; readonly wanted: unknown }

/** A new record comes before all others, or after them if that is asked for. `positions` holds the least one of each object. */
function nextPosition(table: RecordTable, { id }: ObjectModel, { positions, wanted }: Wanted): number {
  if (typeof wanted === 'number') return wanted
  const all = (): number[] => table.inOrder().map(({ position }) => Number(position))
  if (wanted === 'last') return all().reduce((greatest, position) => Math.max(greatest, position), 0) + 1
  const position = (positions.get(id) ?? all().reduce((least, other) => Math.min(least, other), 1)) - 1
  positions.set(id, position)
  return position
}

/** Checks and stores; each answers the event that is still to be reported. */
function createWrites({ reader, model, version, moment }: Deps) {
  const positions = new Map<string, number>()

  const target = (name: string, id: string): StoredRecord | undefined => {
    const found = reader.read(name, id)
    return found?.deletedAt === null ? found : undefined
  }
  const replace = (object: ObjectModel, before: StoredRecord, { values, actor, action }: Replacement): RecordEvent => {
    const record: StoredRecord = { ...before, ...values, id: before.id, updatedAt: moment(), updatedBy: actor }
    reader.table(object).put(record)
    return { action, object, before, record, actor }
  }
  const read = (object: ObjectModel, data: JsonObject): JsonObject => normalizeInput(object, model.uses(object), { data, target })
  const store = (object: ObjectModel, before: StoredRecord, { values, ...change }: Replacement): RecordEvent => {
    checkRelations(model, reader, { object, values })
    const [conflict] = conflictsOf(reader, object, { values, ownId: before.id })
    if (conflict) throw duplicateError(object, conflict, { version, isNew: false })
    return replace(object, before, { ...change, values: withKeptParts(model.uses(object), before, values) })
  }
  /** `written` are the records of the same request; another row for one of them is a duplicate, even in an upsert. */
  const insert = (object: ObjectModel, { data, actor, upsert = false }: Creation, written: ReadonlySet<string>): RecordEvent => {
    const values = read(object, data)
    const conflicts = conflictsOf(reader, object, { values })
    const [conflict] = conflicts
    const isNew = conflict !== undefined && written.has(conflict.record.id)
    if (conflict && (!upsert || isNew)) throw duplicateError(object, conflict, { version, isNew })
    if (conflicts.some(({ record }) => record.id !== conflict?.record.id)) throw ambiguousError(conflicts, values)
    if (conflict) return store(object, conflict.record, { values: { deletedAt: null, ...values }, actor, action: 'updated' })
    checkRelations(model, reader, { object, values })
    const record: StoredRecord = {
      ...defaultsOf(object),
      createdAt: moment(),
      updatedAt: moment(),
      deletedAt: null,
      updatedBy: actor,
      ...values,
      createdBy: { ...actor, source: valueAt(values, ['createdBy', 'source']) ?? actor.source },
      position: nextPosition(reader.table(object), object, { positions, wanted: values['position'] }),
      id: isUuid(values['id']) ? values['id'] : newId(),
    }
    reader.table(object).put(record)
    return { action: 'created', object, before: null, record, actor }
  }
  return {
    replace,
    insert,
    /** The input is checked before the record is looked up. */
    change(object: ObjectModel, id: string, { data, actor }: Creation): RecordEvent {
      const values = read(object, data)
      return store(object, reader.require(object, id), { values, actor, action: 'updated' })
    },
  }
}
