import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createTestApp, type TestApp, type TestSignIn } from '../harness/app.ts'

const password = 'sandbox-password'

describe('sessions by REST and GraphQL', () => {
  let app: TestApp
  let agent: TestSignIn
  let manager: TestSignIn
  beforeAll(async () => {
    app = await createTestApp()
    agent = await app.signIn('agent1@demo.example')
    manager = await app.signIn('manager@demo.example')
  })
  afterAll(() => app[Symbol.asyncDispose]())

  test('a second sign-in is a conflict with address and time, by REST and by GraphQL', async () => {
    const input = { email: 'agent1@demo.example', password, workspace: 'demo' }
    const expected = { code: 'CONFLICT', reason: 'SESSION_LOCKED', data: { ip: '127.0.0.1', lockedAt: agent.lockedAt } }
    expect(await app.rest('POST', '/auth/login', { body: input })).toMatchObject({
      status: 409,
      body: { ...expected, detail: 'Agent is already signed in from 127.0.0.1' },
    })
    const { errors } = await app.graphql('mutation($input: AgentLoginInput!) { agentLogin(input: $input) { memberId } }', {
      variables: { input },
    })
    expect(errors).toMatchObject([{ message: 'Agent is already signed in from 127.0.0.1', extensions: expected }])
  })

  test('a heartbeat works by REST and GraphQL; with the time of another session it is not found', async () => {
    const renewed = await app.rest('POST', '/auth/heartbeat', { token: agent.token, body: {} })
    expect(renewed).toMatchObject({ status: 200, body: { lockedAt: agent.lockedAt, heartbeatIntervalSeconds: 300 } })
    const { data } = await app.graphql('mutation { heartbeat { lockedAt ip } }', { token: agent.token })
    expect(data).toEqual({ heartbeat: { lockedAt: agent.lockedAt, ip: '127.0.0.1' } })
    const gone = await app.rest('POST', '/auth/heartbeat', { token: agent.token, body: { lockedAt: '2020-01-01T00:00:00.000Z' } })
    expect(gone).toMatchObject({ status: 404, body: { code: 'NOT_FOUND', reason: 'SESSION_GONE' } })
    expect(await app.rest('POST', '/auth/heartbeat', { token: manager.token, body: {} })).toMatchObject({ status: 404 })
    expect(await app.rest('POST', '/auth/heartbeat', { token: agent.token, body: { lockedAt: 'yesterday' } })).toMatchObject({
      status: 400,
    })
  })

  test('a manager lists and releases the session, an agent may release none', async () => {
    const expected = {
      agentId: agent.agentId,
      agentName: 'Asha Menon',
      memberId: agent.memberId,
      ip: '127.0.0.1',
      lockedAt: agent.lockedAt,
    }
    const listed = await app.rest('GET', '/api/sessions', { token: manager.token })
    expect(listed).toMatchObject({ status: 200, body: [expected] })
    const { data } = await app.graphql('{ agentSessions { agentId agentName memberId ip lockedAt } }', { token: agent.token })
    expect(data).toEqual({ agentSessions: [expected] })

    const path = `/api/sessions/${agent.agentId}`
    expect(await app.rest('DELETE', path, { token: agent.token, body: { reason: 'x' } })).toMatchObject({ status: 403 })
    expect(await app.rest('DELETE', path, { token: manager.token, body: {} })).toMatchObject({
      status: 400,
      body: { data: { fields: [{}] } },
    })
    const released = await app.rest('DELETE', path, { token: manager.token, body: { reason: 'laptop died' } })
    expect(released).toMatchObject({ status: 200, body: { released: true, providerSignedOut: true } })
    expect(await app.rest('DELETE', path, { token: manager.token, body: { reason: 'x' } })).toMatchObject({ status: 404 })
    expect(await app.rest('POST', '/auth/heartbeat', { token: agent.token, body: {} })).toMatchObject({
      status: 401,
      body: { data: { endedBy: 'MANAGER' } },
    })
  })

  test('the audit log has who released which session and why, in pages, for managers only', async () => {
    await app.signIn('agent1@demo.example')
    await app.rest('DELETE', `/api/sessions/${agent.agentId}`, { token: manager.token, body: { reason: 'second time' } })
    const first = await app.rest('GET', '/api/audit?first=1', { token: manager.token })
    const page = z.object({ entries: z.array(z.looseObject({ action: z.string() })), nextCursor: z.string() }).parse(first.body)
    expect(page.entries).toMatchObject([
      {
        action: 'session.released',
        actor: { memberId: manager.memberId, name: 'Nandini Menon', ip: '127.0.0.1' },
        targetKind: 'agent',
        targetId: agent.agentId,
        targetName: 'Asha Menon',
      },
    ])
    expect(JSON.stringify(page)).toContain('second time')
    const second = await app.graphql(
      'query($after: String) { auditLog(first: 1, after: $after) { nodes { details { name value } } pageInfo { hasNextPage } } }',
      {
        token: manager.token,
        variables: { after: page.nextCursor },
      },
    )
    expect(JSON.stringify(second.data)).toContain('laptop died')
    expect(second.data).toMatchObject({ auditLog: { pageInfo: { hasNextPage: false } } })
    const { token } = await app.signIn('user@demo.example')
    expect(await app.rest('GET', '/api/audit', { token })).toMatchObject({ status: 403 })
    expect(await app.rest('GET', '/api/audit?first=many', { token: manager.token })).toMatchObject({ status: 400 })
    expect(await app.rest('GET', '/api/audit?after=nonsense', { token: manager.token })).toMatchObject({ status: 400 })
  })

  test('the audit log is filtered by member, target, action and time, by REST and GraphQL', async () => {
    const body = { complete: true }
    expect((await app.rest('PUT', '/api/config/setup-state/steps/BRAND', { token: manager.token, body })).status).toBe(200)
    const found = async (query: string) => {
      const answer = await app.rest('GET', `/api/audit?${query}`, { token: manager.token })
      return z
        .object({ entries: z.array(z.object({ action: z.string() })) })
        .parse(answer.body)
        .entries.map(({ action }) => action)
    }
    expect(await found('action=setup')).toEqual(['setup.completed'])
    expect(await found(`action=session&memberId=${manager.memberId}`)).toEqual(['session.released', 'session.released'])
    expect(await found(`memberId=${agent.memberId}`)).toEqual([])
    expect(await found('targetId=BRAND')).toEqual(['setup.completed'])
    expect(await found(`targetId=BRAND&to=2020-01-01T00:00:00.000Z`)).toEqual([])
    expect(await found(`targetId=BRAND&from=2020-01-01T00:00:00.000Z`)).toEqual(['setup.completed'])
    const { data } = await app.graphql('{ auditLog(action: "setup.completed") { nodes { action targetName actor { name } } } }', {
      token: manager.token,
    })
    expect(data).toEqual({ auditLog: { nodes: [{ action: 'setup.completed', targetName: null, actor: { name: 'Nandini Menon' } }] } })
    for (const wrong of ['memberId=me', 'from=yesterday', `action=${'a'.repeat(101)}`]) {
      expect(await app.rest('GET', `/api/audit?${wrong}`, { token: manager.token })).toMatchObject({ status: 400 })
    }
  })

  test('a logout by REST ends the session and its token; one of another session ends nothing', async () => {
    const { token, lockedAt } = await app.signIn('agent2@demo.example')
    const other = { lockedAt: '2020-01-01T00:00:00.000Z' }
    expect(await app.rest('POST', '/auth/logout', { token, body: other })).toMatchObject({ status: 200, body: { released: false } })
    const body = { lockedAt }
    expect(await app.rest('POST', '/auth/logout', { token, body })).toMatchObject({
      status: 200,
      body: { released: true, providerSignedOut: true },
    })
    expect(await app.rest('POST', '/auth/logout', { token, body })).toMatchObject({ status: 401, body: { data: { endedBy: 'SIGN_OUT' } } })
  })

  test('a client that hangs up while its sign-in is under way leaves no session', async () => {
    app.standIns.telephony.fault({ operation: 'AgentAuthentication', delayMs: 300, times: 1 })
    const body = JSON.stringify({ email: 'agent3@demo.example', password, workspace: 'demo' })
    const seen = app.standIns.telephony.calls('AgentAuthentication').length
    const sending = request(`${app.url}/auth/login`, { method: 'POST', headers: { 'content-type': 'application/json' } })
    sending.on('error', () => undefined).end(body)
    await expect.poll(() => app.standIns.telephony.calls('AgentAuthentication').length).toBeGreaterThan(seen)
    sending.destroy()
    await expect.poll(() => app.rest('POST', '/auth/login', { body: JSON.parse(body) as unknown }).then(({ status }) => status)).toBe(200)
    expect(app.standIns.telephony.agent({ agentId: 'agent3' }).status).toBe('AUX')
  })

  test('the 11th wrong password is 429 with Retry-After, also by the platform mutation sent through us', async () => {
    const origin = app.standIns.platform.workspaceUrl.replace('{workspace}', 'acme')
    const query = `mutation($p: String!) { x: getLoginTokenFromCredentials(email: "user@acme.example", password: $p, origin: "${origin}") { loginToken { token } } }`
    for (let tries = 0; tries < 5; tries += 1) {
      const { body } = await app.rest('POST', '/metadata', { body: { query, variables: { p: `wrong ${tries}` } } })
      expect(body).toMatchObject({ errors: [{}] })
    }
    const wrong = { email: 'user@acme.example', password: 'wrong', workspace: 'acme' }
    for (let tries = 0; tries < 5; tries += 1) expect(await app.rest('POST', '/auth/login', { body: wrong })).toMatchObject({ status: 401 })
    app.standIns.platform.forgetCalls()
    const refused = await app.rest('POST', '/auth/login', { body: wrong })
    const detail: unknown = expect.stringMatching(/^Too many attempts; try again in 1\d minutes$/)
    expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED', reason: 'TOO_MANY_TRIES', detail } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(800)
    const through = await app.rest('POST', '/metadata', { body: { query, variables: { p: 'wrong' } } })
    expect(JSON.stringify(through.body)).toContain('RATE_LIMITED')
    expect(app.standIns.platform.calls('POST')).toHaveLength(0)
  })
})

describe('the client address', () => {
  test('ignores 200 forged x-forwarded-for headers if no proxy is trusted', async () => {
    await using app = await createTestApp({ environment: { TRUST_PROXY: '192.0.2.1' } })
    await app.signIn('agent1@demo.example')
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        app.rest('POST', '/auth/login', {
          body: { email: 'agent2@demo.example', password, workspace: 'demo' },
          headers: forged(`198.51.100.${index}`),
        }),
      ),
    )
    const [accepted, refused] = [answers.filter(({ status }) => status === 200), answers.filter(({ status }) => status === 409)]
    expect([accepted.length, refused.length]).toEqual([1, 199])
    for (const { body } of accepted) expect(body).toMatchObject({ session: { ip: '127.0.0.1' } })
    for (const { body } of refused) expect(body).toMatchObject({ data: { ip: '127.0.0.1' } })
    const warnings = app.logged.filter((line) => line.includes('http.forwarded-for-ignored'))
    expect(warnings).toHaveLength(1)
    expect(warnings.join('')).toContain('TRUST_PROXY')
    expect(warnings.join('')).not.toMatch(/198\.51|127\.0/)
  })

  test('is the one that a proxy in front of compose.yaml added, although all addresses are private', async () => {
    const [, TRUST_PROXY = ''] = /TRUST_PROXY: '([^']+)'/.exec(readFileSync('compose.yaml', 'utf8')) ?? []
    await using app = await createTestApp({ environment: { TRUST_PROXY } })
    const answer = await app.rest('POST', '/auth/login', {
      body: { email: 'agent1@demo.example', password, workspace: 'demo' },
      headers: { 'x-forwarded-for': '10.0.0.1, 192.168.1.20' },
    })
    expect(answer).toMatchObject({ status: 200, body: { session: { ip: '192.168.1.20' } } })
  })

  test('is the one that the trusted proxy added, not the one that the client sent', async () => {
    await using app = await createTestApp()
    const answer = await app.rest('POST', '/auth/login', {
      body: { email: 'agent1@demo.example', password, workspace: 'demo' },
      headers: { 'x-forwarded-for': '10.0.0.1, 127.0.0.1, 203.0.113.50' },
    })
    expect(answer).toMatchObject({ status: 200, body: { session: { ip: '203.0.113.50' } } })
    expect(app.logged.join('')).not.toContain('http.forwarded-for-ignored')
  })
})

function forged(address: string): Record<string, string> {
  return { 'x-forwarded-for': address, 'x-real-ip': address, forwarded: `for=${address}`, 'x-client-ip': address }
}
