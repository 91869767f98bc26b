import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { newWidgetKey } from '../../src/features/widget/widget-key.ts'
import { createTestApp } from '../harness/app.ts'
import { createTestClock } from '../harness/clock.ts'
import { ask, startInstances } from '../harness/instances.ts'
import { realServer } from '../harness/real-server.ts'
import { startRedisServer } from '../harness/redis-server.ts'
import { createWidgetDesk, site, type WidgetDesk } from '../harness/widget-desk.ts'

const redis = await realServer('redis')
const keySchema = z.object({ key: z.string(), origins: z.array(z.string()), createdAt: z.string(), validUntil: z.string().nullable() })
const auditSchema = z.object({
  entries: z.array(z.object({ action: z.string(), targetKind: z.string().nullable(), targetId: z.string().nullable() })),
})
const dayMs = 86_400_000

test.each([
  ['Sunrise Hospital', 'sunrise-hospital'],
  ['  Clínica São João & Filhos  ', 'clinica-sao-joao-filhos'],
  ['सूर्योदय अस्पताल', 'widget'],
  ['--- 42! ---', '42'],
  ['Sunrise Children & Women’s Hospital', 'sunrise-children-womens-hospital'],
  ['Sunrise Children and Mothers Hospital', 'sunrise-children-and-mothers'],
  ['The Very Long Name Of A Hospital That Nobody Can Remember', 'the-very-long-name-of-a-hospital'],
])('a key of %s begins with %s', (name, prefix) => {
  expect(newWidgetKey(name)).toMatch(new RegExp(`^${prefix}_[a-km-np-z2-9]{24}$`))
  expect(newWidgetKey(name)).not.toBe(newWidgetKey(name))
})

describe('keys', () => {
  let desk: WidgetDesk
  beforeAll(async () => {
    desk = await createWidgetDesk({ clock: createTestClock() })
  })
  afterAll(() => desk[Symbol.asyncDispose]())

  const manage = async (method: string, path: string, body?: unknown) => {
    const answer = await desk.app.rest(method, `/api/config/widget/keys${path}`, { token: desk.token, body })
    return { status: answer.status, key: keySchema.safeParse(answer.body).data, body: answer.body }
  }
  const listed = async () => z.array(keySchema).parse((await manage('GET', '')).body)
  const counts = async (key: string) => (await desk.visit('GET', 'config', { key })).status === 200

  test('are created with normalised, distinct origins, and can be listed at any time', async () => {
    const origins = ['https://WWW.Hospital.Example/', 'https://www.hospital.example:443', 'http://localhost:3000', 'https://अस्पताल.example']
    const { status, key } = await manage('POST', '', { origins })
    expect(status).toBe(200)
    expect(key?.key).toMatch(/^sunrise-hospital_/)
    expect(key).toMatchObject({ createdAt: '2025-01-15T09:00:00.000Z', validUntil: null })
    expect(key?.origins).toEqual(['https://www.hospital.example', 'http://localhost:3000', 'https://xn--l1b6dra7a1a2byg.example'])
    expect(await listed()).toContainEqual(key)
  })

  test.each([
    [[]],
    [['*']],
    [['https://*.hospital.example']],
    [['https://hospital.example/page']],
    [['https://hospital.example/?a=1']],
    [['https://user@hospital.example']],
    [['ftp://hospital.example']],
    [['javascript:alert(1)']],
    [['hospital.example']],
    [['null']],
    [['']],
    [[`https://${'a'.repeat(400)}.example`]],
    [Array.from({ length: 21 }, (_, index) => `https://s${index}.example`)],
  ])('are rejected for the origins %j', async (origins) => {
    const before = await listed()
    const { status, body } = await manage('POST', '', { origins })
    expect(status).toBe(400)
    expect(body).toMatchObject({ reason: 'INVALID_INPUT', data: { fields: [{}] } })
    expect(JSON.stringify(body)).toMatch(/"path":"origins(\.\d+)?"/)
    expect(await listed()).toEqual(before)
  })

  test('are deleted at once, and every change is in the audit log', async () => {
    const key = await desk.newKey([site])
    expect(await counts(key)).toBe(true)
    const manager = { token: desk.token }
    expect((await desk.app.rest('DELETE', `/api/config/widget/keys/${key}`, manager)).status).toBe(200)
    expect(await counts(key)).toBe(false)
    const audit = await desk.app.rest('GET', '/api/audit', manager)
    const { entries } = auditSchema.parse(audit.body)
    expect(entries.filter((entry) => entry.targetId === key)).toEqual([
      { action: 'widgetKey.deleted', targetKind: 'widgetKey', targetId: key },
      { action: 'widgetKey.created', targetKind: 'widgetKey', targetId: key },
    ])
  })

  test('of another workspace are invisible', async () => {
    const other = await desk.app.signIn('manager@acme.example')
    const at = `/api/config/widget/keys`
    expect((await desk.app.rest('GET', at, { token: other.token })).body).toEqual([])
    for (const [method, path] of [['POST', `${at}/${desk.key}/rotate`] as const, ['DELETE', `${at}/${desk.key}`] as const]) {
      expect(await desk.app.rest(method, path, { token: other.token })).toMatchObject({ status: 404, body: { reason: 'NOT_FOUND' } })
    }
    expect(await counts(desk.key)).toBe(true)
  })

  test('are limited to 50', async () => {
    const missing = 50 - (await listed()).length
    for (let made = 0; made < missing; made += 1) await desk.newKey([site])
    expect(await manage('POST', '', { origins: [site] })).toMatchObject({ status: 409, body: { reason: 'WRONG_STATE' } })
  })
})

test('after a rotation the new key is valid at once and the old one for a day', async () => {
  const clock = createTestClock()
  await using desk = await createWidgetDesk({ clock })
  const counts = async (key: string) => (await desk.visit('GET', 'config', { key })).status === 200
  const listed = async (token: string) => z.array(keySchema).parse((await desk.app.rest('GET', '/api/config/widget/keys', { token })).body)
  const rotated = await desk.app.rest('POST', `/api/config/widget/keys/${desk.key}/rotate`, { token: desk.token })
  const { key, ...facts } = keySchema.parse(rotated.body)
  expect(facts).toEqual({ origins: [site], createdAt: '2025-01-15T09:00:00.000Z', validUntil: null })
  expect((await listed(desk.token)).find((one) => one.key === desk.key)).toMatchObject({ validUntil: '2025-01-16T09:00:00.000Z' })
  expect([await counts(key), await counts(desk.key)]).toEqual([true, true])
  clock.advance(dayMs - 1)
  expect(await counts(desk.key)).toBe(true)
  clock.advance(1)
  expect([await counts(key), await counts(desk.key)]).toEqual([true, false])
  const { token } = await desk.app.signIn('manager@demo.example')
  expect((await listed(token)).map((one) => one.key)).toEqual([key])
})

test('without a hospital name rejects a new key, and says where to set the name', async () => {
  await using app = await createTestApp()
  const { token } = await app.signIn('manager@demo.example')
  expect(await app.rest('POST', '/api/config/widget/keys', { token, body: { origins: [site] } })).toMatchObject({
    status: 409,
    body: {
      code: 'NOT_CONFIGURED',
      detail: "A widget key begins with the hospital's name: set brand.hospitalName in the theme (PUT /api/config/theme)",
      data: { section: 'theme', field: 'brand.hospitalName' },
    },
  })
})

test('keys are in a readable file, and two writers do not lose each other’s changes', async () => {
  await using desk = await createWidgetDesk()
  const made = await Promise.all(Array.from({ length: 12 }, (_, index) => desk.newKey([`https://s${index}.example`])))
  const file = await readFile(join(desk.app.dataDir, 'configuration', 'widget-keys.json'), 'utf8')
  for (const key of [desk.key, ...made]) expect(file).toContain(key)
})

describe.skipIf(redis === null)('on two instances', () => {
  test('a key that is created, rotated or deleted on one instance is known to the other', async () => {
    await using server = await startRedisServer(redis?.binary ?? '')
    await using instances = await startInstances({ count: 2, redisUrl: server.url })
    const [first = '', second = ''] = instances.urls
    const login = { email: 'manager@demo.example', password: 'sandbox-password', workspace: 'demo' }
    const signedIn = await ask(first, '/auth/login', { body: login })
    const { token } = z.object({ tokens: z.object({ accessToken: z.object({ token: z.string() }) }) }).parse(signedIn.body)
      .tokens.accessToken
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const put = { method: 'PUT', headers, body: JSON.stringify({ brand: { hospitalName: 'Sunrise' } }) }
    expect((await fetch(`${first}/api/config/theme`, put)).status).toBe(200)
    const status = async (key: string) =>
      (await fetch(`${second}/api/widget/config`, { headers: { 'x-widget-key': key, origin: site } })).status
    expect(await status('sunrise_nothing')).toBe(401)
    const made = await ask(first, '/api/config/widget/keys', { token, body: { origins: [site] } })
    const { key } = keySchema.parse(made.body)
    await expect.poll(() => status(key)).toBe(200)
    expect((await fetch(`${first}/api/config/widget/keys/${key}`, { method: 'DELETE', headers })).status).toBe(200)
    await expect.poll(() => status(key)).toBe(401)
  })
})
