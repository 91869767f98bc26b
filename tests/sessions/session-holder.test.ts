import { lateStore } from '../harness/late-store.ts'
import { describe, expect, test } from 'vitest'
import { systemClock } from '../../src/kernel/clock.ts'
import type { Store } from '../../src/ports/store.ts'
import { createRedisStore } from '../../src/providers/store/redis.ts'
import { createSqliteStore } from '../../src/providers/store/sqlite.ts'
import { lateHolder } from '../harness/late-holder.ts'
import { realServer } from '../harness/real-server.ts'
import { connectTestRedis } from '../harness/redis-connection.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { retentionOf } from '../../src/wiring/stored-values.ts'

const tries = 100
const redis = await realServer('redis')

async function touched(store: Store): Promise<number> {
  let count = 0
  for (let number = 0; number < tries; number += 1) count += (await lateHolder(store, number)) ? 1 : 0
  return count
}

describe('late heartbeats and logouts of a former holder', () => {
  test('change no newer lock in SQLite', async () => {
    await using dir = await createTempDir()
    const store = lateStore(createSqliteStore({ dataDir: dir.path, clock: systemClock, retentionOf }))
    expect(await touched(store)).toBe(0)
    await store.close()
  })

  test.skipIf(redis === null)('change no newer lock in Redis', async () => {
    await using connection = await connectTestRedis({ prefix: 'holder:' })
    expect(await touched(createRedisStore({ connection, clock: systemClock, retentionOf }))).toBe(0)
  })
})
