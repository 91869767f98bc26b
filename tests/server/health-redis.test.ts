import { expect, test } from 'vitest'
import { createTestApp } from '../harness/app.ts'
import { becomes, partOf, readiness } from '../harness/health.ts'
import { realServer } from '../harness/real-server.ts'
import { connectTestRedis } from '../harness/redis-connection.ts'
import { startRedisServer } from '../harness/redis-server.ts'

const redis = await realServer('redis')

test.skipIf(redis === null)(
  'a Redis whose memory is full answers pings, but is down; one that hangs is among the paused upstreams too',
  async () => {
    await using server = await startRedisServer(redis?.binary ?? '')
    await using app = await createTestApp({
      environment: { REDIS_URL: server.url, SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') },
    })
    await becomes(app, 'store', 'up')
    // Nothing that grows is on its disk, and DATA_DIR need not exist.
    expect(await partOf(app, 'disk')).toBeUndefined()
    await using connection = await connectTestRedis({ url: server.url, prefix: 'full:' })
    await connection.once((client) => client.config('SET', 'maxmemory', '1'))
    await becomes(app, 'store', 'down')
    expect((await readiness(app)).status).toBe(503)
    await connection.once((client) => client.config('SET', 'maxmemory', '0'))
    await becomes(app, 'store', 'up')

    const metrics = async () => String((await app.rest('GET', '/metrics')).body)
    expect(await metrics()).toContain('sidecar_upstreams_paused{party="redis"} 0')
    server.hang()
    expect((await becomes(app, 'upstreams', 'degraded')).reason).toContain('Redis gets no requests at present')
    expect(await metrics()).toContain('sidecar_upstreams_paused{party="redis"} 1')
    server.goOn()
    await becomes(app, 'store', 'up')
    await becomes(app, 'upstreams', 'up')
  },
)
