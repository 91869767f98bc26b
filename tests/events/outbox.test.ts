import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { AppError } from '../../src/kernel/errors.ts'
import { createLog } from '../../src/kernel/log.ts'
import type { Delivery, Outbox } from '../../src/ports/outbox.ts'
import { createRelay } from '../../src/ports/outbox-relay.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { createOutboxCleanup } from '../../src/providers/broker/outbox-cleanup.ts'
import { createRedisOutbox } from '../../src/providers/broker/redis-outbox.ts'
import { createSqliteOutbox } from '../../src/providers/broker/sqlite-outbox.ts'
import { durabilityOf } from '../../src/providers/redis/durability.ts'
import { outboxContract } from '../contracts/outbox.ts'
import { createTestClock } from '../harness/clock.ts'
import { realServer } from '../harness/real-server.ts'
import { startRedisServer } from '../harness/redis-server.ts'
import { connectTestRedis } from '../harness/redis-connection.ts'
import { createTempDir } from '../harness/temp-dir.ts'

const redis = await realServer('redis')

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

describe('the file of the outbox', () => {
  const event = (id: string) => ({ id, topic: 't', key: id, body: '{}', receivers: ['r'] })

  async function openFile() {
    await using opening = new AsyncDisposableStack()
    const { path } = opening.use(await createTempDir())
    const clock = createTestClock()
    const outbox = createSqliteOutbox({ dataDir: path, clock, maxAgeMs: 60_000 })
    opening.defer(() => outbox.close())
    await outbox.depth()
    const database = opening.adopt(new DatabaseSync(join(path, 'outbox.sqlite')), (opened) => opened.close())
    const opened = opening.move()
    return { clock, outbox, database, [Symbol.asyncDispose]: () => opened.disposeAsync() }
  }

  test('that is damaged fails its own outbox alone: another one of the process goes on', async () => {
    await using dir = await createTempDir()
    await writeFile(join(dir.path, 'outbox.sqlite'), 'this is no database, it is a text of more than a hundred bytes: '.repeat(4))
    const damaged = createSqliteOutbox({ dataDir: dir.path, clock: systemClock })
    await expect(damaged.depth()).rejects.toMatchObject({
      reason: 'STORE_UNAVAILABLE',
      cause: { message: 'the outbox cannot be opened: file is not a database' },
    })
    await using file = await openFile()
    expect(await file.outbox.add(event('1'))).toBe(true)
    await expect(damaged.add(event('1'))).rejects.toMatchObject({ reason: 'STORE_UNAVAILABLE' })
    await damaged.close()
  })

  test('is full when its oldest event has the highest age, not before', async () => {
    await using file = await openFile()
    await file.outbox.add(event('1'))
    file.clock.advance(59_999)
    await file.outbox.add(event('2'))
    file.clock.advance(1)
    await expect(file.outbox.add(event('3'))).rejects.toMatchObject({ reason: 'OVERLOADED' })
  })

  test('forgets after eight days that an event was added', async () => {
    await using file = await openFile()
    const addAgain = async (days: number) => {
      file.clock.advance(days * 86_400_000)
      const [delivery] = await file.outbox.claim({ receiver: 'r', limit: 1, leaseMs: 1 })
      if (delivery) await file.outbox.settle(delivery)
      await file.outbox.add(event('1'))
      return (await file.outbox.depth()).events
    }
    expect(await addAgain(0)).toBe(1)
    expect([await addAgain(7), await addAgain(1.1)]).toEqual([0, 1])
  })

  test('that cannot be written refuses all that was to be written together, and works again later', async () => {
    await using file = await openFile()
    file.database.exec('ALTER TABLE lane RENAME TO moved')
    const both = await Promise.allSettled([file.outbox.add(event('1')), file.outbox.add(event('2'))])
    for (const result of both) expect(result).toMatchObject({ status: 'rejected', reason: { reason: 'STORE_UNAVAILABLE' } })
    file.database.exec('ALTER TABLE moved RENAME TO lane')
    expect((await file.outbox.depth()).events).toBe(0)
    await file.outbox.add(event('1'))
    expect(await file.outbox.depth()).toMatchObject({ events: 1, receivers: { r: { events: 1 } } })
  })

  test('that is closed refuses everything', async () => {
    await using file = await openFile()
    await file.outbox.close()
    await expect(file.outbox.depth()).rejects.toMatchObject({ reason: 'STORE_UNAVAILABLE' })
    await expect(file.outbox.add(event('1'))).rejects.toMatchObject({ reason: 'STORE_UNAVAILABLE' })
  })
})

test('old events become dead letters and old dead letters are deleted once an hour, also after a failure; at once if there are more', async () => {
  const clock = createTestClock()
  const steps: string[] = []
  const old = (count: number) => Array.from({ length: count }, (): Delivery => ({ ...delivery, addedAt: clock.now() }))
  let answer: () => readonly Delivery[] = () => []
  const cleanup = createOutboxCleanup({
    clock,
    addedBefore: async () => {
      steps.push('read')
      return answer()
    },
    moveToDeadLetters: async () => {
      for (let ticks = 0; ticks < 3; ticks += 1) await setImmediate()
      steps.push('move')
    },
    async purge() {
      await setImmediate()
      steps.push('purge')
    },
  })
  const run = async (afterMs: number) => {
    clock.advance(afterMs)
    await cleanup.runIfDue()
    return steps.splice(0)
  }
  expect(await run(0)).toEqual(['read', 'purge'])
  expect(await run(3_599_999)).toEqual([])
  answer = () => old(2)
  expect(await run(1)).toEqual(['read', 'move', 'move', 'purge'])
  answer = () => {
    throw new AppError('STORE_UNAVAILABLE')
  }
  expect(await run(3_600_000)).toEqual(['read'])
  answer = () => old(500)
  expect(await run(3_599_999)).toEqual([])
  expect(await run(1)).toHaveLength(502)
  answer = () => old(499)
  expect(await run(1)).toHaveLength(501)
  expect(await run(1)).toEqual([])
})

const delivery = { sequence: '1', receiver: 'r', eventId: 'e', topic: 't', key: 'k', body: '{}', tries: 0, addedAt: 0, parked: false }

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
