import { describe, expect, inject, test } from 'vitest'
import { AppError } from '../../src/kernel/errors.ts'
import { createLog } from '../../src/kernel/log.ts'
import type { Delivery, Outbox } from '../../src/ports/outbox.ts'
import { createRelay } from '../../src/ports/outbox-relay.ts'
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
  outboxContract(async (clock) => {
    const dir = await createTempDir()
    const outbox = createSqliteOutbox({ dataDir: dir.path, clock })
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
  outboxContract(async (clock) => {
    const connection = await connectTestRedis({ prefix: `outbox-${crypto.randomUUID()}:` })
    return { outbox: createRedisOutbox({ connection, clock }), [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose]() }
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

describe('an event that fails', () => {
  /** What becomes of an event that has failed twenty times, and is as old as its changes say, when it fails once more. */
  async function fails(changes: Partial<Delivery>): Promise<unknown> {
    await using dir = await createTempDir()
    const outbox = createSqliteOutbox({ dataDir: dir.path, clock: systemClock })
    await outbox.add({ id: 'e', topic: 't', key: 'k', body: '{}', receivers: ['r'] })
    const outcome = Promise.withResolvers<unknown>()
    const watched: Pick<Outbox, 'claim' | 'moveToDeadLetters' | 'postpone'> = {
      claim: async (asked) => (await outbox.claim(asked)).map((delivery) => ({ ...delivery, tries: 20, ...changes })),
      postpone: async (_, postponement) => outcome.resolve(postponement),
      moveToDeadLetters: async (_, cause) => outcome.resolve(cause),
    }
    const deliver = () => Promise.reject(new AppError('OVERLOADED', { data: { retryAfterSeconds: 2 } }))
    const log = createLog('silent')
    const relay = createRelay({ outbox: { ...outbox, ...watched }, receiver: 'r', concurrency: 1, log, deliver })
    relay.start()
    const result = await outcome.promise
    await relay.stop()
    await outbox.close()
    return result
  }

  test('waits no longer than its error says, however often it has failed', async () => {
    expect(await fails({})).toEqual({ delayMs: 2_000, parked: false })
  })

  test('is given up after a week', async () => {
    expect(await fails({ addedAt: Date.now() - 8 * 86_400_000 })).toEqual({ reason: 'NOT_DELIVERED', workspaceId: null })
  })
})
