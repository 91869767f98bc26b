import { stat } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createTestApp, type TestApp } from '../harness/app.ts'

/** What an attacker tried against the running service once, and must not get again. */
let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())

const metadata = (body: unknown, address: string) => app.rest('POST', '/metadata', { body, headers: { 'x-forwarded-for': address } })
const origin = '"http://demo.localhost"'

function guess(variable: string, email: string): unknown {
  const query = `mutation($${variable}: String! = "${email}") {
    getLoginTokenFromCredentials(email: $${variable}, password: "wrong", origin: ${origin}) { loginToken { token } } }`
  return { query }
}

describe('guessing through the platform’s own mutations', () => {
  test.each(['__proto__', 'constructor', 'toString', 'email'])(
    'counts for the account when its e-mail comes by a variable called %s',
    async (variable) => {
      const email = `${variable.replaceAll('_', 'x')}@demo.example`
      app.standIns.platform.forgetCalls()
      const address = `198.51.100.${variable.length}`
      const statuses: number[] = []
      for (let tries = 0; tries < 13; tries += 1) statuses.push((await metadata(guess(variable, email), address)).status)
      expect(app.standIns.platform.calls('getLoginTokenFromCredentials')).toHaveLength(10)
      expect(statuses).toHaveLength(13)
    },
  )

  test('counts beside a field of the records that does not exist', async () => {
    const { token } = await app.signIn('user@acme.example')
    app.standIns.platform.forgetCalls()
    const field = `getLoginTokenFromCredentials(email: "hidden@demo.example", password: "wrong", origin: ${origin}) { loginToken { token } }`
    for (let tries = 0; tries < 13; tries += 1) await app.graphql(`mutation { createNothing { id } ${field} }`, { token })
    expect(app.standIns.platform.calls('getLoginTokenFromCredentials')).toHaveLength(10)
  })

  test('an e-mail that is not a string does not reach the platform', async () => {
    app.standIns.platform.forgetCalls()
    const query = `mutation($e: String!) { getLoginTokenFromCredentials(email: $e, password: "x", origin: ${origin}) { loginToken { token } } }`
    const { body } = await metadata({ query, variables: { e: 5 } }, '198.51.100.50')
    expect(body).toMatchObject({ errors: [{ extensions: { code: 'BAD_USER_INPUT', data: { fields: [{ path: 'email' }] } } }] })
    expect(app.standIns.platform.calls('getLoginTokenFromCredentials')).toHaveLength(0)
  })

  test('a login token that is too long to be one does not reach the platform', async () => {
    app.standIns.platform.forgetCalls()
    const query = `mutation($t: String!) { getAuthTokensFromOTP(loginToken: $t, otp: "1", origin: ${origin}) { tokens { refreshToken { token } } } }`
    const { body } = await metadata({ query, variables: { t: `a.${'b'.repeat(8_200)}.c` } }, '198.51.100.51')
    expect(body).toMatchObject({ errors: [{ extensions: { code: 'BAD_USER_INPUT', data: { fields: [{ path: 'loginToken' }] } } }] })
    expect(app.standIns.platform.calls('getAuthTokensFromOTP')).toHaveLength(0)
  })

  test('a query for an account counts as an attempt and does not make the client its owner', async () => {
    const email = 'agent3@acme.example'
    const signIn = (address: string, password: string) =>
      app.rest('POST', '/auth/login', { body: { email, password, workspace: 'acme' }, headers: { 'x-forwarded-for': address } })
    const owner = await signIn('198.51.100.10', 'sandbox-password')
    expect(owner.status).toBe(200)
    const asked = { query: `{ checkUserExists(email: "${email}") { exists } }` }
    for (let tries = 0; tries < 15; tries += 1) await metadata(asked, '203.0.113.66')
    expect(app.standIns.platform.calls('checkUserExists')).toHaveLength(10)
    expect((await signIn('203.0.113.67', 'wrong')).status).toBe(429)
    // The owner's own tries are apart: this one reaches the session lock of the first sign-in.
    expect((await signIn('198.51.100.10', 'sandbox-password')).status).toBe(409)
  })

  test('a skipped sign-in does not make its client the account’s owner', async () => {
    const email = 'agent2@acme.example'
    app.standIns.platform.forgetCalls()
    const field = `getLoginTokenFromCredentials(email: "${email}", password: "wrong", origin: "http://acme.localhost")`
    const leftOut = { query: `mutation { toString: ${field} @skip(if: true) { loginToken { token } } t: __typename }` }
    expect((await metadata(leftOut, '203.0.113.70')).body).toEqual({ data: { t: 'Mutation' } })
    for (const address of ['203.0.113.70', '203.0.113.71']) {
      for (let tries = 0; tries < 12; tries += 1) await metadata({ query: `mutation { ${field} { loginToken { token } } }` }, address)
    }
    // Ten wrong ones for all addresses that never signed in.
    expect(app.standIns.platform.calls('getLoginTokenFromCredentials').length).toBeLessThanOrEqual(11)
  })
})

describe('malformed requests', () => {
  test.each([
    { query: '{ a '.repeat(200_000), operationName: 5 },
    { query: `{ ${'a '.repeat(400_000)} }`, operationName: ['x'] },
    { query: '{ a }', variables: 'none' },
  ])('are refused in words before anything is parsed', async (body) => {
    const startedAt = performance.now()
    const answer = await app.rest('POST', '/graphql', { body })
    expect(answer.body).toMatchObject({ errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] })
    expect(performance.now() - startedAt).toBeLessThan(5_000)
    expect(app.logged.filter((line) => line.includes('RangeError'))).toEqual([])
  })

  test('an error does not repeat a secret of the wrong type', async () => {
    const query = 'mutation($i: AgentLoginInput!) { agentLogin(input: $i) { memberId } }'
    const input = { email: 'a@demo.example', workspace: 'demo', password: { inner: 'SECRET-7' } }
    const byVariable = await app.graphql(query, { variables: { i: input } })
    const byLiteral = await app.graphql('mutation { agentLogin(input: { email: "a@b.example", password: 55555577 }) { memberId } }')
    expect(byVariable.errors?.[0]?.message).toBe('i.password: must be a string')
    expect(JSON.stringify(byVariable)).not.toContain('SECRET-7')
    expect(byLiteral.errors?.[0]?.message).toContain('cannot represent')
    expect(JSON.stringify(byLiteral)).not.toContain('55555577')
  })

  test('a text that is not an address is not accepted as one', async () => {
    const body = { email: 'agent1@demo.example', password: 'sandbox-password', workspace: 'demo' }
    const { status, body: answer } = await app.rest('POST', '/auth/login', {
      body,
      headers: { 'x-forwarded-for': '<script>alert(1)</script>' },
    })
    expect(status).toBe(200)
    expect(answer).toMatchObject({ session: { ip: '0.0.0.0' } })
  })
})

test('stored passwords of an agent are not sent to a provider address that a manager changes', async () => {
  const manager = await app.signIn('manager@demo.example')
  const members = await app.rest('GET', '/api/team/members?search=agent2', { token: manager.token })
  const [member] = z.object({ members: z.array(z.object({ id: z.string() })) }).parse(members.body).members
  const kept = { agent: { sipPassword: 'kept-sip-77', providerAgentPassword: 'kept-provider-77' } }
  expect((await app.rest('PUT', `/api/team/members/${member?.id}`, { token: manager.token, body: kept })).status).toBe(200)
  const first = await app.rest('POST', '/auth/login', {
    body: { email: 'agent2@demo.example', password: 'sandbox-password', workspace: 'demo' },
  })
  expect(first.body).toMatchObject({ sip: { password: 'kept-sip-77' } })
  const basic = Buffer.from('agent2:kept-provider-77').toString('base64')
  const sentTo = (standIn: 'telephony' | 'outbound') => JSON.stringify(app.standIns[standIn].calls().map(({ headers }) => headers))
  expect(sentTo('telephony')).toContain(basic)
  const { token } = z.object({ tokens: z.object({ accessToken: z.object({ token: z.string() }) }) }).parse(first.body).tokens.accessToken
  await app.rest('POST', '/auth/logout', { token, body: {} })

  const url = app.standIns.outbound.url
  const provider = { id: 'ozonetel', apiUrl: url, eventsUrl: url, account: 'mine', apiKey: 'my-own-key', authentication: 'API_KEY' }
  const moved = await app.rest('PUT', '/api/config/telephony', {
    token: manager.token,
    body: { provider, sip: { domain: 'sip.elsewhere.example' } },
  })
  expect(moved.status).toBe(200)
  await app
    .rest('POST', '/auth/login', { body: { email: 'agent2@demo.example', password: 'sandbox-password', workspace: 'demo' } })
    .then(({ body }) => {
      expect(JSON.stringify(body)).not.toContain('kept-sip-77')
    })
  expect(sentTo('outbound')).not.toContain(basic)
})

test('the data directory is for its owner alone', async () => {
  const { mode } = await stat(app.dataDir)
  expect(mode & 0o077).toBe(0)
})
