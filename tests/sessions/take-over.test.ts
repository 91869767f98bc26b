import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startAgentSession } from '../../src/features/auth/start-agent-session.ts'
import { createTestApp, type RestAnswer, type TestApp, type TestSignIn } from '../harness/app.ts'
import { ask, type Instances, startInstances } from '../harness/instances.ts'
import { realServer } from '../harness/real-server.ts'
import { type RedisServer, startRedisServer } from '../harness/redis-server.ts'
import { createSessionDesk } from '../harness/session-desk.ts'
import { subscribe } from '../harness/subscribe.ts'
import { tokenWithoutSession } from '../harness/tokens-without-session.ts'
import { waitFor } from '../harness/wait-for.ts'

const agent1 = 'agent1@demo.example'
const calls = 'subscription { callEvents { kind } }'

describe('startAgentSession', () => {
  let app: TestApp
  let manager: TestSignIn
  beforeAll(async () => {
    app = await createTestApp()
    manager = await app.signIn('manager@demo.example')
  })
  afterEach(async () => {
    const sessions = await app.graphql('{ agentSessions { agentId } }', { token: manager.token })
    for (const [agentId] of JSON.stringify(sessions.data).matchAll(/[\da-f]{8}-[\da-f-]{27}/g)) {
      await app.rest('DELETE', `/api/sessions/${agentId}`, { token: manager.token, body: { reason: 'next test' } })
    }
  })
  afterAll(() => app[Symbol.asyncDispose]())

  const tokenOf = (email: string) => tokenWithoutSession({ url: app.url, workspaceUrl: app.standIns.platform.workspaceUrl }, email)
  const start = (token: string, body: unknown = {}): Promise<RestAnswer> => app.rest('POST', '/auth/session', { token, body })
  const lockedAtOf = ({ body }: RestAnswer): string => /"lockedAt":"([^"]+)"/.exec(JSON.stringify(body))?.[1] ?? ''
  const statusAtProvider = (): string => app.standIns.telephony.agent({ agentId: 'agent1' }).status

  test('gives an agent who came with a token of the platform the session, SIP credentials and the provider, by REST and GraphQL', async () => {
    const answer = await start(await tokenOf(agent1))
    expect(answer).toMatchObject({
      status: 200,
      body: {
        session: { ip: '127.0.0.1', heartbeatIntervalSeconds: 300 },
        agent: { name: 'Asha Menon', providerAgentId: 'agent1' },
        sip: { username: '5231', password: 'sandbox-sip-5231', wsUrl: app.standIns.sip.url },
        telephony: { signedIn: true, reason: null },
      },
    })
    expect(statusAtProvider()).toBe('AUX')
    const token = await tokenOf('agent2@demo.example')
    const { data } = await app.graphql('mutation { startAgentSession { session { ip } sip { username } } }', { token })
    expect(data).toMatchObject({ startAgentSession: { session: { ip: '127.0.0.1' }, sip: { username: '5232' } } })
  })

  test('is refused to a member without an agent record, and says what is missing', async () => {
    const user = await start(await tokenOf('user@demo.example'))
    expect(user).toMatchObject({ status: 403, body: { reason: 'ROLE_MISSING' } })
    expect(JSON.stringify(user.body)).toContain('with an agent record gives AGENT')
    expect(await start(manager.token)).toMatchObject({ status: 404, body: { reason: 'NOT_FOUND' } })
  })

  test('reports a session that exists, and whether it is the own one', async () => {
    const { lockedAt } = await app.signIn(agent1)
    const refused = await start(await tokenOf(agent1))
    expect(refused).toMatchObject({ status: 409, body: { reason: 'SESSION_LOCKED', data: { ip: '127.0.0.1', lockedAt, own: true } } })
    const login = { email: agent1, password: 'sandbox-password', workspace: 'demo' }
    const atLogin = await app.rest('POST', '/auth/login', { body: login })
    expect(atLogin).toMatchObject({ status: 409, body: { reason: 'SESSION_LOCKED' } })
    expect(JSON.stringify(atLogin.body)).not.toContain('"own"')
    expect(await app.rest('POST', '/auth/login', { body: { ...login, takeOver: true } })).not.toMatchObject({ status: 200 })
  })

  test('takes over the own session: the old device is told, its streams end, its heartbeat and logout change nothing', async () => {
    const old = await app.signIn(agent1)
    const token = await tokenOf(agent1)
    const [stream, states, another] = await Promise.all([
      subscribe(app.url, { query: calls, token: old.token }),
      subscribe(app.url, { query: 'subscription { agentStates { state } }', token: old.token }),
      subscribe(app.url, { query: calls, token }),
    ])
    const taken = await start(token, { takeOver: true })
    expect(taken).toMatchObject({ status: 200, body: { sip: { username: '5231' }, telephony: { signedIn: true } } })
    const lockedAt = lockedAtOf(taken)
    expect(lockedAt > (old.lockedAt ?? '')).toBe(true)
    for (const one of [stream, states]) {
      await waitFor(() => one.ended)
      expect(one.text).toContain('"reason":"SESSION_TAKEN_OVER"')
      expect(one.text).toContain(`"data":{"lockedAt":"${lockedAt}"}`)
    }
    expect(another.ended).toBe(false)
    another.leave()

    const ended = { status: 401, body: { code: 'UNAUTHENTICATED', reason: 'TOKEN_REFUSED', data: { endedBy: 'TAKE_OVER' } } }
    for (const path of ['/auth/heartbeat', '/auth/logout']) {
      for (const body of [{}, { lockedAt: old.lockedAt }]) {
        expect(await app.rest('POST', path, { token: old.token, body })).toMatchObject(ended)
      }
    }
    expect(statusAtProvider()).toBe('AUX')
    expect(await app.rest('POST', '/auth/heartbeat', { token, body: {} })).toMatchObject({ status: 200, body: { lockedAt } })
    expect(await app.rest('POST', '/auth/logout', { token, body: { lockedAt } })).toMatchObject({ body: { released: true } })
    expect(statusAtProvider()).toBe('loggedOut')

    const { body } = await app.rest('GET', '/api/audit?first=1', { token: manager.token })
    expect(body).toMatchObject({
      entries: [{ action: 'session.taken-over', actor: { memberId: old.memberId, ip: '127.0.0.1' }, targetId: old.agentId }],
    })
    expect(JSON.stringify(body)).toContain(`{"name":"lockedAt","value":"${old.lockedAt}"}`)
  })

  test('with the lockedAt of a device it takes over only that session, so nothing is taken back without a person', async () => {
    const token = await tokenOf(agent1)
    const first = lockedAtOf(await start(token))
    const second = lockedAtOf(await start(token, { takeOver: true, lockedAt: first }))
    expect(second > first).toBe(true)
    const refused = await start(token, { takeOver: true, lockedAt: first })
    expect(refused).toMatchObject({ status: 409, body: { reason: 'SESSION_LOCKED', data: { lockedAt: second, own: true } } })
    expect(JSON.stringify(refused.body)).toContain('without another lockedAt')
    expect((await app.rest('GET', '/api/sessions', { token: manager.token })).body).toMatchObject([{ lockedAt: second }])
    expect(lockedAtOf(await start(token, { takeOver: true })) > second).toBe(true)
  })

  test('of several take-overs at once exactly one wins', async () => {
    await app.signIn(agent1)
    const tokens = await Promise.all(Array.from({ length: 6 }, () => tokenOf(agent1)))
    const answers = await Promise.all(tokens.map((token) => start(token, { takeOver: true })))
    const won = answers.filter(({ status }) => status === 200)
    const live = await app.rest('GET', '/api/sessions', { token: manager.token })
    expect(live.body).toHaveLength(1)
    // A later one may take over from an earlier one: each has a session of its own, and the last one is live.
    const lockedAts = won.map(lockedAtOf)
    expect(new Set(lockedAts).size).toBe(won.length)
    expect(live.body).toMatchObject([{ lockedAt: lockedAts.toSorted().at(-1) }])
    const lost = answers.filter(({ status }) => status !== 200)
    expect(lost.map(({ status }) => status)).toEqual(lost.map(() => 409))
  })

  test('many sign-ins of one document add one listener to its response', async () => {
    const warnings: string[] = []
    const note = ({ name }: Error): void => void warnings.push(name)
    process.on('warning', note)
    const fields = Array.from({ length: 12 }, (_, index) => `a${index}: startAgentSession(takeOver: true) { session { lockedAt } }`)
    const { data } = await app.graphql(`mutation { ${fields.join(' ')} }`, { token: await tokenOf(agent1) })
    expect(Object.keys(data ?? {})).toHaveLength(12)
    process.off('warning', note)
    expect(warnings).toEqual([])
    // All of them are confirmed, so the session goes on.
    expect((await app.rest('GET', '/api/sessions', { token: manager.token })).body).toHaveLength(1)
  })

  test('a failed take-over leaves the old session as it was', async () => {
    const old = await app.signIn(agent1)
    const token = await tokenOf(agent1)
    const leaving = new AbortController()
    app.standIns.telephony.fault({ operation: 'AgentAuthentication', act: 'answer', delayMs: 300, times: 1 })
    const before = app.standIns.telephony.calls('AgentAuthentication').length
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const sending = fetch(`${app.url}/auth/session`, { method: 'POST', headers, body: '{"takeOver":true}', signal: leaving.signal })
    const leave = async (): Promise<void> => {
      await waitFor(() => app.standIns.telephony.calls('AgentAuthentication').length > before)
      leaving.abort()
    }
    await Promise.all([expect(sending).rejects.toMatchObject({ name: 'AbortError' }), leave()])
    await waitFor(async () => {
      expect(await app.rest('POST', '/auth/heartbeat', { token: old.token, body: {} })).toMatchObject({
        status: 200,
        body: { lockedAt: old.lockedAt },
      })
      return true
    })
    expect(statusAtProvider()).toBe('AUX')
  })
})

test('another member never takes over a session, nor does an administrator who acts as the member', async () => {
  await using desk = await createSessionDesk()
  desk.configure('telephony', { defaultAgentId: 'agent1', defaultAgentPassword: 'demo-agent1-password' })
  const service = desk.instance()
  const { principal, tokens } = await service.logIn(agent1)
  const { record } = await service.ports.agentRecordCache.ofMember(principal, tokens.accessToken.token)
  const as = (memberId: string, accessToken: string) => ({
    actor: async () => ({ principal: { ...principal, memberId }, accessToken, clientAddress: '198.51.100.9' }),
    signal: new AbortController().signal,
    afterAnswer: () => undefined,
    allowAtLeast: () => undefined,
  })
  // Somebody else whose record names the same provider agent.
  const agentRecordCache = { ...service.ports.agentRecordCache, ofMember: async () => ({ record, readAt: desk.clock.now() }) }
  await expect(
    startAgentSession({ ...service.ports, agentRecordCache }, as('somebody-else', 'token'), { takeOver: true }),
  ).rejects.toMatchObject({
    reason: 'SESSION_LOCKED',
    data: { own: false },
  })
  const claims = Buffer.from(JSON.stringify({ isImpersonating: true })).toString('base64url')
  await expect(startAgentSession(service.ports, as(principal.memberId, `e30.${claims}.x`), { takeOver: true })).rejects.toMatchObject({
    reason: 'NOT_YOURS',
  })
  expect(await desk.store.get(`sessions:${desk.workspaceId}:lock:agent1`)).toContain(principal.memberId)
})

const redis = await realServer('redis')

describe.skipIf(redis === null)('on two instances', () => {
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

  test('a take-over on one ends the streams on the other, and one of many at once is the live session', async () => {
    const [first = '', second = ''] = service.urls
    const place = { url: first, workspaceUrl: service.standIns.platform.workspaceUrl }
    const [old, token] = await Promise.all([tokenWithoutSession(place, agent1), tokenWithoutSession(place, agent1)])
    await ask(first, '/auth/session', { token: old, body: {} })
    const stream = await subscribe(second, { query: calls, token: old })
    const answers = await Promise.all(
      [first, second, first, second].map((url) => ask(url, '/auth/session', { token, body: { takeOver: true } })),
    )
    expect(answers.map(({ status }) => status)).toContain(200)
    await waitFor(() => stream.ended)
    expect(stream.text).toContain('SESSION_TAKEN_OVER')
    const live = await ask(second, '/api/sessions', { token })
    expect(live.body).toHaveLength(1)
    await waitFor(async () => (await ask(first, '/auth/heartbeat', { token: old, body: {} })).status === 401)
  })
})
