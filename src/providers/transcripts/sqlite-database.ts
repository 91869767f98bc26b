import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { inTransaction } from '../../kernel/in-transaction.ts'
import type { IndexedCall, IndexedTranscript, TranscriptQuery } from '../../ports/transcript-index.ts'

/** `maxCalls`: of each workspace. */
export type IndexFile = { readonly dataDir: string; readonly maxCalls: number }

/** `text`: the utterances as `textOf` joins them, because one text reaches a thread faster than thousands of words. */
export type StoredTranscript = Omit<IndexedTranscript, 'utterances'> & { readonly text: string }

/** The file itself. Each method holds its thread until it is done, and throws what SQLite throws. */
export type TranscriptDatabase = {
  put(workspaceId: string, transcript: StoredTranscript): void
  /** Throws `SearchTooLong` after `deadlineAt`, a time of `monotonicMs`. */
  find(workspaceId: string, query: TranscriptQuery, at: { readonly now: number; readonly deadlineAt: number }): readonly IndexedCall[]
  purge(now: number): boolean
  isFilled(): boolean
  markFilled(): void
  close(): void
}

export class SearchTooLong extends Error {}

/** A time that all threads of the process share. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6
}

const purgeBatch = 100
/** Of `PRAGMA user_version`: 1 was an index with the places of words, which could take minutes for a phrase. */
const filledVersion = 2
/** No word has it (`wordsIn`). */
const noWord = /[^\p{L}\p{M}\p{N}\u200c\u200d]/u
/** A word of its own between two utterances, so that no phrase goes over their border. No text has it as a word: it is no letter. */
const border = '\u{e000}'

/**
 * The words come in the form in which they are compared (`wordsIn`), so the tokenizer only splits at spaces; `unicode61` would take vowel signs of
 * Indian scripts for separators. `detail`: without the places of words, so a search takes as long as the lists of calls. `secure-delete`: without
 * it, deleted words stay in the file until segments are merged.
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
  CREATE VIRTUAL TABLE IF NOT EXISTS call_words USING fts5 (text, facets, tokenize = 'ascii', detail = column);
  INSERT INTO call_words (call_words, rank) VALUES ('secure-delete', 1);
`
/**
 * An earlier version has its calls in `words`; it may also have written after this one, so that neither table has all calls. Then the index is
 * filled again.
 */
const removeAll = `DROP TABLE words; DROP TABLE call_words; DROP TABLE calls; PRAGMA user_version = 0`

export function openTranscriptDatabase({ dataDir, maxCalls }: IndexFile): TranscriptDatabase {
  const database = openFile(dataDir)
  const statements = prepareStatements(database)
  const remove = (id: unknown): void => {
    if (typeof id !== 'number') return
    statements.removeWords.run(id)
    statements.removeCall.run(id)
  }
  const purge = (now: number): boolean => {
    const expired = statements.expired.all(now, purgeBatch)
    for (const { id } of expired) remove(id)
    return expired.length === purgeBatch
  }
  return {
    put: (workspaceId, { callId, at, expiresAt, text, facets }) =>
      inTransaction(database, () => {
        remove(statements.idOf.get(workspaceId, callId)?.['id'])
        const { lastInsertRowid: id } = statements.addCall.run(workspaceId, callId, at, expiresAt)
        statements.addWords.run(id, text, [workspaceId, ...facets].map(facetWord).join(' '))
        for (const { id: beyond } of statements.beyond.all(workspaceId, maxCalls)) remove(beyond)
      }),
    find(workspaceId, query, { now, deadlineAt }) {
      // It may have waited.
      if (monotonicMs() > deadlineAt) throw new SearchTooLong()
      const { phrases, from, to, before, limit } = query
      if (phrases.flat().some((word) => noWord.test(word))) return []
      const values = { workspace: workspaceId, now, from: from ?? 0, to: to ?? Number.MAX_SAFE_INTEGER }
      const last = { at: before?.at ?? Number.MAX_SAFE_INTEGER, call: before?.callId ?? '' }
      const wanted = phrases.filter((words) => words.length > 1).map(spaced)
      const found: IndexedCall[] = []
      for (const { id, call, at } of statements.find.iterate({ match: matchOf(workspaceId, query), ...values, ...last })) {
        if (monotonicMs() > deadlineAt) throw new SearchTooLong()
        if (typeof call !== 'string' || typeof at !== 'number' || typeof id !== 'number') continue
        if (wanted.length > 0 && !hasAll(statements.textOf.get(id)?.['text'], wanted)) continue
        found.push({ callId: call, at })
        if (found.length === limit) break
      }
      return found
    },
    purge(now) {
      const isMore = inTransaction(database, () => purge(now))
      // Otherwise the log of changes has the deleted words.
      if (!isMore) database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      return isMore
    },
    isFilled: () => database.prepare('PRAGMA user_version').get()?.['user_version'] === filledVersion,
    markFilled: () => database.exec(`PRAGMA user_version = ${filledVersion}`),
    close: () => database.close(),
  }
}

/** The utterances as one text, from which phrases are read. */
export function textOf(utterances: IndexedTranscript['utterances']): string {
  return utterances.map((words) => words.join(' ')).join(` ${border} `)
}

function openFile(dataDir: string): DatabaseSync {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const database = new DatabaseSync(join(dataDir, 'transcripts.db'), { timeout: 250 })
  try {
    database.exec(schema)
    const isEarlier = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'words'").get() !== undefined
    if (isEarlier) {
      inTransaction(database, () => database.exec(removeAll))
      database.exec(schema)
    }
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

function prepareStatements(database: DatabaseSync) {
  return {
    idOf: database.prepare('SELECT id FROM calls WHERE workspace = ? AND call = ?'),
    textOf: database.prepare('SELECT text FROM call_words WHERE rowid = ?'),
    addCall: database.prepare('INSERT INTO calls (workspace, call, at, expires_at) VALUES (?, ?, ?, ?)'),
    addWords: database.prepare('INSERT INTO call_words (rowid, text, facets) VALUES (?, ?, ?)'),
    removeCall: database.prepare('DELETE FROM calls WHERE id = ?'),
    removeWords: database.prepare('DELETE FROM call_words WHERE rowid = ?'),
    beyond: database.prepare('SELECT id FROM calls WHERE workspace = ? ORDER BY at DESC, call DESC LIMIT -1 OFFSET ?'),
    expired: database.prepare('SELECT id FROM calls WHERE expires_at <= ? LIMIT ?'),
    // The words first, then their calls: SQLite would rather look each call of the workspace up in the index, which took minutes.
    find: database.prepare(
      `SELECT id, call, at FROM call_words CROSS JOIN calls ON calls.id = call_words.rowid
       WHERE call_words MATCH $match AND workspace = $workspace AND expires_at > $now AND calls.at BETWEEN $from AND $to
         AND (calls.at, call) < ($at, $call)
       ORDER BY calls.at DESC, call DESC`,
    ),
  }
}

/** Words are letters and digits (`wordsIn`), facets are digests, and both are in quotes: nothing of a client is read as syntax. */
function matchOf(workspaceId: string, { phrases, facets }: TranscriptQuery): string {
  const words = new Set(phrases.flat().map((word) => `text : "${word}"`))
  const own = [workspaceId, ...facets].map((facet) => `facets : "${facetWord(facet)}"`)
  return [...words, ...own].join(' AND ')
}

function facetWord(facet: string): string {
  return `f${createHash('sha256').update(facet).digest('hex').slice(0, 24)}`
}

function spaced(words: readonly string[]): string {
  return ` ${words.join(' ')} `
}

function hasAll(text: unknown, wanted: readonly string[]): boolean {
  return typeof text === 'string' && wanted.every((phrase) => ` ${text} `.includes(phrase))
}
