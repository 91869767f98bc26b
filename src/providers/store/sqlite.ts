import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'
import type { Clock } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import { inTransaction } from '../../kernel/in-transaction.ts'
import { StartError } from '../../kernel/start-error.ts'
import { type SortedEntry, type SortedMember, type SortedRange, type Store, versionOf } from '../../ports/store.ts'
import { lifetimeOf, type RetentionOf, UndeclaredKey } from './lifetime.ts'

/** This many deletions take a few milliseconds of this thread. If more entries have expired, the next batch follows after a short pause. */
const purgeBatch = 500
const purgeBreathMs = 50
const keysBatch = 500

const schema = `
  PRAGMA auto_vacuum = INCREMENTAL;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  PRAGMA journal_size_limit = 16777216;
  CREATE TABLE IF NOT EXISTS entries (key TEXT PRIMARY KEY, value TEXT NOT NULL, expires_at INTEGER) STRICT;
  CREATE INDEX IF NOT EXISTS entries_expiry ON entries (expires_at) WHERE expires_at IS NOT NULL;
  CREATE TABLE IF NOT EXISTS sorted (list TEXT, member TEXT, score REAL NOT NULL, PRIMARY KEY (list, member)) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS sorted_scores ON sorted (list, score, member);
`

/**
 * The embedded store: one file, `store.db`, in the data directory, which the caller has locked for this process. It survives a
 * killed process; a power cut may lose the latest writes (`synchronous = NORMAL`). Each call takes some ten microseconds of this thread.
 */
export function createSqliteStore({
  dataDir,
  clock,
  purgeEveryMs = 30_000,
  retentionOf,
}: {
  readonly dataDir: string
  readonly clock: Clock
  /** How often expired entries are deleted from the disk. Reads never return expired entries. */
  readonly purgeEveryMs?: number
  readonly retentionOf: RetentionOf
}): Store {
  const database = openDatabase(dataDir)
  const statements = prepareStatements(database)
  limitEndless(statements, clock.now(), retentionOf)
  const expiry = (key: string, ttlMs?: number): number => clock.now() + lifetimeOf(retentionOf, key, ttlMs)
  /** Members with this score or a lower one have expired. */
  const expired = (list: string): number => clock.now() - lifetimeOf(retentionOf, list)

  const purging = startPurging(database, statements, { clock, purgeEveryMs, retentionOf })

  const addSorted = (entry: SortedEntry): true => addToList(statements, entry, expired(entry.list))
  const get = (key: string): string | null => textOf(statements.get.get(key, clock.now())?.['value'])

  return {
    get: (key) => attempt(() => get(key)),
    getMany: (keys) => attempt(() => keys.map(get)),
    entry: (key) =>
      attempt(() => {
        const row = statements.get.get(key, clock.now())
        const value = textOf(row?.['value'])
        return value === null ? null : { value, expiresAt: numberOf(row?.['expires_at']) }
      }),
    set: (key, value, { ttlMs } = {}) => attempt(() => void statements.set.run(key, value, expiry(key, ttlMs))),
    setIfAbsent: (key, value, { ttlMs }) =>
      attempt(() => statements.setIfAbsent.run(key, value, expiry(key, ttlMs), clock.now()).changes === 1),
    compareAndSet: (key, { version, value, ttlMs, add = null }) => {
      const replace = (): boolean => statements.compareAndSet.run(value, expiry(key, ttlMs), key, version, clock.now()).changes === 1
      return attempt(() => (add ? inTransaction(database, () => replace() && addSorted(add)) : replace()))
    },
    compareAndDelete: (key, version) => attempt(() => statements.compareAndDelete.run(key, version, clock.now()).changes === 1),
    delete: (key) => attempt(() => statements.delete.run(key, clock.now()).changes === 1),
    increment: (key, by, { ttlMs }) =>
      attempt(() => Number(statements.increment.get({ key, by, now: clock.now(), expiry: expiry(key, ttlMs) })?.['value'])),
    ...sortedLists(statements, { addSorted, expired }),
    keys: (family, after) =>
      attempt(() => {
        const keys = statements.keys
          .all(after ?? `${family}:`, `${family};`, clock.now(), keysBatch)
          .flatMap((row) => textOf(row['key']) ?? [])
        return { keys, next: keys.length < keysBatch ? null : (keys.at(-1) ?? null) }
      }),
    close: async () => {
      purging[Symbol.dispose]()
      if (database.isOpen) database.close()
    },
  }
}

type SortedMethods = Pick<Store, Extract<keyof Store, `sorted${string}`>>
type SortedSteps = { readonly addSorted: (entry: SortedEntry) => true; readonly expired: (list: string) => number }

function sortedLists(statements: ReturnType<typeof prepareStatements>, { addSorted, expired }: SortedSteps): SortedMethods {
  return {
    sortedAdd: (list, member, score) => attempt(() => void addSorted({ list, member, score })),
    sortedAddLowest: (list, member, score) =>
      attempt(() => {
        // First, so that an expired score is not the lowest.
        statements.sortedTrim.run(list, expired(list))
        statements.sortedAddLowest.run(list, member, score)
      }),
    sortedRange: (list, range) => attempt(() => statements.sortedRange(list, { ...range, after: expired(list) })),
    sortedCount: (list, max = Number.POSITIVE_INFINITY) =>
      attempt(() => numberOf(statements.sortedCount.get(list, expired(list), max)?.['members']) ?? 0),
    sortedRemove: (list, member) => attempt(() => statements.sortedRemove.run(list, member).changes === 1),
    sortedMove: (list, member, { from, to }) =>
      attempt(() => {
        const { changes } =
          to === null ? statements.sortedRemoveAt.run(list, member, from) : statements.sortedMove.run(to, list, member, from)
        return changes === 1
      }),
    sortedTrim: (list, max) => attempt(() => Number(statements.sortedTrim.run(list, max).changes)),
  }
}

function openDatabase(dataDir: string): DatabaseSync {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const database = new DatabaseSync(join(dataDir, 'store.db'), { timeout: 250 })
  try {
    database.exec(schema)
    database.function('version_of', { deterministic: true }, (text) => versionOf(String(text)))
    return database
  } catch (cause) {
    database.close()
    throw new StartError(`The store in ${dataDir} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

/** Gives entries of earlier versions, which had no end, the retention of their key. */
function limitEndless(statements: ReturnType<typeof prepareStatements>, now: number, retentionOf: RetentionOf): void {
  for (const key of statements.endless.all().map((row) => textOf(row['key']) ?? '')) {
    statements.limit.run(now + (retentionOf(key) ?? 0), key)
  }
}

/** Deletes what has expired from the disk, in batches, until it is disposed of. */
function startPurging(
  database: DatabaseSync,
  statements: ReturnType<typeof prepareStatements>,
  { clock, purgeEveryMs, retentionOf }: { readonly clock: Clock; readonly purgeEveryMs: number; readonly retentionOf: RetentionOf },
): Disposable {
  let purgedTo: string | null = null
  const trimTo = (list: string): number => clock.now() - (retentionOf(list) ?? Number.NEGATIVE_INFINITY)
  const purge = (): boolean => {
    const { changes } = statements.purge.run(clock.now(), purgeBatch)
    purgedTo = purgeLists(statements, purgedTo ?? '', trimTo)
    database.exec(`PRAGMA incremental_vacuum(${purgeBatch})`)
    return changes === purgeBatch || purgedTo !== null
  }
  let timer: NodeJS.Timeout
  const purgeIn = (ms: number): void => {
    timer = setTimeout(() => {
      void attempt(purge)
        .catch(() => false)
        .then((isMore) => database.isOpen && purgeIn(isMore ? purgeBreathMs : purgeEveryMs))
    }, ms).unref()
  }
  purgeIn(purgeEveryMs)
  return { [Symbol.dispose]: () => clearTimeout(timer) }
}

/** Removes expired members of the lists that follow `after`, and lists that have no retention any more. Returns the last of them, or null at the end. */
function purgeLists(statements: ReturnType<typeof prepareStatements>, after: string, trimTo: (list: string) => number): string | null {
  let list = after
  for (let done = 0; done < purgeBatch; done += 1) {
    const next = textOf(statements.nextList.get(list)?.['list'])
    if (next === null) return null
    statements.sortedTrim.run(next, trimTo(next))
    list = next
  }
  return list
}

/** SQLite is synchronous. The promise only fits the port's interface, and every error becomes an error of the port. */
async function attempt<T>(step: () => T): Promise<T> {
  try {
    return step()
  } catch (cause) {
    if (cause instanceof UndeclaredKey) throw cause
    throw new AppError('STORE_UNAVAILABLE', { data: { retryAfterSeconds: 5 }, cause })
  }
}

/** Removes the members with a score up to `expired`. */
function addToList({ sortedAdd, sortedTrim }: ReturnType<typeof prepareStatements>, entry: SortedEntry, expired: number): true {
  const { list, member, score } = entry
  sortedAdd.run(list, member, score)
  sortedTrim.run(list, expired)
  return true
}

function prepareStatements(database: DatabaseSync) {
  const live = '(expires_at IS NULL OR expires_at > ?)'
  const range = (direction: 'ASC' | 'DESC') =>
    database.prepare(
      `SELECT member, score FROM sorted WHERE list = ? AND score > ? AND score BETWEEN ? AND ? ORDER BY score ${direction}, member ${direction} LIMIT ? OFFSET ?`,
    )
  const [lowestFirst, highestFirst] = [range('ASC'), range('DESC')]
  return {
    get: database.prepare(`SELECT value, expires_at FROM entries WHERE key = ? AND ${live}`),
    set: database.prepare('INSERT OR REPLACE INTO entries (key, value, expires_at) VALUES (?, ?, ?)'),
    setIfAbsent: database.prepare(
      `INSERT INTO entries (key, value, expires_at) VALUES (?, ?, ?)
       ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at WHERE expires_at <= ?`,
    ),
    compareAndSet: database.prepare(`UPDATE entries SET value = ?, expires_at = ? WHERE key = ? AND version_of(value) = ? AND ${live}`),
    compareAndDelete: database.prepare(`DELETE FROM entries WHERE key = ? AND version_of(value) = ? AND ${live}`),
    delete: database.prepare(`DELETE FROM entries WHERE key = ? AND ${live}`),
    increment: database.prepare(
      `INSERT INTO entries (key, value, expires_at) VALUES ($key, CAST(CAST($by AS INTEGER) AS TEXT), $expiry)
       ON CONFLICT (key) DO UPDATE SET
         value = CASE WHEN expires_at <= $now THEN excluded.value ELSE CAST(CAST(value AS INTEGER) + CAST($by AS INTEGER) AS TEXT) END,
         expires_at = CASE WHEN expires_at <= $now THEN excluded.expires_at ELSE expires_at END
       RETURNING value`,
    ),
    sortedAdd: database.prepare('INSERT OR REPLACE INTO sorted (list, member, score) VALUES (?, ?, ?)'),
    sortedAddLowest: database.prepare(
      `INSERT INTO sorted (list, member, score) VALUES (?, ?, ?)
       ON CONFLICT (list, member) DO UPDATE SET score = min(score - 0.001, excluded.score)`,
    ),
    sortedMove: database.prepare('UPDATE sorted SET score = ? WHERE list = ? AND member = ? AND score = ?'),
    sortedRemoveAt: database.prepare('DELETE FROM sorted WHERE list = ? AND member = ? AND score = ?'),
    sortedRange: (list: string, range: SortedRange & { readonly after: number }): readonly SortedMember[] => {
      const { after, min, max, limit, offset = 0, reverse = false } = range
      return (reverse ? highestFirst : lowestFirst)
        .all(list, after, min ?? Number.NEGATIVE_INFINITY, max ?? Number.POSITIVE_INFINITY, limit, offset)
        .map((row) => ({ member: textOf(row['member']) ?? '', score: numberOf(row['score']) ?? 0 }))
    },
    sortedCount: database.prepare('SELECT count(*) AS members FROM sorted WHERE list = ? AND score > ? AND score <= ?'),
    // A semicolon follows the colon.
    keys: database.prepare(`SELECT key FROM entries WHERE key > ? AND key < ? AND ${live} ORDER BY key LIMIT ?`),
    nextList: database.prepare('SELECT list FROM sorted WHERE list > ? LIMIT 1'),
    endless: database.prepare('SELECT key FROM entries WHERE expires_at IS NULL'),
    limit: database.prepare('UPDATE entries SET expires_at = ? WHERE key = ?'),
    sortedRemove: database.prepare('DELETE FROM sorted WHERE list = ? AND member = ?'),
    sortedTrim: database.prepare('DELETE FROM sorted WHERE list = ? AND score <= ?'),
    purge: database.prepare('DELETE FROM entries WHERE rowid IN (SELECT rowid FROM entries WHERE expires_at <= ? LIMIT ?)'),
  }
}

function textOf(value: SQLOutputValue | undefined): string | null {
  return typeof value === 'string' ? value : null
}

function numberOf(value: SQLOutputValue | undefined): number | null {
  return typeof value === 'number' ? value : null
}
