import { describe, expect, inject, test } from 'vitest'
import { systemClock } from '../../src/kernel/clock.ts'
import { createRedisOutbox } from '../../src/providers/broker/redis-outbox.ts'
import { createSqliteOutbox } from '../../src/providers/broker/sqlite-outbox.ts'
import { durabilityOf } from '../../src/providers/redis/durability.ts'
import { outboxContract } from '../contracts/outbox.ts'
import { startRedisServer } from '../harness/redis-server.ts'
import { connectTestRedis } from '../harness/redis-connection.ts'
import { createTempDir } from '../harness/temp-dir.ts'

const redis = inject('redis')

describe('the outbox on SQLite', () => {
  outboxContract(async () => {
    const dir = await createTempDir()
    const outbox = createSqliteOutbox({ dataDir: dir.path, clock: systemClock })
    return {
      outbox,
      async [Symbol.asyncDispose]() {
        await outbox.close()
        await dir[Symbol.asyncDispose]()
      },
    }
  })
})

describe.skipIf(redis === null)('the outbox on Redis', () => {
  outboxContract(async () => {
    const connection = await connectTestRedis({ prefix: `outbox-${crypto.randomUUID()}:` })
    return { outbox: createRedisOutbox({ connection, clock: systemClock }), [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose]() }
  })

  test('two instances share the events, and neither claims an event of the other', async () => {
    const prefix = `outbox-${crypto.randomUUID()}:`
    await using one = await connectTestRedis({ prefix })
    await using two = await connectTestRedis({ prefix })
    const outboxOn = (connection: typeof one) => createRedisOutbox({ connection, clock: systemClock })
    const [first, second] = [outboxOn(one), outboxOn(two)]
    for (let index = 0; index < 200; index += 1)
      await first.add({ id: `e${index}`, topic: 't', key: `k${index}`, body: '{}', receivers: ['r'] })
    const claims = await Promise.all(
      Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? first : second).claim({ receiver: 'r', limit: 10, leaseMs: 60_000 })),
    )
    const ids = claims.flatMap((claimed) => claimed.map(({ eventId }) => eventId))
    expect(ids).toHaveLength(200)
    expect(new Set(ids).size).toBe(200)
  })

  test('detects whether Redis writes to its disk before it answers', async () => {
    await using durable = await startRedisServer(redis?.binary ?? '', { durable: true })
    await using connection = await connectTestRedis({ url: durable.url, prefix: '' })
    expect(await durabilityOf(connection)).toBe('ALWAYS')
    await using other = await connectTestRedis({ prefix: '' })
    expect(await durabilityOf(other)).toBe('NOT_ALWAYS')
    await durable.kill()
    expect(await durabilityOf(connection)).toBe('UNKNOWN')
  })
})
