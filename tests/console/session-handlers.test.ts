import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { sandboxPassword } from '../../src/sandbox/platform/seed.ts'
import { createTestApp, type TestApp } from '../harness/app.ts'

/** The console's own sign-in: the refresh token is in a cookie that is good for the renewal alone. */

let app: TestApp
beforeAll(async () => {
  app = await createTestApp({ environment: { PUBLIC_URL: 'https://calls.example.com' } })
})
afterAll(() => app[Symbol.asyncDispose]())

const issuedSchema = z.object({
  tokens: z.object({ accessToken: z.object({ token: z.string() }), refreshToken: z.object({ token: z.string(), expiresAt: z.string() }) }),
})
type Headers = Readonly<Record<string, string>>
const own = (): Headers => ({ origin: app.url, 'sec-fetch-site': 'same-origin', 'x-console-session': '1' })

const without = (given: Headers, name: string): Headers => Object.fromEntries(Object.entries(given).filter(([other]) => other !== name))

const post = (step: string, body: object, headers: Headers = own()) => app.rest('POST', `/console/session/${step}`, { body, headers })

async function signIn(name: string, headers: Headers = own()) {
  const answer = await post('sign-in', { email: `${name}@demo.example`, password: sandboxPassword, workspace: 'demo' }, headers)
  expect(answer.status).toBe(200)
  const { tokens } = issuedSchema.parse(answer.body)
  const set = answer.headers.get('set-cookie') ?? ''
  return {
    token: tokens.accessToken.token,
    given: tokens.refreshToken,
    set,
    cookie: set.split(';', 1)[0] ?? '',
    owner: ownerOf(tokens.accessToken.token),
  }
}

function ownerOf(token: string): { userId: string; workspaceId: string } {
  const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  const { sub, workspaceId } = z.object({ sub: z.string(), workspaceId: z.string() }).parse(claims)
  return { userId: sub, workspaceId }
}

describe('the sign-in of the console', () => {
  test('answers like POST /auth/login, with the refresh token only in the cookie', async () => {
    const { given, set, token, cookie, owner } = await signIn('manager')
    expect(given.token).toBe('')
    expect(set).toMatch(/^console-renewal=[\w.-]{100,}; Path=\/console\/session; Max-Age=5184000; HttpOnly; SameSite=Strict$/)
    expect(await app.rest('GET', '/auth/me', { token })).toMatchObject({ status: 200, body: { role: 'MANAGER' } })
    const renewed = await post('renew', owner, { ...own(), cookie })
    expect(renewed).toMatchObject({ status: 200, body: { tokens: { refreshToken: { token: '' } } } })
    expect(renewed.headers.get('set-cookie')).toMatch(/^console-renewal=[\w.-]{100,};/)
    expect(JSON.stringify(renewed.body)).not.toContain(cookie.slice(20))
  })

  test('over https the cookie is Secure, by its name too', async () => {
    const headers = { ...own(), origin: 'https://calls.example.com' }
    const { set, cookie, owner } = await signIn('manager', headers)
    expect(set).toMatch(/^__Secure-console-renewal=.*; HttpOnly; SameSite=Strict; Secure$/)
    expect(await post('renew', owner, { ...headers, cookie })).toMatchObject({ status: 200 })
  })

  test('refuses wrong credentials and bad bodies like the other paths, without a cookie', async () => {
    const wrong = await post('sign-in', { email: 'manager@demo.example', password: 'wrong', workspace: 'demo' })
    expect(wrong).toMatchObject({ status: 401, body: { reason: 'SIGN_IN_REFUSED' } })
    expect(wrong.headers.get('set-cookie')).toBeNull()
    expect(await post('sign-in', { password: 'x' })).toMatchObject({ status: 400 })
    expect(await post('renew', {})).toMatchObject({
      status: 400,
      body: { data: { fields: [{ path: 'body.userId' }, { path: 'body.workspaceId' }] } },
    })
    expect(await app.rest('GET', '/console/session/renew', { headers: own() })).toMatchObject({ status: 405 })
  })
})

describe('the cookie', () => {
  test('signs nobody in anywhere else', async () => {
    const { cookie, owner } = await signIn('manager')
    const headers = { ...own(), cookie }
    expect(await app.rest('GET', '/auth/me', { headers })).toMatchObject({ status: 401, body: { reason: 'TOKEN_MISSING' } })
    expect(await app.rest('POST', '/auth/refresh', { headers, body: { refreshToken: '' } })).toMatchObject({ status: 400 })
    for (const path of ['/graphql', '/metadata']) {
      const answer = await app.rest('POST', path, { headers, body: { query: '{ currentUser { id } }' } })
      expect(JSON.stringify(answer.body)).not.toContain(owner.userId)
    }
    expect(JSON.stringify(app.standIns.platform.calls().map((call) => call.headers))).not.toContain('console-renewal')
  })

  test.each<readonly [string, (given: Headers) => Headers]>([
    ['a page of another site', (given) => ({ ...given, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' })],
    ['a page of a sibling domain', (given) => ({ ...given, origin: 'https://other.example.com', 'sec-fetch-site': 'same-site' })],
    [
      'a frontend that CORS allows',
      (given) => ({ ...given, origin: app.standIns.platform.workspaceUrl.replace('{workspace}', 'demo'), 'sec-fetch-site': 'cross-site' }),
    ],
    ['an old browser on another site', (given) => ({ ...without(given, 'sec-fetch-site'), origin: 'http://evil.example' })],
    ['another port of this machine', (given) => ({ ...without(given, 'sec-fetch-site'), origin: 'http://127.0.0.1:1' })],
    ['a form without the header', (given) => without(given, 'x-console-session')],
    ['a request without an origin', (given) => without(given, 'origin')],
  ])('is of no use to %s, nor is a sign-in', async (_what, change) => {
    const { cookie, owner } = await signIn('manager')
    app.standIns.platform.forgetCalls()
    const headers = change({ ...own(), cookie })
    const refused = { status: 403, body: { code: 'FORBIDDEN', reason: 'ORIGIN_REFUSED' } }
    for (const step of ['renew', 'end', 'exchange', 'sign-in']) {
      const answer = await post(
        step,
        step === 'sign-in' ? { email: 'user@demo.example', password: sandboxPassword, workspace: 'demo' } : owner,
        headers,
      )
      expect(answer, step).toMatchObject(refused)
      expect(answer.headers.get('set-cookie')).toBeNull()
    }
    expect(app.standIns.platform.calls()).toEqual([])
  })

  test('no preflight allows the paths to another origin', async () => {
    const origin = app.standIns.platform.workspaceUrl.replace('{workspace}', 'demo')
    const headers = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-console-session' }
    const answer = await app.rest('OPTIONS', '/console/session/renew', { headers })
    expect(answer.status).toBe(405)
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  })

  test('an old browser on the own page may renew', async () => {
    const headers = without(own(), 'sec-fetch-site')
    const { cookie, owner } = await signIn('manager', headers)
    expect(await post('renew', owner, { ...headers, cookie })).toMatchObject({ status: 200 })
  })

  test('of somebody else renews nothing, and their sign-out does not delete it', async () => {
    const [one, two] = [await signIn('manager'), await signIn('user')]
    app.standIns.platform.forgetCalls()
    const headers = { ...own(), cookie: two.cookie }
    expect(await post('renew', one.owner, headers)).toMatchObject({ status: 401, body: { reason: 'TOKEN_REFUSED' } })
    const ended = await post('end', one.owner, headers)
    expect(ended).toMatchObject({ status: 200, body: { ended: false } })
    expect(ended.headers.get('set-cookie')).toBeNull()
    expect(app.standIns.platform.calls('renewToken')).toEqual([])
    // Another site of the domain has set one of the same name.
    expect(await post('renew', two.owner, { ...own(), cookie: `${one.cookie}; ${two.cookie}` })).toMatchObject({ status: 200 })
  })

  test('two tabs that renew at once get the same tokens; after the sign-out it is refused and deleted', async () => {
    const { token, cookie, owner } = await signIn('user')
    const headers = { ...own(), cookie }
    const [one, two] = await Promise.all([post('renew', owner, headers), post('renew', owner, headers)])
    expect(one.body).toEqual(two.body)
    expect(one.headers.get('set-cookie')).toBe(two.headers.get('set-cookie'))
    await app.rest('POST', '/auth/logout', { token, body: {} })
    const next = { ...own(), cookie: (one.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '' }
    expect(await post('renew', owner, next)).toMatchObject({ status: 401, body: { data: { endedBy: 'SIGN_OUT' } } })
    const ended = await post('end', owner, next)
    expect(ended.headers.get('set-cookie')).toMatch(/^console-renewal=; Path=\/console\/session; Max-Age=0; /)
  })
})
