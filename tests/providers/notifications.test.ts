import { describe, expect, test } from 'vitest'
import { createLog } from '../../src/kernel/log.ts'
import { createInProcessNotifications } from '../../src/providers/notifications/in-process.ts'
import { connectRedisNotifications } from '../../src/providers/notifications/redis.ts'
import { notificationsContract } from '../contracts/notifications.ts'
import { realServer } from '../harness/real-server.ts'
import { connectTestRedis } from '../harness/redis-connection.ts'
import { startRedisServer } from '../harness/redis-server.ts'
import { openTcpGate } from '../harness/tcp-gate.ts'
import { waitFor } from '../harness/wait-for.ts'

const log = createLog('silent')
const redis = await realServer('redis')

describe('notifications in one process', () => {
  notificationsContract(async () => {
    const notifications = createInProcessNotifications({ log })
    return { notifications, other: notifications, [Symbol.asyncDispose]: () => notifications.close() }
  })
})

describe.skipIf(redis === null)('notifications over Redis', () => {
  notificationsContract(async () => {
    const prefix = `test:${crypto.randomUUID()}:`
    const [one, two] = await Promise.all([connectInstance({ prefix }), connectInstance({ prefix })])
    return {
      notifications: one.notifications,
      other: two.notifications,
      [Symbol.asyncDispose]: async () => {
        await one[Symbol.asyncDispose]()
        await two[Symbol.asyncDispose]()
      },
    }
  })

  test('do not leave their prefix', async () => {
    const prefix = `test:${crypto.randomUUID()}:`
    await using one = await connectInstance({ prefix })
    await using mate = await connectInstance({ prefix })
    await using stranger = await connectInstance({ prefix: `test:${crypto.randomUUID()}:` })
    const received: string[] = []
    one.notifications.subscribe('topic', ({ payload }) => received.push(payload))
    await stranger.notifications.publish({ topic: 'topic', workspaceId: 'w1', payload: 'from a stranger' })
    await mate.notifications.publish({ topic: 'topic', workspaceId: 'w1', payload: 'from a mate' })
    await waitFor(() => received.length > 0)
    expect(received).toEqual(['from a mate'])
  })

  test('without Redis a process still receives its own notifications; afterwards all receive all and learn about the gap', async () => {
    await using server = await startRedisServer(redis?.binary ?? '')
    await using one = await connectInstance({ url: server.url })
    await using two = await connectInstance({ url: server.url })
    const received: string[] = []
    let gaps = 0
    one.notifications.subscribe('topic', ({ payload }) => received.push(payload))
    const readAtGap: string[] = []
    two.notifications.onGap(() => {
      gaps += 1
      void two.connection
        .once((client) => client.ping())
        .then(
          (answer) => readAtGap.push(answer),
          (error: unknown) => readAtGap.push(String(error)),
        )
    })
    two.notifications.subscribe('topic', ({ payload }) => received.push(`far ${payload}`))
    await server.kill()
    await one.notifications.publish({ topic: 'topic', workspaceId: 'w1', payload: 'alone' })
    expect(received).toEqual(['alone'])
    expect(gaps).toBe(0)
    await using again = await startRedisServer(redis?.binary ?? '', { port: server.port })
    await waitFor(() => gaps === 1, { what: 'the gap to be reported' })
    await waitFor(async () => {
      await one.notifications.publish({ topic: 'topic', workspaceId: 'w1', payload: 'together' })
      return received.includes('far together')
    })
    expect(received).not.toContain('far alone')
    // Who drops what it knew reads the store next.
    expect(readAtGap).toEqual(['PONG'])
    expect(again.port).toBe(server.port)
  })

  test('detects a network that drops all packets although nothing is published', async () => {
    await using server = await startRedisServer(redis?.binary ?? '')
    await using gate = await openTcpGate(server.port)
    await using instance = await connectInstance({ url: `redis://127.0.0.1:${gate.port}` })
    let gaps = 0
    instance.notifications.onGap(() => (gaps += 1))
    gate.swallow()
    gate.heal()
    await waitFor(() => gaps === 1, { what: 'a new subscription' })
    expect(gaps).toBe(1)
  })
})

async function connectInstance(options: { url?: string; prefix?: string }) {
  const connection = await connectTestRedis({ prefix: 'notifications:', ...options })
  const notifications = await connectRedisNotifications({ connection, log })
  return {
    connection,
    notifications,
    async [Symbol.asyncDispose]() {
      await notifications.close()
      await connection[Symbol.asyncDispose]()
    },
  }
}
