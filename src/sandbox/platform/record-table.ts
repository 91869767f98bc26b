import { z } from 'zod'
import { isJsonObject } from './json.ts'
import { type DocumentStorage, openMap } from './storage.ts'

const recordSchema = z.looseObject({ id: z.string(), createdAt: z.string(), updatedAt: z.string(), deletedAt: z.string().nullable() })
/** A record as stored: scalars by field name, composites as objects, relations as `agentId`; what was never written is absent. */
export type StoredRecord = z.output<typeof recordSchema>

/** The records of one object of one workspace. The first use of a path creates an index, which is then kept up to date. */
export interface RecordTable {
  get(id: string): StoredRecord | undefined
  /** All records in the order of their ids, soft-deleted ones included. */
  inOrder(): readonly StoredRecord[]
  /** Records whose value at `path` is one of `values`. Uses an index. */
  findBy(path: FieldPath, values: readonly unknown[]): StoredRecord[]
  put(record: StoredRecord): void
  remove(id: string): void
}

/** The way to a value in a record: `['agentId']`, `['phones', 'primaryPhoneNumber']`. */
export type FieldPath = readonly string[]

export function valueAt(record: Readonly<Record<string, unknown>>, path: FieldPath): unknown {
  let value: unknown = record
  for (const name of path) value = isJsonObject(value) ? value[name] : undefined
  return value ?? null
}

export function openTable(storage: DocumentStorage, kind: string): RecordTable {
  const rows = openMap(storage, kind, recordSchema)
  const indexes = new Map<string, Index>()
  let sorted: StoredRecord[] | null = null

  const indexOf = (path: FieldPath): Index => {
    const key = path.join('.')
    const index = indexes.get(key) ?? makeIndex(path, rows.values())
    indexes.set(key, index)
    return index
  }

  return {
    get: (id) => rows.get(id),
    inOrder: () => (sorted ??= [...rows.values()].sort(byId)),
    findBy: (path, values) => [...new Set(values.flatMap((value) => indexOf(path).find(value)))].sort(byId),
    put(record) {
      const before = rows.get(record.id)
      rows.set(record.id, record)
      for (const index of indexes.values()) index.replace(before, record)
      if (sorted) placeInOrder(sorted, record, before !== undefined)
    },
    remove(id) {
      const before = rows.get(id)
      if (!before) return
      rows.delete(id)
      for (const index of indexes.values()) index.replace(before, undefined)
      sorted = null
    },
  }
}

function byId(a: StoredRecord, b: StoredRecord): number {
  return a.id < b.id ? -1 : Number(a.id > b.id)
}

function placeInOrder(sorted: StoredRecord[], record: StoredRecord, replaces: boolean): void {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const other = sorted[middle]
    if (other && other.id < record.id) low = middle + 1
    else high = middle
  }
  sorted.splice(low, replaces ? 1 : 0, record)
}

type Index = {
  find(value: unknown): StoredRecord[]
  replace(before: StoredRecord | undefined, after: StoredRecord | undefined): void
}

function makeIndex(path: FieldPath, records: Iterable<StoredRecord>): Index {
  const buckets = new Map<unknown, Map<string, StoredRecord>>()
  const replace: Index['replace'] = (before, after) => {
    if (before) buckets.get(valueAt(before, path))?.delete(before.id)
    if (!after) return
    const value = valueAt(after, path)
    const bucket = buckets.get(value) ?? new Map<string, StoredRecord>()
    bucket.set(after.id, after)
    buckets.set(value, bucket)
  }
  for (const record of records) replace(undefined, record)
  return { find: (value) => [...(buckets.get(value)?.values() ?? [])], replace }
}
