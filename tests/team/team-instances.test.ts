import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Answer, ask, type Instances, startInstances } from '../harness/instances.ts'
import { realServer } from '../harness/real-server.ts'
import { type RedisServer, startRedisServer } from '../harness/redis-server.ts'
import { asha } from '../harness/team-desk.ts'

const redis = await realServer('redis')
const signInSchema = z.object({ tokens: z.object({ accessToken: z.object({ token: z.string() }) }) })
const memberSchema = z.object({ member: z.object({ id: z.string() }) })

describe.skipIf(redis === null)('a team on two instances with one Redis', () => {
  let server: RedisServer
  let service: Instances
  let manager: string
  const url = (index: number): string => service.urls[index % 2] ?? ''
  const logIn = async (name: string, password = 'sandbox-password'): Promise<string> => {
    const body = { email: `${name}@demo.example`, password, workspace: 'demo' }
    return signInSchema.parse((await ask(url(0), '/auth/login', { body })).body).tokens.accessToken.token
  }
  const create = (index: number, more: object = {}): Promise<Answer> =>
    ask(url(index), '/api/team/members', { token: manager, body: { ...asha, ...more } })

  beforeAll(async () => {
    server = await startRedisServer(redis?.binary ?? '')
    service = await startInstances({ count: 2, redisUrl: server.url })
    manager = await logIn('manager')
    const query = 'mutation { updateWorkspace(data: { isPublicInviteLinkEnabled: false }) { id } }'
    await ask(service.standIns.platform.url, '/metadata', { token: manager, body: { query } })
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  })

  test('20 equal requests to both instances create one member and get one answer', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, (_, index) => create(index)))
    expect(new Set(all.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1)
    expect(all[0]?.status).toBe(200)
    expect(service.standIns.platform.calls('signUpInWorkspace')).toHaveLength(1)
  })

  test('different members are created one after another: the link is never closed during a sign-up', async () => {
    service.standIns.platform.forgetCalls()
    const all = await Promise.all(Array.from({ length: 8 }, (_, index) => create(index, { email: `several-${index}@demo.example` })))
    expect(all.map(({ status }) => status)).toEqual(all.map(() => 200))
    const moves = service.standIns.platform
      .calls()
      .map(({ operation }) => operation.replace('POST /metadata ', ''))
      .filter((operation) => operation === 'updateWorkspace' || operation === 'signUpInWorkspace')
    expect(moves).toEqual(all.flatMap(() => ['updateWorkspace', 'signUpInWorkspace', 'updateWorkspace']))
  })

  test('a role that was changed on one instance counts on the other with the next request', async () => {
    const token = await logIn('user')
    const roleAt = async (index: number) => (await ask(url(index), '/auth/me', { token })).body
    expect(await roleAt(1)).toMatchObject({ role: 'USER' })
    const { memberId } = z.object({ memberId: z.string() }).parse(await roleAt(0))
    const changed = await fetch(`${url(0)}/api/team/members/${memberId}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${manager}` },
      body: JSON.stringify({ role: 'MANAGER' }),
    })
    expect(changed.status).toBe(200)
    await expect.poll(() => roleAt(1)).toMatchObject({ role: 'MANAGER' })
  })

  test('no secret is in clear in Redis', async () => {
    const secrets = { sipPassword: 'phone-secret-51aa', providerAgentPassword: 'provider-secret-77bb' }
    const { body } = await create(0, { email: 'sealed@demo.example', agent: { sipExtension: '7400', ...secrets } })
    const { member } = memberSchema.parse(body)
    const read = await ask(url(1), `/api/team/members/${member.id}/temporary-password`, { token: manager })
    const { password } = z.object({ password: z.string() }).parse(read.body)
    const stored = await everythingIn(server.url)
    expect(stored).toContain(member.id)
    for (const secret of [password, ...Object.values(secrets)]) expect(stored.indexOf(secret)).toBe(-1)
  })
})

async function everythingIn(url: string): Promise<string> {
  const client = new Redis(url)
  try {
    const keys = await client.keys('*')
    const values = await Promise.all(keys.map(async (key) => [key, await valueOf(client, key)]))
    return JSON.stringify(values)
  } finally {
    client.disconnect()
  }
}

async function valueOf(client: Redis, key: string): Promise<unknown> {
  const type = await client.type(key)
  if (type === 'string') return client.get(key)
  if (type === 'zset') return client.zrange(key, '0', '-1')
  if (type === 'hash') return client.hgetall(key)
  if (type === 'list') return client.lrange(key, '0', '-1')
  throw new Error(`${key} is a ${type}: this test cannot read it yet`)
}
