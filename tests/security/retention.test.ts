import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, inject, test } from 'vitest'
import { systemClock } from '../../src/kernel/clock.ts'
import { retention } from '../../src/ports/retention.ts'
import type { Store } from '../../src/ports/store.ts'
import { createRedisStore } from '../../src/providers/store/redis.ts'
import { createSqliteStore } from '../../src/providers/store/sqlite.ts'
import { createTestClock } from '../harness/clock.ts'
import { connectTestRedis } from '../harness/redis-connection.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { waitFor } from '../harness/wait-for.ts'

const day = 86_400_000

/** No write of a store leaves an entry without an end, whatever the key: the messages of the refusals. */
async function refusalsOf(store: Store): Promise<readonly string[]> {
  const ttlMs = 1_000
  const results = await Promise.allSettled([
    store.set('forgotten:w1:+919876543210', 'x'),
    store.set('forgotten:w1:+919876543210', 'x', { ttlMs }),
    store.setIfAbsent('forgotten:w1', 'x', { ttlMs }),
    store.compareAndSet('forgotten:w1', { expected: 'x', value: 'y', ttlMs }),
    store.increment('forgotten:w1', 1, { ttlMs }),
    store.sortedAdd('forgotten:w1', '+919876543210', Date.now()),
    store.set('sessions:w1:somethingElse:a1', 'x'),
    store.set('missed-call:w1:c1', 'x', { ttlMs: 31 * day }),
    store.set('missed-call::c1', 'x'),
    store.set('missed-call:w1:', 'x'),
    store.sortedAdd('missed-calls:', 'c1', Date.now()),
    // A dead process would stop the work of others for so long.
    store.setIfAbsent('call-records-lease:w1', 'x', { ttlMs: 15_001 }),
  ])
  return results.map((result) => (result.status === 'rejected' && result.reason instanceof Error ? result.reason.message : 'accepted'))
}
const undeclared = (area: string): string => `Keys of ${area} have no retention: declare it in src/ports/retention.ts`
const refusals = [
  ...Array.from({ length: 6 }, () => undeclared('forgotten')),
  undeclared('sessions'),
  'An entry of missed-call lives longer than src/ports/retention.ts allows',
  'A key of missed-call does not say whose entry it is',
  'A key of missed-call does not say whose entry it is',
  'A key of missed-calls does not say whose entry it is',
  'An entry of call-records-lease lives longer than src/ports/retention.ts allows',
]

describe('the embedded store', () => {
  test('refuses keys that have no retention, and lifetimes beyond it', async () => {
    await using directory = await createTempDir()
    const store = createSqliteStore({ dataDir: directory.path, clock: systemClock })
    expect(await refusalsOf(store)).toEqual(refusals)
    await store.close()
  })

  test('an entry without a lifetime of its own ends with the retention of its key', async () => {
    await using directory = await createTempDir()
    const clock = createTestClock()
    const store = createSqliteStore({ dataDir: directory.path, clock })
    await store.set('agents:w1:secrets:a1', 'sealed')
    expect(await store.entry('agents:w1:secrets:a1')).toEqual({ value: 'sealed', expiresAt: clock.now() + 365 * day })
    await store.close()
  })

  test('deletes members of sorted lists from the disk, also of lists that nobody writes or reads again', async () => {
    await using directory = await createTempDir()
    const clock = createTestClock()
    const store = createSqliteStore({ dataDir: directory.path, clock, purgeEveryMs: 100 })
    await store.sortedAdd('missed-calls-waiting:w1', 'old', clock.now())
    await store.sortedAdd('agents-reported:w2', 'old', clock.now())
    await store.sortedAdd('missed-calls-waiting:w1', 'newer', clock.now() + day)
    clock.advance(30 * day)
    expect(await store.sortedRange('missed-calls-waiting:w1', { limit: 5 })).toEqual([{ member: 'newer', score: clock.now() - 29 * day }])
    const members = () => query(directory.path, 'SELECT member FROM sorted')
    await waitFor(() => JSON.stringify(members()) === JSON.stringify([{ member: 'newer' }]), { what: 'the purge' })
    clock.advance(day)
    await waitFor(() => members().length === 0, { what: 'the purge of the last member' })
    await store.close()
  })

  test('gives entries of earlier versions an end', async () => {
    await using directory = await createTempDir()
    const clock = createTestClock()
    await createSqliteStore({ dataDir: directory.path, clock }).close()
    query(directory.path, `INSERT INTO entries VALUES ('sessions:w1:record:a1', 'x', NULL), ('no-longer:w1', 'x', NULL) RETURNING key`)
    const store = createSqliteStore({ dataDir: directory.path, clock })
    expect(await store.entry('sessions:w1:record:a1')).toEqual({ value: 'x', expiresAt: clock.now() + 30 * day })
    expect(await store.get('no-longer:w1')).toBeNull()
    expect(query(directory.path, 'SELECT key FROM entries WHERE expires_at IS NULL')).toEqual([])
    await store.close()
  })
})

describe.skipIf(inject('redis') === null)('Redis', () => {
  test('refuses keys that have no retention, and lifetimes beyond it', async () => {
    await using connection = await connectTestRedis({ prefix: `test:${crypto.randomUUID()}:` })
    expect(await refusalsOf(createRedisStore({ connection, clock: systemClock }))).toEqual(refusals)
  })

  test('gives every entry and every sorted list an end', async () => {
    await using connection = await connectTestRedis({ prefix: `test:${crypto.randomUUID()}:` })
    const store = createRedisStore({ connection, clock: systemClock })
    const now = systemClock.now()
    await store.set('agents:w1:secrets:a1', 'sealed')
    await store.sortedAdd('missed-calls-waiting:w1', 'expired', now - 31 * day)
    await store.sortedAdd('missed-calls-waiting:w1', 'newer', now - day)
    const leftMs = (key: string) => connection.repeatable((redis) => redis.pttl(key))
    expect(await leftMs('agents:w1:secrets:a1')).toBeGreaterThan(364 * day)
    expect(await store.sortedRange('missed-calls-waiting:w1', { limit: 5 })).toEqual([{ member: 'newer', score: now - day }])
    const listLeft = await leftMs('missed-calls-waiting:w1')
    expect(listLeft).toBeGreaterThan(28 * day)
    expect(listLeft).toBeLessThanOrEqual(29 * day)
  })
})

test('the table of the documentation says what is stored for how long', async () => {
  const table = Object.entries(retention).map(([family, [ms, what]]) => `| \`${family}\` | ${timeOf(ms)} | ${what} |`)
  const text = await readFile('docs/retention.md', 'utf8')
  const documented = text.split('\n').filter((line) => /^\| `[a-zA-Z:*-]+` \| \d+ (day|hour|minute|second)/.test(line))
  expect(documented).toEqual(table)
})

function timeOf(ms: number): string {
  const units = [
    [day, 'day'],
    [3_600_000, 'hour'],
    [60_000, 'minute'],
    [1_000, 'second'],
  ] as const
  const [size, unit] = units.find(([length]) => ms % length === 0) ?? [1, 'ms']
  return `${ms / size} ${unit}${ms === size ? '' : 's'}`
}

function query(dataDir: string, sql: string): readonly unknown[] {
  using database = new DatabaseSync(join(dataDir, 'store.db'))
  return database.prepare(sql).all()
}
