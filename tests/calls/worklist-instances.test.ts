import { expect, inject, test } from 'vitest'
import { z } from 'zod'
import { sandboxPassword } from '../../src/sandbox/platform/seed.ts'
import { ask, startInstances } from '../harness/instances.ts'
import { startRedisServer } from '../harness/redis-server.ts'
import { subscribe } from '../harness/subscribe.ts'
import { waitFor } from '../harness/wait-for.ts'

const redis = inject('redis')
const tokenSchema = z.object({ tokens: z.object({ accessToken: z.object({ token: z.string() }) }) })
const entriesSchema = z.array(z.object({ id: z.string(), phoneNumber: z.string(), status: z.string() }))

async function signIn(url: string, name: string): Promise<string> {
  const body = { email: `${name}@demo.example`, password: sandboxPassword, workspace: 'demo' }
  return tokenSchema.parse((await ask(url, '/auth/login', { body })).body).tokens.accessToken.token
}

test.skipIf(redis === null)('agents of two instances share one worklist, and never claim the same person', async () => {
  await using server = await startRedisServer(redis?.binary ?? '')
  await using instances = await startInstances({ count: 2, redisUrl: server.url, receivesWebhooks: true })
  const [first = '', second = ''] = instances.urls
  const { telephony } = instances.standIns
  telephony.accountMode({ mode: 'token' })
  const [one, two] = [await signIn(first, 'agent1'), await signIn(second, 'agent2')]
  const changes = await subscribe(second, { query: 'subscription { worklistChanges { entry { id status } } }', token: two })
  for (let index = 0; index < 20; index += 1) telephony.missCall({ from: `+9198333000${String(index).padStart(2, '0')}` })
  const entries = await waitFor(async () => {
    const found = entriesSchema.parse((await ask(first, '/api/calls/worklist', { token: one })).body)
    return found.length === 20 ? found : null
  })
  const claim = (url: string, id: string, token: string) => ask(url, `/api/calls/worklist/${id}/claim`, { token, body: {} })
  const answers = await Promise.all(entries.map(({ id }) => Promise.all([claim(first, id, one), claim(second, id, two)])))
  for (const both of answers) expect(both.map(({ status }) => status).toSorted((low, high) => low - high)).toEqual([200, 409])
  await waitFor(() => entries.every(({ id }) => changes.text.includes(`"id":"${id}","status":"CLAIMED"`)))
  changes.leave()
  await waitFor(() => changes.ended)
})
