import { describe, expect, test } from 'vitest'
import { systemClock } from '../../src/kernel/clock.ts'
import type { Store } from '../../src/ports/store.ts'
import type { RedisConnection } from '../../src/providers/redis/connection.ts'
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

describe.skipIf(redis === null)('a Redis that is not the primary any more', () => {
  /** A primary with a replica, behind one address, and a store that is connected to the primary. */
  async function openPair() {
    await using stack = new AsyncDisposableStack()
    const [first, second] = [stack.use(await startServer()), stack.use(await startServer())]
    const [old, other] = await Promise.all(
      [first, second].map(async ({ url }) => stack.use(await connectTestRedis({ url, prefix: 'outage:' }))),
    )
    if (!old || !other) throw new Error('Both have a connection')
    const follow = (one: RedisConnection, { port }: RedisServer) => one.once((client) => client.replicaof('127.0.0.1', port))
    await old.once((client) => client.config('SET', 'repl-diskless-sync-delay', 0))
    await follow(other, first)
    const gate = stack.use(await openTcpGate(first.port))
    const connected = stack.use(await connectStore(`redis://127.0.0.1:${gate.port}`))
    await connected.store.set('a:b', 'before')
    await waitFor(async () => (await other.repeatable((client) => client.get('a:b'))) !== null, { what: 'the replica to have it' })
    const failOver = async (): Promise<void> => {
      await other.once((client) => client.call('REPLICAOF', 'NO', 'ONE'))
      gate.leadTo(second.port)
    }
    const owned = stack.move()
    return { ...connected, old, other, failOver, follow: () => follow(old, second), [Symbol.asyncDispose]: () => owned.disposeAsync() }
  }

  test('refuses a write: the next connection leads to the new one, and what is announced there arrives', async () => {
    await using pair = await openPair()
    const { store, connection, other, failOver, follow } = pair
    const received: string[] = []
    let opened = 0
    using _ = await connection.listen(connection.channel('news'), {
      message: (text) => void received.push(text),
      opened: () => void (opened += 1),
    })
    await failOver()
    await follow()
    await waitFor(() => store.set('a:b', 'after').then(() => true), { what: 'a write' })
    expect(await other.repeatable((client) => client.get('a:b'))).toContain('after')
    await waitFor(() => opened > 1, { what: 'the subscription to be opened anew' })
    await other.once((client) => client.publish(connection.channel('news'), 'hello'))
    await waitFor(() => received.length > 0)
    expect(received).toEqual(['hello'])
  })

  test('has lost its replicas: the same', async () => {
    await using pair = await openPair()
    const { store, old, other, failOver } = pair
    await old.once((client) => client.config('SET', 'min-replicas-to-write', 2))
    await failOver()
    await waitFor(() => store.set('a:b', 'after').then(() => true), { what: 'a write' })
    expect(await other.repeatable((client) => client.get('a:b'))).toContain('after')
  })

  test('stays so: what can be read is read meanwhile', async () => {
    await using pair = await openPair()
    const { store, follow, old } = pair
    await follow()
    const refused = await failure(store.set('a:b', 'during'))
    expect(refused.error).toMatchObject({ reason: 'STORE_UNAVAILABLE', retryable: true })
    await waitFor(async () => (await store.get('a:b')) === 'before', { what: 'a read' })
    await old.once((client) => client.call('REPLICAOF', 'NO', 'ONE'))
    await waitFor(() => store.set('a:b', 'after').then(() => true), { what: 'a write' })
    expect(await store.get('a:b')).toBe('after')
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

async function connectStore(url: string): Promise<AsyncDisposable & { store: Store; connection: RedisConnection }> {
  const connection = await connectTestRedis({ url, prefix: 'outage:' })
  return {
    connection,
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
