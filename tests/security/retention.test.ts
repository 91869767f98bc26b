import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { missedCalls } from '../../src/features/calls/missed-calls/missed-call-store.ts'
import { wantedComparisons } from '../../src/features/calls/reconciliation/compare-soon.ts'
import { comparisonLease } from '../../src/features/calls/reconciliation/reconcile-calls.ts'
import { dismissedSetups } from '../../src/features/setup/setup-store.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { createLog } from '../../src/kernel/log.ts'
import { type Store, versionOf } from '../../src/ports/store.ts'
import { createRedisStore } from '../../src/providers/store/redis.ts'
import { createSqliteStore } from '../../src/providers/store/sqlite.ts'
import { createTestClock } from '../harness/clock.ts'
import { realServer } from '../harness/real-server.ts'
import { connectTestRedis } from '../harness/redis-connection.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { waitFor } from '../harness/wait-for.ts'
import { retentionOf } from '../../src/wiring/stored-values.ts'

const day = 86_400_000

/** No write of a store leaves an entry without an end, whatever the key: the messages of the refusals. */
async function refusalsOf(store: Store): Promise<readonly string[]> {
  const ttlMs = 1_000
  const results = await Promise.allSettled([
    store.set('forgotten:w1:+919876543210', 'x'),
    store.set('forgotten:w1:+919876543210', 'x', { ttlMs }),
    store.setIfAbsent('forgotten:w1', 'x', { ttlMs }),
    store.compareAndSet('forgotten:w1', { version: versionOf('x'), value: 'y', ttlMs }),
    store.increment('forgotten:w1', 1, { ttlMs }),
    store.sortedAdd('forgotten:w1', '+919876543210', Date.now()),
    store.set('sessions:w1:somethingElse:a1', 'x'),
    store.set('missed-call:w1:c1', 'x', { ttlMs: 31 * day }),
    store.set('missed-call::c1', 'x'),
    store.set('missed-call:w1:', 'x'),
    store.sortedAdd('missed-calls:', 'c1', Date.now()),
    // A dead process would stop the work of others for so long.
    store.setIfAbsent('due-work-lease:w1', 'x', { ttlMs: 15_001 }),
  ])
  return results.map((result) => (result.status === 'rejected' && result.reason instanceof Error ? result.reason.message : 'accepted'))
}
const undeclared = (area: string): string =>
  `Keys of ${area} are not declared: declare them (src/ports/stored), and add them to src/wiring/stored-values.ts`
const refusals = [
  ...Array.from({ length: 6 }, () => undeclared('forgotten')),
  undeclared('sessions'),
  'An entry of missed-call lives longer than its declaration allows',
  'A key of missed-call does not say whose entry it is',
  'A key of missed-call does not say whose entry it is',
  'A key of missed-calls does not say whose entry it is',
  'An entry of due-work-lease lives longer than its declaration allows',
]

describe('the embedded store', () => {
  test('refuses keys that nobody declared, and lifetimes beyond it', async () => {
    await using directory = await createTempDir()
    const store = createSqliteStore({ dataDir: directory.path, clock: systemClock, retentionOf })
    expect(await refusalsOf(store)).toEqual(refusals)
    await store.close()
  })

  test('refuses declared values that do not say whose they are', async () => {
    await using directory = await createTempDir()
    const store = createSqliteStore({ dataDir: directory.path, clock: systemClock, retentionOf })
    const writes = [
      missedCalls.add({ store }, '', { member: 'c1', score: Date.now() }),
      wantedComparisons.write({ store }, '', { value: 1 }),
      comparisonLease.acquire({ store }, '', { log: createLog('silent') }),
      dismissedSetups.write({ store }, '', { value: true }),
    ]
    for (const write of writes) await expect(write).rejects.toThrow('does not say whose entry it is')
    await store.close()
  })

  test('an entry without a lifetime of its own ends with the retention of its key', async () => {
    await using directory = await createTempDir()
    const clock = createTestClock()
    const store = createSqliteStore({ dataDir: directory.path, clock, retentionOf })
    await store.set('agents:w1:secrets:a1', 'sealed')
    expect(await store.entry('agents:w1:secrets:a1')).toEqual({ value: 'sealed', expiresAt: clock.now() + 365 * day })
    await store.close()
  })

  test('deletes members of sorted lists from the disk, also of lists that nobody writes or reads again', async () => {
    await using directory = await createTempDir()
    const clock = createTestClock()
    const store = createSqliteStore({ dataDir: directory.path, clock, purgeEveryMs: 100, retentionOf })
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
    await createSqliteStore({ dataDir: directory.path, clock, retentionOf }).close()
    query(directory.path, `INSERT INTO entries VALUES ('sessions:w1:record:a1', 'x', NULL), ('no-longer:w1', 'x', NULL) RETURNING key`)
    const store = createSqliteStore({ dataDir: directory.path, clock, retentionOf })
    expect(await store.entry('sessions:w1:record:a1')).toEqual({ value: 'x', expiresAt: clock.now() + 30 * day })
    expect(await store.get('no-longer:w1')).toBeNull()
    expect(query(directory.path, 'SELECT key FROM entries WHERE expires_at IS NULL')).toEqual([])
    await store.close()
  })
})

describe.skipIf((await realServer('redis')) === null)('Redis', () => {
  test('refuses keys that nobody declared, and lifetimes beyond it', async () => {
    await using connection = await connectTestRedis({ prefix: `test:${crypto.randomUUID()}:` })
    expect(await refusalsOf(createRedisStore({ connection, clock: systemClock, retentionOf }))).toEqual(refusals)
  })

  test('gives every entry and every sorted list an end', async () => {
    await using connection = await connectTestRedis({ prefix: `test:${crypto.randomUUID()}:` })
    const store = createRedisStore({ connection, clock: systemClock, retentionOf })
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

function query(dataDir: string, sql: string): readonly unknown[] {
  using database = new DatabaseSync(join(dataDir, 'store.db'))
  return database.prepare(sql).all()
}
