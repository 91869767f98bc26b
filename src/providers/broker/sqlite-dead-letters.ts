import type { DatabaseSync } from 'node:sqlite'
import type { DeadLetter, DeadLetterPage } from '../../ports/dead-letters.ts'

const schema = `
  CREATE TABLE IF NOT EXISTS dead_letter (
    id TEXT PRIMARY KEY, workspace TEXT NOT NULL, dead_at INTEGER NOT NULL, content TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS dead_letter_age ON dead_letter (workspace, dead_at, id);
`

/** Dead letters in the outbox's file. Reading returns the stored JSON. Dead letters that name no workspace have an empty one. */
export function openDeadLetterTable(database: DatabaseSync) {
  database.exec(schema)
  const sql = {
    add: database.prepare('INSERT INTO dead_letter (id, workspace, dead_at, content) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING'),
    list: database.prepare(
      'SELECT content FROM dead_letter WHERE workspace IN (SELECT value FROM json_each(?)) AND (dead_at, id) < (?, ?) ORDER BY dead_at DESC, id DESC LIMIT ?',
    ),
    read: database.prepare('SELECT content FROM dead_letter WHERE id = ?'),
    remove: database.prepare('DELETE FROM dead_letter WHERE id = ?'),
    count: database.prepare('SELECT count(*) AS count FROM dead_letter'),
    purge: database.prepare('DELETE FROM dead_letter WHERE dead_at < ?'),
  }
  return {
    add: (deadLetter: DeadLetter) =>
      void sql.add.run(deadLetter.id, deadLetter.workspaceId ?? '', deadLetter.deadAt, JSON.stringify(deadLetter)),
    list: ({ workspaceIds, limit, before }: DeadLetterPage) =>
      sql.list
        .all(JSON.stringify(workspaceIds.map((id) => id ?? '')), before?.deadAt ?? Number.MAX_SAFE_INTEGER, before?.id ?? '', limit)
        .map(contentOf),
    read: (id: string) => [sql.read.get(id)].filter((row) => row !== undefined).map(contentOf),
    remove: (id: string) => sql.remove.run(id).changes === 1,
    count: () => Number(sql.count.get()?.['count'] ?? 0),
    purge: (before: number) => void sql.purge.run(before),
  }
}

function contentOf(row: Readonly<Record<string, unknown>>): string {
  return String(row['content'])
}
