import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { systemClock } from '../../src/kernel/clock.ts'
import { createKeyedMutex } from '../../src/kernel/keyed-mutex.ts'
import { createRedisStore } from '../../src/providers/store/redis.ts'
import { createSqliteStore } from '../../src/providers/store/sqlite.ts'
import { leaseContract } from '../contracts/lease.ts'
import { realServer } from '../harness/real-server.ts'
import { connectTestRedis } from '../harness/redis-connection.ts'
import { anyRetention } from '../harness/any-retention.ts'
import { createTempDir } from '../harness/temp-dir.ts'

describe('on SQLite', () => {
  leaseContract(async () => {
    const directory = await createTempDir()
    const store = createSqliteStore({ dataDir: directory.path, clock: systemClock, retentionOf: anyRetention })
    return {
      store,
      other: store,
      [Symbol.asyncDispose]: async () => {
        await store.close()
        await directory[Symbol.asyncDispose]()
      },
    }
  })
})

describe.skipIf((await realServer('redis')) === null)('on Redis', () => {
  leaseContract(async () => {
    const prefix = `test:${crypto.randomUUID()}:`
    const [one, two] = await Promise.all([connectTestRedis({ prefix }), connectTestRedis({ prefix })])
    return {
      store: createRedisStore({ connection: one, clock: systemClock, retentionOf: anyRetention }),
      other: createRedisStore({ connection: two, clock: systemClock, retentionOf: anyRetention }),
      [Symbol.asyncDispose]: async () => {
        await one[Symbol.asyncDispose]()
        await two[Symbol.asyncDispose]()
      },
    }
  })
})

test('a mutex counts the steps that run or wait, and forgets them when they end, well or not', async () => {
  const mutex = createKeyedMutex()
  const gate = Promise.withResolvers<void>()
  const steps = [() => gate.promise, () => Promise.reject(new Error('no')), async () => {}].map((step) => mutex.run('a', step))
  expect([mutex.pending('a'), mutex.pending('b')]).toEqual([3, 0])
  gate.resolve()
  expect((await Promise.allSettled(steps)).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  await setImmediate()
  expect(mutex.pending('a')).toBe(0)
})
