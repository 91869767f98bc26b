import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { logIn as signIn } from '../../src/features/auth/log-in.ts'
import { AppError } from '../../src/kernel/errors.ts'
import { newId } from '../../src/kernel/ids.ts'
import { createLog } from '../../src/kernel/log.ts'
import { createTestApp, type RestAnswer, type TestApp } from '../harness/app.ts'
import { createSessionDesk } from '../harness/session-desk.ts'

const password = 'sandbox-password'
let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())

function logIn(body: unknown, headers: Record<string, string> = {}): Promise<RestAnswer> {
  return app.rest('POST', '/auth/login', { body, headers })
}

describe('sign-in', () => {
  test('requires the wizard from a manager and starts no session', async () => {
    const { status, body } = await logIn({ email: 'manager@demo.example', password, workspace: 'demo' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ role: 'MANAGER', session: null, agent: null, sip: null, telephony: null, setup: { wizardRequired: true } })
    expect(body).toMatchObject({ user: { email: 'manager@demo.example' }, workspace: { subdomain: 'demo' } })
  })

  test('sends the platform the e-mail address as it stores it, whatever capitals and spaces a person types', async () => {
    app.standIns.platform.forgetCalls()
    const { status, body } = await logIn({ email: ' Manager@Demo.EXAMPLE ', password, workspace: 'demo' })
    expect({ status, body }).toMatchObject({ status: 200, body: { user: { email: 'manager@demo.example' } } })
    const [sent] = app.standIns.platform.calls('getLoginTokenFromCredentials')
    expect(JSON.parse(sent?.body ?? '')).toMatchObject({ variables: { email: 'manager@demo.example' } })
  })

  test('gives a user no wizard, and a member with neither platform role the role null and no access', async () => {
    const user = await logIn({ email: 'user@demo.example', password, workspace: 'demo' })
    expect(user.body).toMatchObject({ role: 'USER', session: null, setup: { wizardRequired: false } })
    const guest = await app.signIn('guest@demo.example')
    const me = await app.rest('GET', '/auth/me', { token: guest.token })
    expect(me).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
  })

  test('starts the session of an agent, signs in at the provider and returns everything that the phone needs', async () => {
    const { status, body } = await logIn({ email: 'agent1@demo.example', password, workspace: 'demo' })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      role: 'AGENT',
      session: { ip: '127.0.0.1', heartbeatIntervalSeconds: 300 },
      agent: { name: 'Asha Menon', providerAgentId: 'agent1', campaignName: 'Inbound_Appointments' },
      telephony: { signedIn: true, reason: null },
      sip: {
        uri: 'sip:5231@127.0.0.1',
        username: '5231',
        password: 'sandbox-sip-5231',
        domain: '127.0.0.1',
        wsPort: Number(new URL(app.standIns.sip.url).port),
        wsUrl: app.standIns.sip.url,
      },
    })
    expect(app.standIns.telephony.agent({ agentId: 'agent1' }).status).toBe('AUX')
  })

  test('works by GraphQL, and the REST path of the current member accepts its token', async () => {
    const { data, errors } = await app.graphql(
      `mutation($input: AgentLoginInput!) { agentLogin(input: $input) { role memberId session { agentId } tokens { accessToken { token } } } }`,
      { variables: { input: { email: 'agent2@demo.example', password, workspace: 'demo' } } },
    )
    expect(errors).toBeUndefined()
    expect(data).toMatchObject({ agentLogin: { role: 'AGENT' } })
    const token = tokenIn(data)
    const me = await app.rest('GET', '/auth/me', { token })
    expect(me.body).toMatchObject({
      role: 'AGENT',
      user: { email: 'agent2@demo.example' },
      session: { ip: '127.0.0.1' },
      agent: { providerAgentId: 'agent2' },
    })
  })
})

function tokenIn(data: unknown): string {
  return /"token":"([^"]+)"/.exec(JSON.stringify(data))?.[1] ?? ''
}

describe('credentials', () => {
  test('a wrong password, an unknown e-mail and a member of another workspace get the same answer after the same time', async () => {
    const tries = [
      { email: 'user@demo.example', password: 'wrong', workspace: 'demo' },
      { email: 'nobody@demo.example', password, workspace: 'demo' },
      { email: 'user@acme.example', password, workspace: 'demo' },
    ]
    const answers = await Promise.all(
      tries.map(async (body) => {
        const startedAt = performance.now()
        const { status, body: problem } = await logIn(body)
        return { status, problem: withoutRequestId(problem), tookMs: performance.now() - startedAt }
      }),
    )
    const [first] = answers
    expect(first).toMatchObject({ status: 401, problem: { code: 'UNAUTHENTICATED', reason: 'SIGN_IN_REFUSED' } })
    for (const { status, problem, tookMs } of answers) {
      expect({ status, problem }).toEqual({ status: first?.status, problem: first?.problem })
      expect(tookMs).toBeGreaterThan(495)
    }
  })

  test('the platform mutations carry neither the token nor the Origin or Cookie header of the client', async () => {
    const { token } = await app.signIn('user@demo.example')
    app.standIns.platform.forgetCalls()
    await logIn(
      { email: 'user@demo.example', password, workspace: 'demo' },
      { authorization: `Bearer ${token}`, origin: 'https://elsewhere.example', cookie: 'a=b' },
    )
    const [login, exchangeCall] = app.standIns.platform.calls('POST')
    for (const call of [login, exchangeCall]) {
      expect(call?.path).toBe('/metadata')
      expect(call?.headers).not.toHaveProperty('authorization')
      expect(call?.headers).not.toHaveProperty('origin')
      expect(call?.headers).not.toHaveProperty('cookie')
    }
  })

  test('a login token and a refresh token are exchanged for tokens; other tokens are refused', async () => {
    const { refreshToken, token } = await app.signIn('user@demo.example')
    const renewed = await app.rest('POST', '/auth/refresh', { body: { refreshToken } })
    expect(renewed).toMatchObject({ status: 200, body: { tokens: { accessToken: {}, refreshToken: {} } } })
    const loginToken = await loginTokenOf('user@demo.example')
    const exchanged = await app.rest('POST', '/auth/tokens', { body: { loginToken, workspace: 'demo' } })
    expect(exchanged).toMatchObject({ status: 200, body: { tokens: { accessToken: {}, refreshToken: {} } } })
    for (const wrong of [token, 'a.b.c', 'x']) {
      expect(await app.rest('POST', '/auth/refresh', { body: { refreshToken: wrong } })).toMatchObject({ status: 401 })
      expect(await app.rest('POST', '/auth/tokens', { body: { loginToken: wrong, workspace: 'demo' } })).toMatchObject({ status: 401 })
    }
    expect(await app.rest('GET', '/auth/me', { token: refreshToken })).toMatchObject({ status: 401 })
  })

  async function loginTokenOf(email: string): Promise<string> {
    const origin = app.standIns.platform.workspaceUrl.replace('{workspace}', 'demo')
    const query = `mutation { getLoginTokenFromCredentials(email: "${email}", password: "${password}", origin: "${origin}") { loginToken { token } } }`
    const response = await fetch(`${app.standIns.platform.url}/metadata`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    })
    return tokenIn(await response.json())
  }
})

function withoutRequestId(problem: unknown): unknown {
  return JSON.parse(JSON.stringify(problem, (key, value: unknown) => (key === 'requestId' || key === 'instance' ? undefined : value)))
}

describe('the workspace of a sign-in', () => {
  test('comes from the Origin header if the input names none', async () => {
    const origin = app.standIns.platform.workspaceUrl.replace('{workspace}', 'acme')
    const answer = await logIn({ email: 'user@acme.example', password }, { origin })
    expect(answer).toMatchObject({ status: 200, body: { workspace: { subdomain: 'acme' } } })
  })

  test.each([
    ['none is named', { status: 400, reason: 'INVALID_INPUT' }, {}],
    ['the origin is elsewhere', { status: 400, reason: 'INVALID_INPUT' }, { origin: 'https://demo.evil.example' }],
    ['it is no DNS label', { status: 400, reason: 'INVALID_INPUT' }, { workspace: 'de mo' }],
    ['it ends with a hyphen', { status: 400, reason: 'INVALID_INPUT' }, { workspace: 'demo-' }],
    ['it is not served here', { status: 403, reason: 'WORKSPACE_NOT_SERVED' }, { workspace: 'other' }],
  ])('is refused if %s', async (_, { status, reason }, { origin, workspace }: { origin?: string; workspace?: string }) => {
    app.standIns.platform.forgetCalls()
    const answer = await logIn({ email: 'user@demo.example', password, workspace }, origin === undefined ? {} : { origin })
    expect(answer).toMatchObject({ status, body: { reason } })
    expect(app.standIns.platform.calls('POST')).toHaveLength(0)
  })

  test('need not be named if the service serves only one', async () => {
    await using single = await createTestApp({ environment: { WORKSPACES: 'demo' } })
    const body = { email: 'user@demo.example', password }
    expect(await single.rest('POST', '/auth/login', { body })).toMatchObject({ status: 200, body: { workspace: { subdomain: 'demo' } } })
    const refused = await single.rest('POST', '/auth/login', { body: { ...body, workspace: 'acme' } })
    expect(refused).toMatchObject({
      status: 403,
      body: { detail: 'This workspace is not served here: check its name, or let an administrator add it to the setting WORKSPACES' },
    })
  })

  test('must be the one that the platform signed in to', async () => {
    await using desk = await createSessionDesk()
    const instance = desk.instance({ workspaces: ['demo', 'acme'] })
    const member = (subdomain: string) => ({
      id: 'u',
      email: 'e',
      firstName: '',
      lastName: '',
      workspaceMember: { id: newId(), name: null, roles: [] },
      currentWorkspace: { id: 'w', subdomain },
    })
    const answerFor = (subdomain: string) => JSON.stringify({ data: { currentUser: member(subdomain) } })
    for (const subdomain of ['other', 'acme']) {
      desk.standIns.platform.fault({ operation: 'currentUser', act: 'refuse', status: 200, body: answerFor(subdomain) })
      await expect(instance.logIn('user@demo.example')).rejects.toMatchObject({ reason: 'WORKSPACE_NOT_SERVED' })
      desk.standIns.platform.clearFaults()
    }
  })
})

test('a manager signs in although the state of the wizard cannot be read, or the password cannot be stored', async () => {
  await using desk = await createSessionDesk()
  const { ports, client } = desk.instance()
  const away = () => Promise.reject(new AppError('STORE_UNAVAILABLE'))
  const context = {
    ...client,
    log: createLog('silent'),
    afterAnswer: () => {},
    allowAtLeast: () => {},
    pausing: <Result>(wait: () => Promise<Result>) => wait(),
  }
  const credentials = { email: 'manager@demo.example', password, workspace: 'demo' }
  expect(await signIn({ ...ports, wizardRequired: away, onPasswordProved: away }, context, credentials)).toMatchObject({
    principal: { role: 'MANAGER' },
    wizardRequired: false,
  })
})

describe('bad input', () => {
  test.each([
    ['no body', undefined],
    ['an empty body', {}],
    ['an empty password', { email: 'user@demo.example', password: '', workspace: 'demo' }],
    ['a password of 10 kB', { email: 'user@demo.example', password: 'x'.repeat(10_240), workspace: 'demo' }],
    ['a password that is a number', { email: 'user@demo.example', password: 7, workspace: 'demo' }],
    ['an e-mail that is none', { email: 'user', password, workspace: 'demo' }],
  ])('%s is refused with the path of the field', async (_, body) => {
    const answer = await logIn(body)
    expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_USER_INPUT' } })
    expect(JSON.stringify(answer.body)).toMatch(/"fields":\[\{"path":"[^"]+/)
  })

  const oddTokens = ['', 'x', 'a.b.c', 'x'.repeat(9_000), '{}', '%00']
  test.each(oddTokens.map((token) => [token.slice(0, 9), token]))(
    'the access token %j is refused without an internal error',
    async (_, token) => {
      const { status } = await app.rest('GET', '/auth/me', { headers: { authorization: `Bearer ${token}` } })
      expect([401, 431]).toContain(status)
    },
  )

  const oddRefreshTokens = ['', 'x'.repeat(10_000), 7, null]
  test.each(oddRefreshTokens.map((token) => [String(token).slice(0, 9), token]))(
    'the refresh token %j is refused',
    async (_, refreshToken) => {
      const { status } = await app.rest('POST', '/auth/refresh', { body: { refreshToken } })
      expect([400, 401]).toContain(status)
    },
  )
})

test('an expired access token is refused without asking the platform', async () => {
  await using desk = await createSessionDesk()
  const service = desk.instance()
  const { tokens } = await service.logIn('user@demo.example')
  desk.clock.advance(31 * 60_000)
  desk.standIns.platform.forgetCalls()
  await expect(service.ports.principals.resolve(tokens.accessToken.token)).rejects.toMatchObject({ reason: 'TOKEN_REFUSED' })
  expect(desk.standIns.platform.calls()).toHaveLength(0)
})
