import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ask, startInstances } from '../harness/instances.ts'
import { realServer } from '../harness/real-server.ts'
import { startRedisServer } from '../harness/redis-server.ts'
import { waitFor } from '../harness/wait-for.ts'

const redis = await realServer('redis')
const signInSchema = z.object({ tokens: z.object({ accessToken: z.object({ token: z.string() }) }) })

describe.skipIf(redis === null)('several instances on one Redis', () => {
  test('subscribe each account once between them', async () => {
    await using server = await startRedisServer(redis?.binary ?? '')
    await using service = await startInstances({ count: 4, redisUrl: server.url, receivesWebhooks: true })
    const { telephony } = service.standIns
    const account = { email: 'manager@demo.example', password: 'sandbox-password', workspace: 'demo' }
    for (const url of service.urls) {
      const { token } = signInSchema.parse((await ask(url, '/auth/login', { body: account })).body).tokens.accessToken
      // The connection test does what is due at once, on this instance.
      expect((await ask(url, '/api/config/telephony/test', { body: {}, token })).status).toBe(200)
      await waitFor(async () => JSON.stringify((await ask(url, '/api/calls/live-events', { token })).body).includes('SUBSCRIBED'))
    }
    // Once at the start, and at most once more for the webhook key that the setup has made meanwhile.
    for (const name of ['demo-account', 'acme-account'])
      expect(telephony.liveEvents({ account: name }).subscriptions).toBeLessThanOrEqual(2)
  })
})
