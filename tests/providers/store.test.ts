import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { systemClock } from '../../src/kernel/clock.ts'
import { createRedisStore } from '../../src/providers/store/redis.ts'
import { createSqliteStore } from '../../src/providers/store/sqlite.ts'
import { storeContract } from '../contracts/store.ts'
import { createTestClock } from '../harness/clock.ts'
import { realServer } from '../harness/real-server.ts'
import { connectTestRedis } from '../harness/redis-connection.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { anyRetention } from '../harness/any-retention.ts'
import { waitFor } from '../harness/wait-for.ts'

describe('SQLite', () => {
  storeContract(async () => {
    const directory = await createTempDir()
    const clock = createTestClock()
    const store = createSqliteStore({ dataDir: directory.path, clock, retentionOf: anyRetention })
    return {
      store,
      other: store,
      pass: async (ms) => clock.advance(ms),
      now: () => clock.now(),
      [Symbol.asyncDispose]: async () => {
        await store.close()
        await directory[Symbol.asyncDispose]()
      },
    }
  })

  test('retains its entries over a restart', async () => {
    await using directory = await createTempDir()
    const options = { dataDir: join(directory.path, 'not', 'there', 'yet'), clock: systemClock, retentionOf: anyRetention }
    const first = createSqliteStore(options)
    await first.set('calls:w1:c1', 'kept')
    await first.sortedAdd('list:w1', 'member', 7)
    await first.close()
    const second = createSqliteStore(options)
    expect(await second.get('calls:w1:c1')).toBe('kept')
    expect(await second.sortedRange('list:w1', { limit: 1 })).toEqual([{ member: 'member', score: 7 }])
    await second.close()
    expect((await stat(options.dataDir)).mode & 0o077).toBe(0)
  })

  test('retains acknowledged writes after kill -9', async () => {
    await using directory = await createTempDir()
    await using other = await startOtherProcess(directory.path)
    await other.kill()
    const store = createSqliteStore({ dataDir: directory.path, clock: systemClock, retentionOf: anyRetention })
    expect(await store.get('written:by')).toBe('the other process')
    await store.close()
  })

  test('reports a file that is not a store', async () => {
    await using directory = await createTempDir()
    await writeFile(join(directory.path, 'store.db'), 'not a database, but long enough to be taken for one'.repeat(100))
    expect(() => createSqliteStore({ dataDir: directory.path, clock: systemClock, retentionOf: anyRetention })).toThrow(
      `The store in ${directory.path} cannot be read`,
    )
  })

  test('deletes expired entries from the disk in batches', async () => {
    await using directory = await createTempDir()
    const clock = createTestClock()
    const store = createSqliteStore({ dataDir: directory.path, clock, purgeEveryMs: 1_000, retentionOf: anyRetention })
    await Promise.all(Array.from({ length: 3_000 }, (_, n) => store.set(`old:w1:${n}`, 'x'.repeat(500), { ttlMs: 1_000 })))
    await store.set('kept:w1:a', 'a', { ttlMs: 10_000 })
    await store.set('kept:w1:b', 'b')
    const rows = () => {
      using reader = new DatabaseSync(join(directory.path, 'store.db'), { readOnly: true })
      return reader.prepare('SELECT count(*) AS rows FROM entries').get()?.['rows']
    }
    expect(rows()).toBe(3_002)
    clock.advance(1_000)
    await waitFor(() => rows() === 2, { what: 'the purge' })
    expect(await store.getMany(['kept:w1:a', 'kept:w1:b'])).toEqual(['a', 'b'])
    await store.close()
  })

  test('goes on deleting after a failure', async () => {
    await using directory = await createTempDir()
    const clock = createTestClock()
    let failures = 1
    const failing = {
      now: () => {
        if (!isSet || failures === 0) return clock.now()
        failures -= 1
        throw new Error('the disk is full')
      },
    }
    let isSet = false
    const store = createSqliteStore({ dataDir: directory.path, clock: failing, purgeEveryMs: 10, retentionOf: anyRetention })
    await store.set('old:w1:a', 'a', { ttlMs: 1_000 })
    isSet = true
    clock.advance(1_000)
    const rows = () => {
      using reader = new DatabaseSync(join(directory.path, 'store.db'), { readOnly: true })
      return reader.prepare('SELECT count(*) AS rows FROM entries').get()?.['rows']
    }
    await waitFor(() => failures === 0 && rows() === 0, { what: 'the purge after the failed one' })
    expect(await store.get('old:w1:a')).toBeNull()
    await store.close()
  })

  test('rejects every call as unavailable after it is closed', async () => {
    await using directory = await createTempDir()
    const store = createSqliteStore({ dataDir: directory.path, clock: systemClock, retentionOf: anyRetention })
    await store.close()
    await store.close()
    await expect(store.get('a:b')).rejects.toMatchObject({ reason: 'STORE_UNAVAILABLE' })
    await expect(store.setIfAbsent('a:b', 'x', { ttlMs: 5 })).rejects.toMatchObject({ reason: 'STORE_UNAVAILABLE' })
  })
})

describe.skipIf((await realServer('redis')) === null)('Redis', () => {
  storeContract(async () => {
    const prefix = `test:${crypto.randomUUID()}:`
    const [one, two] = await Promise.all([connectTestRedis({ prefix }), connectTestRedis({ prefix })])
    return {
      store: createRedisStore({ connection: one, clock: systemClock, retentionOf: anyRetention }),
      other: createRedisStore({ connection: two, clock: systemClock, retentionOf: anyRetention }),
      pass: delay,
      now: () => systemClock.now(),
      [Symbol.asyncDispose]: async () => {
        await one[Symbol.asyncDispose]()
        await two[Symbol.asyncDispose]()
      },
    }
  })
})

/** Another process that opens a store on the directory and writes one entry. */
async function startOtherProcess(dataDir: string) {
  const module = new URL('../../src/providers/store/sqlite.ts', import.meta.url)
  const script = `
    import { createSqliteStore } from ${JSON.stringify(module.href)}
    const store = createSqliteStore({ dataDir: process.argv[1], clock: { now: () => Date.now() }, retentionOf: () => 60_000 })
    await store.set('written:by', 'the other process')
    console.log('ready')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  await once(child.stdout, 'data', { signal: AbortSignal.timeout(60_000) })
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await exited
  }
  return { kill, [Symbol.asyncDispose]: kill }
}
