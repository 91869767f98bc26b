import type { DatabaseSync } from 'node:sqlite'
import type { DeadLetter, DeadLetterPage } from '../../ports/dead-letters.ts'

const schema = `
  CREATE TABLE IF NOT EXISTS dead (
    id TEXT PRIMARY KEY, workspace TEXT NOT NULL, dead_at INTEGER NOT NULL, content TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS dead_age ON dead (workspace, dead_at, id);
`

/** Dead letters in the outbox's file, read as the JSON that was kept. Those that tell of no workspace stand under an empty one. */
export function openDeadLetterTable(database: DatabaseSync, keepMs: number) {
  database.exec(schema)
  const sql = {
    keep: database.prepare('INSERT INTO dead (id, workspace, dead_at, content) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING'),
    list: database.prepare(
      'SELECT content FROM dead WHERE workspace IN (SELECT value FROM json_each(?)) AND (dead_at, id) < (?, ?) ORDER BY dead_at DESC, id DESC LIMIT ?',
    ),
    read: database.prepare('SELECT content FROM dead WHERE id = ?'),
    remove: database.prepare('DELETE FROM dead WHERE id = ?'),
    purge: database.prepare('DELETE FROM dead WHERE dead_at < ?'),
  }
  return {
    keep: (deadLetter: DeadLetter) =>
      void sql.keep.run(deadLetter.id, deadLetter.workspaceId ?? '', deadLetter.deadAt, JSON.stringify(deadLetter)),
    list: ({ workspaceIds, limit, before }: DeadLetterPage) =>
      sql.list
        .all(JSON.stringify(workspaceIds.map((id) => id ?? '')), before?.deadAt ?? Number.MAX_SAFE_INTEGER, before?.id ?? '', limit)
        .map(deadLetterIn),
    read: (id: string) => [sql.read.get(id)].filter((row) => row !== undefined).map(deadLetterIn),
    remove: (id: string) => sql.remove.run(id).changes === 1,
    purge: (now: number) => void sql.purge.run(now - keepMs),
  }
}

function deadLetterIn(row: Readonly<Record<string, unknown>>): string {
  return String(row['content'])
}
