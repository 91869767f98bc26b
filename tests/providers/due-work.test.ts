import { describe } from 'vitest'
import { systemClock } from '../../src/kernel/clock.ts'
import { createRedisStore } from '../../src/providers/store/redis.ts'
import { createSqliteStore } from '../../src/providers/store/sqlite.ts'
import { dueWorkContract } from '../contracts/due-work.ts'
import { anyRetention } from '../harness/any-retention.ts'
import { lateStore } from '../harness/late-store.ts'
import { realServer } from '../harness/real-server.ts'
import { connectTestRedis } from '../harness/redis-connection.ts'
import { createTempDir } from '../harness/temp-dir.ts'

describe('SQLite, whose writes come late', () => {
  dueWorkContract(async () => {
    const directory = await createTempDir()
    const store = createSqliteStore({ dataDir: directory.path, clock: systemClock, retentionOf: anyRetention })
    return {
      store: lateStore(store),
      other: store,
      [Symbol.asyncDispose]: async () => {
        await store.close()
        await directory[Symbol.asyncDispose]()
      },
    }
  })
})

describe.skipIf((await realServer('redis')) === null)('Redis', () => {
  dueWorkContract(async () => {
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
