import { describe } from 'vitest'
import { createRedisStore } from '../../src/providers/store/redis.ts'
import { createSqliteStore } from '../../src/providers/store/sqlite.ts'
import { createStoreAudit } from '../../src/providers/store/audit.ts'
import { auditContract } from '../contracts/audit.ts'
import { createTestClock } from '../harness/clock.ts'
import { realServer } from '../harness/real-server.ts'
import { connectTestRedis } from '../harness/redis-connection.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { retentionOf } from '../../src/wiring/stored-values.ts'

describe('audit in SQLite', () => {
  auditContract(async () => {
    const directory = await createTempDir()
    const clock = createTestClock()
    const store = createSqliteStore({ dataDir: directory.path, clock, retentionOf })
    return {
      audit: createStoreAudit({ store, clock }),
      other: createStoreAudit({ store, clock }),
      store,
      advance: (ms) => clock.advance(ms),
      async [Symbol.asyncDispose]() {
        await store.close()
        await directory[Symbol.asyncDispose]()
      },
    }
  })
})

describe.skipIf((await realServer('redis')) === null)('audit in Redis', () => {
  auditContract(async () => {
    const clock = createTestClock()
    const connection = await connectTestRedis({ prefix: `test:${crypto.randomUUID()}:` })
    const store = createRedisStore({ connection, clock, retentionOf })
    return {
      audit: createStoreAudit({ store, clock }),
      other: createStoreAudit({ store, clock }),
      store,
      advance: (ms) => clock.advance(ms),
      [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose](),
    }
  })
})
