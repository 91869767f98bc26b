import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sandboxPassword } from '../../src/sandbox/platform/seed.ts'
import { createTestApp, type TestApp } from '../harness/app.ts'
import { createTestClock } from '../harness/clock.ts'
import { inUsualTime } from '../harness/patient-settings.ts'

/** More than the wrong attempts that an account has in fifteen minutes. */
const attempts = 12
const errors = (message: string, extensions?: Readonly<Record<string, unknown>>) =>
  JSON.stringify({ errors: [{ message, extensions }], data: null })

/** Answers of a platform, or of a proxy before it, that says nothing about the credentials. */
const outages = [
  { name: 'a failing proxy', status: 503, body: '<html>' },
  { name: 'an internal error', status: 200, body: errors('Connection terminated', { code: 'INTERNAL_SERVER_ERROR' }) },
  { name: 'an internal error with its status', status: 500, body: errors('Connection terminated', { code: 'INTERNAL_SERVER_ERROR' }) },
  { name: 'a refusal with the status of an outage', status: 502, body: errors('Wrong password', { code: 'FORBIDDEN' }) },
  { name: 'a code that nobody recorded', status: 200, body: errors('Try later', { code: 'MAINTENANCE' }) },
  { name: 'an error without a code', status: 200, body: errors('Cannot read properties of undefined') },
  { name: 'a validation error of our own request', status: 400, body: errors('Unknown argument', { code: 'GRAPHQL_VALIDATION_FAILED' }) },
  { name: 'a firewall', status: 403, body: '<html>Blocked</html>' },
  { name: 'a proxy with its own sign-in', status: 401, body: '<html>Sign in</html>' },
  { name: 'a wrong address', status: 404, body: 'Not found' },
]

const clock = createTestClock(new Date().toISOString())
let app: TestApp
beforeAll(async () => {
  app = await createTestApp({ clock })
})
beforeEach(() => app.standIns.platform.clearFaults())
afterAll(() => app[Symbol.asyncDispose]())

const credentials = { email: 'user@demo.example', password: sandboxPassword, workspace: 'demo' }

test.for(outages)('$name at sign-in is answered 502 or 503, and counts against nobody', async ({ status, body }) => {
  for (const operation of ['getLoginTokenFromCredentials', 'getAuthTokensFromLoginToken', 'currentUser']) {
    app.standIns.platform.fault({ operation, act: 'refuse', status, body })
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const answer = await app.rest('POST', '/auth/login', { body: credentials })
      expect([502, 503], `${operation}: ${JSON.stringify(answer.body)}`).toContain(answer.status)
    }
    app.standIns.platform.clearFaults()
    expect(await app.rest('POST', '/auth/login', { body: credentials })).toMatchObject({ status: 200 })
  }
})

test.for(outages)('$name at refresh is answered 502 or 503, and the same token works afterwards', async ({ status, body }) => {
  const { refreshToken } = await app.signIn('user@demo.example')
  app.standIns.platform.fault({ operation: 'renewToken', act: 'refuse', status, body })
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const answer = await app.rest('POST', '/auth/refresh', { body: { refreshToken } })
    expect([502, 503], JSON.stringify(answer.body)).toContain(answer.status)
  }
  app.standIns.platform.clearFaults()
  expect(await app.rest('POST', '/auth/refresh', { body: { refreshToken } })).toMatchObject({ status: 200 })
})

test.for(outages)('$name at an own mutation of the platform counts against nobody', async ({ status, body }) => {
  const mutation = `mutation ($email: String!, $password: String!) {
    getLoginTokenFromCredentials(email: $email, password: $password, origin: "https://demo.localhost") { loginToken { token } }
  }`
  const { email, password } = credentials
  app.standIns.platform.fault({ operation: 'getLoginTokenFromCredentials', act: 'refuse', status, body })
  for (let attempt = 0; attempt < attempts; attempt += 1) await app.graphql(mutation, { variables: { email, password } })
  app.standIns.platform.clearFaults()
  expect(await app.rest('POST', '/auth/login', { body: credentials })).toMatchObject({ status: 200 })
})

test.for([...outages, { name: 'a platform that hangs', status: null, body: '' }])(
  '$name at a later request: who was known in the last 15 minutes goes on',
  async ({ status, body }) => {
    const { token } = await app.signIn('user@demo.example')
    app.standIns.platform.fault({ operation: 'currentUser', ...(status === null ? { act: 'hang' } : { act: 'refuse', status, body }) })
    clock.advance(899_000)
    using _ = inUsualTime()
    const left = app.standIns.platform.left('currentUser')
    expect(await app.graphql('{ me { role } }', { token })).toEqual({ data: { me: { role: 'USER' } } })
    // Before the question, to a platform that hangs, is given up.
    expect(app.standIns.platform.left('currentUser')).toBe(left)
    if (status === null) return
    clock.advance(1_000)
    const answer = await app.graphql('{ me { role } }', { token })
    expect(JSON.stringify(answer)).toContain('"code":"UPSTREAM_')
  },
)

test('a manager who goes on has no use of what the platform may have taken away', async () => {
  const { token } = await app.signIn('manager@demo.example')
  clock.advance(60_000)
  app.standIns.platform.fault({ operation: 'currentUser', act: 'refuse', status: 503 })
  const asked = (method: string, path: string, body?: object) => app.rest(method, path, { token, ...(body && { body }) })
  for (const [method, path, body] of [
    ['PUT', '/api/config/theme', { brand: { hospitalName: 'x' } }],
    ['GET', '/api/config/telephony'],
    ['GET', '/api/config/theme/history'],
    ['GET', '/api/team/members'],
    ['POST', '/api/config/widget/keys', { origins: ['https://www.hospital.example'] }],
    ['GET', '/api/history/calls.csv?from=2026-11-01&to=2026-11-02'],
  ] as const)
    expect(await asked(method, path, body), path).toMatchObject({ status: 503, body: { reason: 'PROVIDER_UNAVAILABLE', retryable: true } })
  for (const path of ['/api/config/theme', '/api/supervisor/overview']) expect((await asked('GET', path)).status, path).toBe(200)
  app.standIns.platform.clearFaults()
  clock.advance(60_000)
  expect(await asked('PUT', '/api/config/theme', { brand: { hospitalName: 'x' } })).toMatchObject({ status: 200 })
})

test('what the platform is recorded to refuse with is a refusal, and counts', async () => {
  const email = 'agent2@demo.example'
  const statuses: number[] = []
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    statuses.push((await app.rest('POST', '/auth/login', { body: { ...credentials, email, password: 'wrong' } })).status)
  }
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429])
})
