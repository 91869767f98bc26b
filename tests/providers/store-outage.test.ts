import { describe, expect, test } from 'vitest'
import { systemClock } from '../../src/kernel/clock.ts'
import type { Store } from '../../src/ports/store.ts'
import { createRedisStore } from '../../src/providers/store/redis.ts'
import { realServer } from '../harness/real-server.ts'
import { connectTestRedis } from '../harness/redis-connection.ts'
import { type RedisServer, startRedisServer } from '../harness/redis-server.ts'
import { openTcpGate } from '../harness/tcp-gate.ts'
import { anyRetention } from '../harness/any-retention.ts'
import { waitFor } from '../harness/wait-for.ts'

const redis = await realServer('redis')

/** The port's promise is 500 ms (`npm run prove:sessions` measures it); the rest is for a busy test machine. */
const answerWithinMs = 5_000
/** Less than the promise: such an answer did not wait for the store. */
const atOnceMs = 450

describe.skipIf(redis === null)('a Redis that is not there', () => {
  test('hangs: every call fails in time, then at once, and works again when it goes on', async () => {
    await using server = await startServer()
    await using connected = await connectStore(server.url)
    const { store } = connected
    await store.set('a:b', 'before')
    server.hang()
    const first = await Promise.all(Array.from({ length: 100 }, () => failure(store.get('a:b'))))
    expect(Math.max(...first.map(({ tookMs }) => tookMs))).toBeLessThan(answerWithinMs)
    // The least of some: a busy machine delays one of them.
    const later: number[] = []
    for (let tries = 0; tries < 5; tries += 1) later.push((await failure(store.set('a:b', 'during'))).tookMs)
    expect(Math.min(...later)).toBeLessThan(atOnceMs)
    server.goOn()
    await worksAgain(store)
    expect(await store.get('a:b')).toBe('before')
  })

  test('hangs: a request that took the lock too late does not hold it afterwards', async () => {
    await using server = await startServer()
    await using connected = await connectStore(server.url)
    const { store } = connected
    expect(await store.setIfAbsent('lock:warm', 'x', { ttlMs: 60_000 })).toBe(true)
    server.hang()
    const { error } = await failure(store.setIfAbsent('lock:late', 'mine', { ttlMs: 60_000 }))
    expect(error).toMatchObject({ reason: 'STORE_UNAVAILABLE', retryable: true })
    server.goOn()
    await worksAgain(store)
    expect(await store.get('lock:late')).toBeNull()
    expect(await store.setIfAbsent('lock:late', 'other', { ttlMs: 60_000 })).toBe(true)
  })

  test('dies: calls fail in time, and work again soon after it is back', async () => {
    await using server = await startServer()
    await using connected = await connectStore(server.url)
    const { store } = connected
    await store.get('a:b')
    await server.kill()
    const failures = await Promise.all(Array.from({ length: 20 }, () => failure(store.increment('a:b', 1, { ttlMs: 1_000 }))))
    expect(Math.max(...failures.map(({ tookMs }) => tookMs))).toBeLessThan(answerWithinMs)
    await using again = await startServer(server.port)
    await worksAgain(store)
    expect(await store.get('a:b')).toBeNull()
    expect(again.port).toBe(server.port)
  })

  test('is cut off by a network that drops all packets: the dead connection is closed and replaced', async () => {
    await using server = await startServer()
    await using gate = await openTcpGate(server.port)
    await using connected = await connectStore(`redis://127.0.0.1:${gate.port}`)
    const { store } = connected
    await store.set('a:b', 'before')
    gate.swallow()
    expect((await failure(store.get('a:b'))).tookMs).toBeLessThan(answerWithinMs)
    gate.heal()
    await worksAgain(store)
    expect(await store.get('a:b')).toBe('before')
  })

  test('is missing at the start: the service starts without it, and uses it as soon as it is available', async () => {
    await using server = await startServer()
    await server.kill()
    const startedAt = performance.now()
    await using connected = await connectStore(server.url)
    const { store } = connected
    expect(performance.now() - startedAt).toBeLessThan(answerWithinMs)
    expect((await failure(store.get('a:b'))).error).toMatchObject({ reason: 'STORE_UNAVAILABLE' })
    await using again = await startServer(server.port)
    await worksAgain(store)
    expect(again.url).toBe(server.url)
  })
})

test('a wrong use of a key is refused and does not affect other requests', async ({ skip }) => {
  if (redis === null) skip()
  await using server = await startServer()
  await using connected = await connectStore(server.url)
  const { store } = connected
  await store.sortedAdd('a:list', 'member', 1)
  for (let tries = 0; tries < 10; tries += 1)
    expect((await failure(store.get('a:list'))).error).toMatchObject({ reason: 'STORE_UNAVAILABLE' })
  await expect(store.get('a:b')).resolves.toBeNull()
})

async function startServer(port?: number): Promise<RedisServer> {
  if (redis === null) throw new Error('There is no Redis in this run')
  return startRedisServer(redis.binary, port === undefined ? {} : { port })
}

async function connectStore(url: string): Promise<AsyncDisposable & { store: Store }> {
  const connection = await connectTestRedis({ url, prefix: 'outage:' })
  return {
    store: createRedisStore({ connection, clock: systemClock, retentionOf: anyRetention }),
    [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose](),
  }
}

/** How a call failed and after how long; throws if the call succeeds. */
async function failure(call: Promise<unknown>): Promise<{ error: unknown; tookMs: number }> {
  const startedAt = performance.now()
  try {
    await call
  } catch (error) {
    return { error, tookMs: performance.now() - startedAt }
  }
  throw new Error('The call succeeded')
}

async function worksAgain(store: Store): Promise<void> {
  await waitFor(() => store.get('a:b').then(() => true), { what: 'the store to be back' })
}
