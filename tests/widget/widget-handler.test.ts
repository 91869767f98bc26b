import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp } from '../harness/app.ts'
import { createWidgetDesk, site, visitorOf, type WidgetDesk } from '../harness/widget-desk.ts'

describe('the widget handler', () => {
  let desk: WidgetDesk
  beforeAll(async () => {
    desk = await createWidgetDesk()
  })
  afterAll(() => desk[Symbol.asyncDispose]())

  test('returns the widget and the theme, and nothing else', async () => {
    const answer = await desk.visit('GET', 'config')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('access-control-allow-origin')).toBe(site)
    expect(answer.headers.get('vary')).toContain('Origin')
    expect(answer.body).toEqual({
      widget: {
        enabled: true,
        greeting: 'Hello! How can we help you?',
        placeholder: 'Write a message',
        position: 'RIGHT',
        bookingEnabled: true,
        chatEnabled: true,
      },
      theme: {
        brand: { hospitalName: 'Sunrise Hospital', logoUrl: null },
        colors: { primary: '#1456c4', accent: '#0b7a6f', background: '#ffffff', text: '#1b1f24' },
        fonts: { heading: 'system-ui, sans-serif', body: 'system-ui, sans-serif' },
      },
    })
  })

  test('rejects an unknown key on every path, and ignores a member’s token', async () => {
    const refused = { status: 401, body: { code: 'UNAUTHENTICATED', reason: 'WIDGET_KEY_REFUSED', status: 401 } }
    expect(await desk.visit('GET', 'config', { key: 'sunrise-hospital_aaaaaaaaaaaaaaaaaaaaaaaa' })).toMatchObject(refused)
    expect(await desk.visit('GET', 'config', { key: '' })).toMatchObject(refused)
    expect(await desk.visit('GET', 'config', { key: '__proto__' })).toMatchObject(refused)
    expect(await desk.app.rest('GET', '/api/widget/config', { token: desk.token, headers: { origin: site } })).toMatchObject(refused)
  })

  test.each([
    ['https://evil.example'],
    ['https://www.hospital.example.evil.example'],
    ['http://www.hospital.example'],
    ['https://www.hospital.example:8443'],
    ['https://hospital.example'],
    ['null'],
  ])('rejects pages of %s, which cannot read the answer either', async (origin) => {
    const answer = await desk.visit('GET', 'config', { origin })
    expect(answer).toMatchObject({ status: 403, body: { code: 'FORBIDDEN', reason: 'ORIGIN_REFUSED' } })
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  })

  test('a key is valid only on its own sites', async () => {
    const other = await desk.newKey(['https://other.example'])
    expect((await desk.visit('GET', 'config', { key: other })).status).toBe(403)
    expect((await desk.visit('GET', 'config', { key: other, origin: 'https://other.example' })).status).toBe(200)
  })

  test('a preflight succeeds for the origins of any key', async () => {
    const preflight = (origin: string, path = 'config') =>
      fetch(`${desk.app.url}/api/widget/${path}`, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'DELETE', 'access-control-request-headers': 'x-widget-key' },
      })
    for (const path of ['config', 'bookings', 'bookings/1']) {
      const allowed = await preflight(site, path)
      expect(allowed.status).toBe(204)
      expect(allowed.headers.get('access-control-allow-origin')).toBe(site)
      expect(allowed.headers.get('access-control-allow-methods')).toBe('GET, POST, DELETE')
      expect(allowed.headers.get('access-control-allow-headers')).toBe('x-widget-key, content-type')
      expect(allowed.headers.get('access-control-allow-credentials')).toBeNull()
    }
    for (const foreign of ['https://evil.example', 'null', 'http://www.hospital.example']) {
      const refused = await preflight(foreign)
      expect(refused.status).toBe(204)
      expect(refused.headers.get('access-control-allow-origin')).toBeNull()
    }
  })

  test('rejects the frontend of a workspace', async () => {
    const frontend = new URL(desk.app.standIns.platform.workspaceUrl.replace('{workspace}', 'demo')).origin
    const answer = await desk.visit('GET', 'config', { origin: frontend })
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([403, null])
  })

  describe('a page of the service’s own host, which sends no Origin with a GET', () => {
    const get = async (key: string, headers: Record<string, string>) =>
      (await desk.visit('GET', 'config', { key, origin: null, headers })).status

    test('is accepted if the key has that origin', async () => {
      const own = await desk.newKey([desk.app.url])
      expect(await get(own, { 'sec-fetch-site': 'same-origin', referer: `${desk.app.url}/widget/demo` })).toBe(200)
      expect(await get(own, { 'sec-fetch-site': 'same-origin' })).toBe(200)
      expect(await get(own, { referer: `${desk.app.url}/widget/demo` })).toBe(200)
    })

    test('is rejected otherwise', async () => {
      const own = await desk.newKey([desk.app.url])
      expect(await get(own, {})).toBe(403)
      expect(await get(own, { 'sec-fetch-site': 'cross-site' })).toBe(403)
      expect(await get(own, { 'sec-fetch-site': 'same-site', referer: `${desk.app.url}/` })).toBe(403)
      expect(await get(own, { 'sec-fetch-site': 'same-origin', referer: 'https://evil.example/' })).toBe(403)
      expect(await get(desk.key, { 'sec-fetch-site': 'same-origin' })).toBe(403)
      expect(await get(desk.key, { referer: 'not an address' })).toBe(403)
    })
  })

  test('answers 404 at other paths, and lists the allowed methods', async () => {
    expect(await desk.visit('GET', 'nothing')).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
    const wrong = await desk.visit('POST', 'config', { body: {} })
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    expect((await desk.visit('HEAD', 'config')).body).toBe('')
  })
})

test('chatEnabled is false if no model is chosen', async () => {
  await using desk = await createWidgetDesk()
  await desk.app.rest('PUT', '/api/config/ai', { token: desk.token, body: { model: null } })
  expect((await desk.visit('GET', 'config')).body).toMatchObject({ widget: { chatEnabled: false } })
})

test('limits an address to 300 requests a minute, an IPv6 network counts as one, and the page can read the error', async () => {
  await using desk = await createWidgetDesk()
  const flood = async (address: (index: number) => string) => {
    const answers = await Promise.all(Array.from({ length: 320 }, (_, index) => desk.visit('GET', 'config', { address: address(index) })))
    return answers.filter(({ status }) => status === 429)
  }
  const refused = await flood(() => '203.0.113.7')
  expect(refused.length).toBe(20)
  expect(refused[0]).toMatchObject({ body: { code: 'RATE_LIMITED', reason: 'TOO_MANY_TRIES', retryable: true } })
  expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(refused[0]?.headers.get('access-control-allow-origin')).toBe(site)
  expect((await flood((index) => `2001:db8:1:2::${index.toString(16)}`)).length).toBe(20)
  expect((await flood((index) => `198.51.${index >> 8}.${index & 255}`)).length).toBe(0)
})

test('two workspaces are isolated from each other', async () => {
  await using app = await createTestApp()
  const keys: string[] = []
  for (const workspace of ['demo', 'acme']) {
    const { token } = await app.signIn(`manager@${workspace}.example`)
    await app.rest('PUT', '/api/config/theme', { token, body: { brand: { hospitalName: `${workspace} hospital` } } })
    const made = await app.rest('POST', '/api/config/widget/keys', { token, body: { origins: [site] } })
    keys.push(String(Reflect.get(Object(made.body), 'key')))
  }
  const names = await Promise.all(keys.map(async (key) => (await visitorOf(app, key)('GET', 'config')).body))
  expect(names).toMatchObject([
    { theme: { brand: { hospitalName: 'demo hospital' } } },
    { theme: { brand: { hospitalName: 'acme hospital' } } },
  ])
})
