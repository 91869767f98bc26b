import { DatabaseSync } from 'node:sqlite'
import type { z } from 'zod'

/** Where the stand-in keeps its documents: in one SQLite file, or nowhere. */
export interface DocumentStorage {
  entries(kind: string): Iterable<{ id: string; body: string }>
  put(kind: string, id: string, value: unknown): void
  remove(kind: string, id: string): void
  clear(): void
  close(): void
}

/** If `file` is null, nothing is stored beyond the process. */
export function openStorage(file: string | null): DocumentStorage {
  return file === null ? forgetful : sqliteStorage(file)
}

const forgetful: DocumentStorage = {
  entries: () => [],
  put: () => undefined,
  remove: () => undefined,
  clear: () => undefined,
  close: () => undefined,
}

function sqliteStorage(file: string): DocumentStorage {
  const database = new DatabaseSync(file)
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 2000')
  database.exec(
    'CREATE TABLE IF NOT EXISTS document (kind TEXT, id TEXT, body TEXT NOT NULL, PRIMARY KEY (kind, id)) WITHOUT ROWID, STRICT',
  )
  const select = database.prepare('SELECT id, body FROM document WHERE kind = ?')
  const put = database.prepare('INSERT OR REPLACE INTO document (kind, id, body) VALUES (?, ?, ?)')
  const remove = database.prepare('DELETE FROM document WHERE kind = ? AND id = ?')
  return {
    entries: (kind) => select.all(kind).map((row) => ({ id: String(row['id']), body: String(row['body']) })),
    put: (kind, id, value) => void put.run(kind, id, JSON.stringify(value)),
    remove: (kind, id) => void remove.run(kind, id),
    clear: () => database.exec('DELETE FROM document'),
    close: () => database.close(),
  }
}

/** A map that lives in memory and writes each change through to the storage. */
export interface KeptMap<Value> {
  get(id: string): Value | undefined
  set(id: string, value: Value): void
  delete(id: string): boolean
  values(): MapIterator<Value>
}

/** Opens the map of one kind of document; what the file holds is parsed with `schema`. */
export function openMap<Value>(storage: DocumentStorage, kind: string, schema: z.ZodType<Value>): KeptMap<Value> {
  const map = new Map<string, Value>()
  for (const { id, body } of storage.entries(kind)) map.set(id, schema.parse(JSON.parse(body)))
  return {
    get: (id) => map.get(id),
    set(id, value) {
      map.set(id, value)
      storage.put(kind, id, value)
    },
    delete(id) {
      storage.remove(kind, id)
      return map.delete(id)
    },
    values: () => map.values(),
  }
}
