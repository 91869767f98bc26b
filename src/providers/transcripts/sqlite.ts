import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import { inTransaction } from '../../kernel/in-transaction.ts'
import { StartError } from '../../kernel/start-error.ts'
import {
  type IndexedCall,
  type IndexedTranscript,
  maxIndexedCalls,
  type TranscriptIndex,
  type TranscriptQuery,
} from '../../ports/transcript-index.ts'

const purgeBatch = 100
/** A word of its own between two utterances, so that no phrase goes over their border. No text has it as a word: it is no letter. */
const border = '\u{e000}'

/**
 * The words come in the form in which they are compared (`wordsIn`), so the tokenizer only splits at spaces; `unicode61` would take vowel signs of
 * Indian scripts for separators. `secure-delete`: without it, deleted words stay in the file until segments are merged.
 */
const schema = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  PRAGMA journal_size_limit = 16777216;
  PRAGMA secure_delete = ON;
  CREATE TABLE IF NOT EXISTS calls (
    id INTEGER PRIMARY KEY, workspace TEXT NOT NULL, call TEXT NOT NULL, at INTEGER NOT NULL, expires_at INTEGER NOT NULL, UNIQUE (workspace, call)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS calls_at ON calls (workspace, at);
  CREATE INDEX IF NOT EXISTS calls_expiry ON calls (expires_at);
  CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (text, facets, tokenize = 'ascii');
  INSERT INTO words (words, rank) VALUES ('secure-delete', 1);
`

/** The index in one file, `transcripts.db`, in the data directory, by the full-text search of SQLite (FTS5). */
export function createSqliteTranscriptIndex({
  dataDir,
  clock,
  maxCalls = maxIndexedCalls,
}: {
  readonly dataDir: string
  readonly clock: Clock
  /** A test has fewer. */
  readonly maxCalls?: number
}): TranscriptIndex {
  const database = openDatabase(dataDir)
  const statements = prepareStatements(database)
  const remove = (id: unknown): void => {
    if (typeof id !== 'number') return
    statements.removeWords.run(id)
    statements.removeCall.run(id)
  }
  const put = (workspaceId: string, { callId, at, expiresAt, utterances, facets }: IndexedTranscript): void => {
    remove(statements.idOf.get(workspaceId, callId)?.['id'])
    const { lastInsertRowid: id } = statements.addCall.run(workspaceId, callId, at, expiresAt)
    const text = utterances.map((words) => words.join(' ')).join(` ${border} `)
    statements.addWords.run(id, text, [workspaceId, ...facets].map(facetWord).join(' '))
    for (const { id: beyond } of statements.beyond.all(workspaceId, maxCalls)) remove(beyond)
  }
  const purge = (): boolean => {
    const expired = statements.expired.all(clock.now(), purgeBatch)
    for (const { id } of expired) remove(id)
    return expired.length === purgeBatch
  }

  return {
    put: (workspaceId, transcript) => attempt(() => inTransaction(database, () => put(workspaceId, transcript))),
    find: (workspaceId, query) =>
      attempt(() => {
        const { from, to, before, limit } = query
        const values = { workspace: workspaceId, now: clock.now(), from: from ?? 0, to: to ?? Number.MAX_SAFE_INTEGER, limit }
        const last = { at: before?.at ?? Number.MAX_SAFE_INTEGER, call: before?.callId ?? '' }
        return statements.find.all({ match: matchOf(workspaceId, query), ...values, ...last }).flatMap(callOf)
      }),
    purge: () =>
      attempt(() => {
        const isMore = inTransaction(database, purge)
        // Otherwise the log of changes has the deleted words.
        if (!isMore) database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
        return isMore
      }),
    isFilled: () => attempt(() => database.prepare('PRAGMA user_version').get()?.['user_version'] === 1),
    markFilled: () => attempt(() => database.exec('PRAGMA user_version = 1')),
    close: async () => {
      if (database.isOpen) database.close()
    },
  }
}

function openDatabase(dataDir: string): DatabaseSync {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const file = join(dataDir, 'transcripts.db')
  const database = new DatabaseSync(file, { timeout: 250 })
  try {
    database.exec(schema)
    return database
  } catch (cause) {
    database.close()
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new StartError(`The search index cannot be read: ${reason}. Delete ${file}: it is made again from the stored analyses.`, {
      cause,
    })
  }
}

function prepareStatements(database: DatabaseSync) {
  return {
    idOf: database.prepare('SELECT id FROM calls WHERE workspace = ? AND call = ?'),
    addCall: database.prepare('INSERT INTO calls (workspace, call, at, expires_at) VALUES (?, ?, ?, ?)'),
    addWords: database.prepare('INSERT INTO words (rowid, text, facets) VALUES (?, ?, ?)'),
    removeCall: database.prepare('DELETE FROM calls WHERE id = ?'),
    removeWords: database.prepare('DELETE FROM words WHERE rowid = ?'),
    beyond: database.prepare('SELECT id FROM calls WHERE workspace = ? ORDER BY at DESC, call DESC LIMIT -1 OFFSET ?'),
    expired: database.prepare('SELECT id FROM calls WHERE expires_at <= ? LIMIT ?'),
    find: database.prepare(
      `SELECT call, at FROM words JOIN calls ON calls.id = words.rowid
       WHERE words MATCH $match AND workspace = $workspace AND expires_at > $now AND calls.at BETWEEN $from AND $to
         AND (calls.at, call) < ($at, $call)
       ORDER BY calls.at DESC, call DESC LIMIT $limit`,
    ),
  }
}

/** Words are letters and digits (`wordsIn`), facets are digests, and both are in quotes: nothing of a client is read as syntax. */
function matchOf(workspaceId: string, { phrases, facets }: TranscriptQuery): string {
  const quoted = (words: readonly string[]): string => `"${words.map((word) => word.replaceAll('"', '')).join(' ')}"`
  const parts = [
    ...phrases.map((words) => `text : ${quoted(words)}`),
    ...[workspaceId, ...facets].map((facet) => `facets : ${quoted([facetWord(facet)])}`),
  ]
  return parts.join(' AND ')
}

function facetWord(facet: string): string {
  return `f${createHash('sha256').update(facet).digest('hex').slice(0, 24)}`
}

function callOf({ call, at }: Readonly<Record<string, unknown>>): readonly IndexedCall[] {
  return typeof call === 'string' && typeof at === 'number' ? [{ callId: call, at }] : []
}

/** SQLite is synchronous. The promise only fits the port's interface. */
async function attempt<T>(step: () => T): Promise<T> {
  try {
    return step()
  } catch (cause) {
    throw new AppError('STORE_UNAVAILABLE', { data: { retryAfterSeconds: 5 }, cause })
  }
}
