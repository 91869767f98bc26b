import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Answer, ask, type Instances, startInstances } from '../harness/instances.ts'
import { realServer } from '../harness/real-server.ts'
import { type RedisServer, startRedisServer } from '../harness/redis-server.ts'
import { usualDeadlines } from '../harness/patient-settings.ts'
import { waitFor } from '../harness/wait-for.ts'

const redis = await realServer('redis')
const password = 'sandbox-password'
const signInSchema = z.object({
  tokens: z.object({ accessToken: z.object({ token: z.string() }), refreshToken: z.object({ token: z.string() }) }),
})
const agentSchema = z.object({ session: z.object({ agentId: z.string() }) })

describe.skipIf(redis === null)('two instances on one Redis', () => {
  let server: RedisServer
  let service: Instances
  beforeAll(async () => {
    server = await startRedisServer(redis?.binary ?? '')
    service = await startInstances({ count: 2, redisUrl: server.url })
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  })

  const url = (index: number): string => service.urls[index % 2] ?? ''
  const logIn = (name: string, index = 0): Promise<Answer> =>
    ask(url(index), '/auth/login', { body: { email: `${name}@demo.example`, password, workspace: 'demo' } })
  const agentOf = ({ body }: Answer): string => agentSchema.parse(body).session.agentId
  const tokensOf = ({ body }: Answer): { token: string; refreshToken: string } => {
    const { tokens } = signInSchema.parse(body)
    return { token: tokens.accessToken.token, refreshToken: tokens.refreshToken.token }
  }

  test('accept three of 90 concurrent sign-ins of three agents, and refuse the others', async () => {
    const all = await Promise.all(Array.from({ length: 90 }, (_, index) => logIn(`agent${(index % 3) + 1}`, index)))
    const won = all.filter(({ status }) => status === 200)
    expect([won.length, new Set(won.map(agentOf)).size]).toEqual([3, 3])
    // A busy machine may answer some too late. They have no session, and are worth another try.
    for (const answer of all.filter(({ status }) => status !== 200 && status !== 409))
      expect(answer.body).toMatchObject({ retryable: true })
    for (const answer of won) await ask(url(1), '/auth/logout', { token: tokensOf(answer).token, body: {} })
    const again = await Promise.all([logIn('agent1', 1), logIn('agent2', 0)])
    for (const answer of again) {
      expect(answer.status).toBe(200)
      await ask(url(0), '/auth/logout', { token: tokensOf(answer).token, body: {} })
    }
  })

  test('ask the platform once for 20 concurrent renewals of one token', async () => {
    const { refreshToken } = tokensOf(await logIn('user'))
    service.standIns.platform.forgetCalls()
    const all = await Promise.all(Array.from({ length: 20 }, (_, index) => ask(url(index), '/auth/refresh', { body: { refreshToken } })))
    expect(new Set(all.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect(all[0]?.status).toBe(200)
    expect(service.standIns.platform.calls('renewToken')).toHaveLength(1)
  })

  test('count wrong passwords together', async () => {
    const tries = Array.from({ length: 40 }, (_, index) =>
      ask(url(index), '/auth/login', { body: { email: 'user@acme.example', password: `wrong ${index}`, workspace: 'acme' } }),
    )
    const statuses = (await Promise.all(tries)).map(({ status }) => status)
    expect([statuses.filter((status) => status === 401).length, statuses.filter((status) => status === 429).length]).toEqual([10, 30])
  })
})

describe.skipIf(redis === null)('while Redis is away', () => {
  test.each(['hanging', 'dead'] as const)(
    '(%s) no agent signs in, other requests succeed, and agents can sign in after its return',
    async (how) => {
      await using first = await startRedisServer(redis?.binary ?? '')
      await using service = await startInstances({ count: 1, redisUrl: first.url, environment: usualDeadlines })
      const [url = ''] = service.urls
      const logIn = (name: string): Promise<Answer> =>
        ask(url, '/auth/login', { body: { email: `${name}@demo.example`, password, workspace: 'demo' } })
      const member = signInSchema.parse((await logIn('user')).body).tokens

      if (how === 'hanging') first.hang()
      else await first.kill()

      const agent = await logIn('agent1')
      expect(agent).toMatchObject({ status: 503, body: { code: 'UPSTREAM_UNAVAILABLE', reason: 'STORE_UNAVAILABLE' } })
      expect(Number(agent.headers.get('retry-after'))).toBeGreaterThan(0)
      // How soon, `npm run prove:sessions` measures.
      expect((await logIn('agent2')).status).toBe(503)
      expect(service.standIns.telephony.agent({ agentId: 'agent1' }).status).toBe('loggedOut')

      expect(await logIn('user')).toMatchObject({ status: 200, body: { role: 'USER' } })
      const refreshed = await Promise.all(
        Array.from({ length: 5 }, () => ask(url, '/auth/refresh', { body: { refreshToken: member.refreshToken.token } })),
      )
      for (const { status } of refreshed) expect(status).toBe(200)
      expect(service.standIns.platform.calls('renewToken')).toHaveLength(1)
      const query = { query: '{ me { role } leads(first: 1) { totalCount } }' }
      const mixed = await ask(url, '/graphql', { token: member.accessToken.token, body: query })
      expect(mixed.body).toMatchObject({
        data: { me: { role: 'USER' }, leads: { totalCount: service.standIns.platform.records('demo', 'lead').length } },
      })

      await using again = how === 'hanging' ? null : await startRedisServer(redis?.binary ?? '', { port: first.port })
      if (!again) first.goOn()
      await waitFor(async () => (await logIn('agent1')).status === 200, { what: 'an agent to sign in' })
      expect(await logIn('agent1')).toMatchObject({ status: 409 })
      expect(service.standIns.telephony.agent({ agentId: 'agent1' }).status).toBe('AUX')
    },
  )
})
