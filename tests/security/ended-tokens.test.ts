import { createClient } from 'graphql-ws'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { endedToken } from '../../src/features/sessions/sign-ins/refused-tokens.ts'
import type { AppError } from '../../src/kernel/errors.ts'
import { startSandbox } from '../../src/sandbox/start.ts'
import type { GatewayTokens } from '../../src/server/graphql/gateway-tokens.ts'
import { createTestApp, type RestAnswer, type TestApp, type TestSignIn } from '../harness/app.ts'
import { startGateway, testPrincipal } from '../harness/gateway.ts'
import { ask, type Instances, startInstances } from '../harness/instances.ts'
import { realServer } from '../harness/real-server.ts'
import { type RedisServer, startRedisServer } from '../harness/redis-server.ts'
import { type Subscribed, subscribe } from '../harness/subscribe.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { loginTokenOf } from '../harness/tokens-without-session.ts'
import { startUpstream } from '../harness/upstream.ts'
import { waitFor } from '../harness/wait-for.ts'
import { startApp } from '../harness/start-app.ts'

/** The end of a session ends its tokens: sign-out, take-over, release by a manager, removal of the member. */

const agent1 = 'agent1@demo.example'
const ofService = 'subscription { agentStates { providerAgentId } }'
const ofPlatform = 'subscription { onEventSubscription(eventStreamId: "1") { eventStreamId } }'
const pairSchema = z.object({ accessToken: z.object({ token: z.string() }), refreshToken: z.object({ token: z.string() }) })
const tokensSchema = z.object({ tokens: pairSchema })
const renewedSchema = z.object({
  data: z.object({
    renewToken: z.object({ tokens: z.object({ access: z.object({ token: z.string() }), refreshToken: z.object({ token: z.string() }) }) }),
  }),
})
const renewal = `mutation ($appToken: String!) {
  renewToken(appToken: $appToken) { tokens { access: accessOrWorkspaceAgnosticToken { token } refreshToken { token } } }
}`

type Tokens = { readonly token: string; readonly refreshToken: string }
const textsOf = ({ accessToken, refreshToken }: z.output<typeof pairSchema>): Tokens => ({
  token: accessToken.token,
  refreshToken: refreshToken.token,
})

let app: TestApp
let manager: TestSignIn
beforeAll(async () => {
  app = await createTestApp()
  manager = await app.signIn('manager@demo.example')
})
afterEach(async () => {
  const sessions = await app.rest('GET', '/api/sessions', { token: manager.token })
  for (const [agentId] of JSON.stringify(sessions.body).matchAll(/(?<="agentId":")[^"]+/g)) {
    await app.rest('DELETE', `/api/sessions/${agentId}`, { token: manager.token, body: { reason: 'next test' } })
  }
})
afterAll(() => app[Symbol.asyncDispose]())

const refresh = (refreshToken: string): Promise<RestAnswer> => app.rest('POST', '/auth/refresh', { body: { refreshToken } })
const renewed = async (refreshToken: string): Promise<Tokens> => textsOf(tokensSchema.parse((await refresh(refreshToken)).body).tokens)
const signOut = (token: string): Promise<RestAnswer> => app.rest('POST', '/auth/logout', { token, body: {} })
/** A sign-in without an agent session, as on another device. */
const otherDevice = async (email: string): Promise<Tokens> => {
  const loginToken = await loginTokenOf({ url: app.url, workspaceUrl: app.standIns.platform.workspaceUrl }, email)
  const { body } = await app.rest('POST', '/auth/tokens', { body: { loginToken, workspace: 'demo' } })
  return textsOf(tokensSchema.parse(body).tokens)
}
const atPlatform = async (query: string, variables: object): Promise<unknown> => {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${app.standIns.platform.url}/metadata`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ query, variables }),
  })
  return response.json()
}

const works = async (token: string): Promise<void> => {
  expect(await app.rest('GET', '/auth/me', { token })).toMatchObject({ status: 200 })
  expect(await app.graphql('{ leads(first: 1) { totalCount } }', { token })).toMatchObject({ data: { leads: {} } })
}

const refusal = (endedBy: string) => ({ code: 'UNAUTHENTICATED', reason: 'TOKEN_REFUSED', data: { endedBy } })
const operations: readonly [string, string][] = [
  ['our own field', '{ me { role } }'],
  ['a field of the platform', '{ leads(first: 1) { totalCount } }'],
  ['fields of both', '{ me { role } leads(first: 1) { totalCount } }'],
  ['a field of the metadata endpoint', '{ currentUser { id } }'],
  ['the stitched schema', '{ leads(first: 1) { edges { node { id insight { summary } } } } }'],
  ['a mutation of the platform', 'mutation { updateLead(id: "20202020-0000-4000-8000-000000000000", data: { name: "x" }) { id } }'],
]

/** Everything refuses the two tokens, and says what ended them. */
async function expectEnded({ token, refreshToken }: Tokens, endedBy: string): Promise<void> {
  expect(await app.rest('GET', '/auth/me', { token })).toMatchObject({ status: 401, body: refusal(endedBy) })
  for (const [what, query] of operations) {
    const { errors } = await app.graphql(query, { token })
    expect(errors?.length, what).toBeGreaterThan(0)
    for (const { extensions } of errors ?? []) expect(extensions, what).toMatchObject(refusal(endedBy))
  }
  const metadata = await app.rest('POST', '/metadata', { token, body: { query: '{ currentUser { id } }' } })
  expect(metadata).toMatchObject({ status: 200, body: { errors: [{ extensions: refusal(endedBy) }] } })
  for (const query of [ofService, ofPlatform]) {
    const stream = await subscribe(app.url, { query, token })
    await waitFor(() => stream.ended)
    expect(stream.text).toContain('"code":"UNAUTHENTICATED"')
  }
  expect(await refresh(refreshToken)).toMatchObject({ status: 401, body: refusal(endedBy) })
  expect(await app.graphql(renewal, { variables: { appToken: refreshToken } })).toMatchObject({
    errors: [{ extensions: refusal(endedBy) }],
  })
  const socket = openSocket(token)
  await waitFor(() => socket.closed.length > 0)
  expect(socket.closed[0]).toMatchObject({ code: 4403, reason: expect.stringMatching(/^TOKEN_REFUSED: /) as unknown })
}

type Closed = { readonly code: number; readonly reason: string }
const closedSchema = z.object({ code: z.number(), reason: z.string() })

function openSocket(token: string) {
  const closed: Closed[] = []
  const state = { isOpen: false, answers: '' }
  const client = createClient({
    url: `${app.url.replace('http', 'ws')}/graphql`,
    connectionParams: { authorization: `Bearer ${token}` },
    lazy: false,
    retryAttempts: 0,
    onNonLazyError: () => {},
    on: { connected: () => (state.isOpen = true), closed: (event) => void closed.push(closedSchema.parse(event)) },
  })
  return {
    closed,
    state,
    send: (query: string) =>
      client.subscribe(
        { query },
        {
          next: (answer) => (state.answers += JSON.stringify(answer)),
          error: (error) => (state.answers += JSON.stringify(error)),
          complete: () => {},
        },
      ),
  }
}

/** A socket without an operation, and a stream. */
async function openAll(token: string) {
  const socket = openSocket(token)
  const streams = [await subscribe(app.url, { query: ofService, token })]
  await waitFor(() => socket.state.isOpen)
  return { socket, streams }
}

async function expectAllEnded({
  socket,
  streams,
}: {
  socket: ReturnType<typeof openSocket>
  streams: readonly Subscribed[]
}): Promise<void> {
  await waitFor(() => socket.closed.length > 0 && streams.every(({ ended }) => ended))
  expect(socket.closed[0]).toMatchObject({
    code: 4403,
    reason: expect.stringMatching(/^TOKEN_REFUSED: .*(sign-out|manager|device|removed)/) as unknown,
  })
  for (const { text } of streams) expect(text).toMatch(/event: next\ndata: \{"errors".*"code":"UNAUTHENTICATED".*\n\nevent: complete/s)
}

describe('a sign-out', () => {
  test('ends both tokens over every transport, and what is open, of an agent', async () => {
    const agent = await app.signIn(agent1)
    const open = await openAll(agent.token)
    expect(await signOut(agent.token)).toMatchObject({ status: 200, body: { released: true } })
    await expectAllEnded(open)
    await expectEnded(agent, 'SIGN_OUT')
    // The answer may have been lost.
    expect(await signOut(agent.token)).toMatchObject({ status: 401, body: refusal('SIGN_OUT') })
  })

  test('ends the tokens of a member without an agent record, and no others of theirs', async () => {
    const [one, two] = [await app.signIn('user@demo.example'), await app.signIn('user@demo.example')]
    const socket = openSocket(one.token)
    await waitFor(() => socket.state.isOpen)
    expect(await signOut(one.token)).toMatchObject({ status: 200, body: { released: false } })
    await waitFor(() => socket.closed.length > 0)
    await expectEnded(one, 'SIGN_OUT')
    await works(two.token)
    expect(await refresh(two.refreshToken)).toMatchObject({ status: 200 })
  })

  test('ends all tokens that came from renewals: by REST, by the platform’s own mutation, and those before', async () => {
    const first = await app.signIn('user@demo.example')
    const second = await renewed(first.refreshToken)
    const answer = await app.graphql(renewal, { variables: { appToken: second.refreshToken } })
    const { access, refreshToken } = renewedSchema.parse(answer).data.renewToken.tokens
    await works(access.token)
    await works(first.token)
    expect(await signOut(access.token)).toMatchObject({ status: 200 })
    await expectEnded({ token: access.token, refreshToken: refreshToken.token }, 'SIGN_OUT')
    await expectEnded(second, 'SIGN_OUT')
    await expectEnded(first, 'SIGN_OUT')
  })

  test('ends the tokens of somebody who has renewed as often as possible meanwhile', async () => {
    const { token, refreshToken } = await otherDevice('user@demo.example')
    let last = { token, refreshToken }
    let answer = await refresh(refreshToken)
    for (let renewals = 0; renewals < 70 && answer.status === 200; renewals += 1) {
      last = textsOf(tokensSchema.parse(answer.body).tokens)
      answer = await refresh(last.refreshToken)
    }
    expect(answer).toMatchObject({ status: 401, body: { reason: 'TOKEN_REFUSED' } })
    await works(token)
    await works(last.token)
    expect(await signOut(token)).toMatchObject({ status: 200 })
    await expectEnded(last, 'SIGN_OUT')
  })

  test('also refuses tokens whose signature is written in another way, or whose header is', async () => {
    const { token } = await app.signIn('user@demo.example')
    await signOut(token)
    for (const authorization of [
      `Bearer ${token}=`,
      `bearer\t${token}`,
      `Bearer ${token} x`,
      `Bearer  ${token}`,
      `Bearer ${otherSignature(token)}`,
    ]) {
      const answer = await app.rest('POST', '/graphql', {
        headers: { authorization },
        body: { query: '{ leads(first: 1) { totalCount } }' },
      })
      expect(JSON.stringify(answer.body), authorization.slice(0, 12)).toContain('UNAUTHENTICATED')
      expect(JSON.stringify(answer.body)).not.toContain('totalCount')
    }
  })

  test('sent over a web socket is answered before the socket is closed', async () => {
    const { token } = await app.signIn(agent1)
    const socket = openSocket(token)
    socket.send(ofService)
    await waitFor(() => socket.state.isOpen)
    socket.send('mutation { agentLogout { released } }')
    await waitFor(() => socket.closed.length > 0)
    expect(socket.state.answers).toContain('"agentLogout":{"released":true}')
    expect(socket.closed[0]?.code).toBe(4403)
  })

  test('ends tokens that the platform itself issued, with the refresh token of the same moment', async () => {
    const place = { url: app.standIns.platform.url, workspaceUrl: app.standIns.platform.workspaceUrl }
    const loginToken = await loginTokenOf(place, 'user@demo.example')
    const origin = place.workspaceUrl.replace('{workspace}', 'demo')
    const exchange = `mutation ($loginToken: String!, $origin: String!) {
      renewToken: getAuthTokensFromLoginToken(loginToken: $loginToken, origin: $origin) {
        tokens { access: accessOrWorkspaceAgnosticToken { token } refreshToken { token } }
      }
    }`
    const { access, refreshToken } = renewedSchema.parse(await atPlatform(exchange, { loginToken, origin })).data.renewToken.tokens
    await works(access.token)
    expect(await signOut(access.token)).toMatchObject({ status: 200 })
    await expectEnded({ token: access.token, refreshToken: refreshToken.token }, 'SIGN_OUT')
  })

  test('while a renewal is under way: the tokens that it brings are refused', async () => {
    const { token, refreshToken } = await app.signIn('user@demo.example')
    app.standIns.platform.forgetCalls()
    const release = app.standIns.platform.holdAnswers('renewToken')
    const renewing = refresh(refreshToken)
    await waitFor(() => app.standIns.platform.calls('renewToken').length > 0)
    await signOut(token)
    release()
    const answer = await renewing
    expect(answer).toMatchObject({ status: 401, body: refusal('SIGN_OUT') })
    await expectEnded({ token, refreshToken }, 'SIGN_OUT')
  })
})

describe('a take-over', () => {
  const takeOver = (token: string) => app.rest('POST', '/auth/session', { token, body: { takeOver: true } })

  test('ends the tokens of the former device only, also a renewal afterwards', async () => {
    const old = await app.signIn(agent1)
    const next = await otherDevice(agent1)
    const socket = openSocket(old.token)
    const kept = openSocket(next.token)
    await waitFor(() => socket.state.isOpen && kept.state.isOpen)
    expect(await takeOver(next.token)).toMatchObject({ status: 200 })
    await waitFor(() => socket.closed.length > 0)
    expect(socket.closed[0]).toMatchObject({ code: 4403 })
    await expectEnded(old, 'TAKE_OVER')
    await works(next.token)
    await works((await renewed(next.refreshToken)).token)
    expect(kept.closed).toEqual([])
  })

  test('from another tab of the same sign-in ends no token', async () => {
    const { token, refreshToken } = await app.signIn(agent1)
    const tab = await renewed(refreshToken)
    expect(await takeOver(tab.token)).toMatchObject({ status: 200 })
    await works(token)
    await works(tab.token)
    await works((await renewed(tab.refreshToken)).token)
  })

  test('whose answer does not arrive ends no token', async () => {
    const old = await app.signIn(agent1)
    const next = await otherDevice(agent1)
    const leaving = new AbortController()
    app.standIns.telephony.forgetCalls()
    const release = app.standIns.telephony.holdAnswers('')
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${next.token}` }
    const asked = fetch(`${app.url}/auth/session`, { method: 'POST', headers, body: '{"takeOver":true}', signal: leaving.signal }).catch(
      () => null,
    )
    await waitFor(() => app.standIns.telephony.calls().length > 0)
    leaving.abort()
    await asked
    release()
    await works(old.token)
    expect(await refresh(old.refreshToken)).toMatchObject({ status: 200 })
  })
})

test('the release by a manager ends the tokens of the session, and a new sign-in works', async () => {
  const agent = await app.signIn(agent1)
  const later = await renewed(agent.refreshToken)
  const open = await openAll(later.token)
  const answer = await app.rest('DELETE', `/api/sessions/${agent.agentId}`, { token: manager.token, body: { reason: 'laptop lost' } })
  expect(answer).toMatchObject({ status: 200, body: { released: true } })
  await expectAllEnded(open)
  await expectEnded(later, 'MANAGER')
  await expectEnded(agent, 'MANAGER')
  await works((await app.signIn(agent1)).token)
})

test('the removal of a member ends all of their tokens', async () => {
  const one = await app.signIn('agent3@demo.example')
  const two = await otherDevice('agent3@demo.example')
  expect(await app.rest('DELETE', `/api/team/members/${one.memberId}`, { token: manager.token })).toMatchObject({ status: 200 })
  for (const tokens of [one, two]) await expectEnded(tokens, 'REMOVAL')
})

test('a restart forgets no ended token', async () => {
  await using starting = new AsyncDisposableStack()
  const { path } = starting.use(await createTempDir())
  const sandbox = starting.use(await startSandbox({ dataDir: null }))
  const start = () => startApp({ ...sandbox.environmentOf('demo'), DATA_DIR: path, PORT: '0' })
  const logIn = { email: 'user@demo.example', password: 'sandbox-password', workspace: 'demo' }
  const before = await start()
  const [ended, other] = await Promise.all(
    [1, 2].map(async () => textsOf(tokensSchema.parse((await ask(before.url, '/auth/login', { body: logIn })).body).tokens)),
  )
  await ask(before.url, '/auth/logout', { token: ended?.token ?? '', body: {} })
  await before[Symbol.asyncDispose]()
  const after = starting.use(await start())
  const query = { query: '{ leads(first: 1) { totalCount } }' }
  const refused = await ask(after.url, '/graphql', { token: ended?.token ?? '', body: query })
  expect(refused.body).toMatchObject({ errors: [{ extensions: refusal('SIGN_OUT') }] })
  expect(await ask(after.url, '/auth/refresh', { body: { refreshToken: ended?.refreshToken } })).toMatchObject({
    status: 401,
    body: refusal('SIGN_OUT'),
  })
  expect(await ask(after.url, '/graphql', { token: other?.token ?? '', body: query })).toMatchObject({ body: { data: { leads: {} } } })
  expect(await ask(after.url, '/auth/refresh', { body: { refreshToken: other?.refreshToken } })).toMatchObject({ status: 200 })
})

test.each(['/graphql', '/metadata'])('a stream of the platform on %s ends with the error when its token is refused', async (path) => {
  await using upstream = await startUpstream((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('event: next\ndata: {"data":{}}\n\n')
  })
  const following = new Map<string, (refusal: AppError) => void>()
  const follow: GatewayTokens['follow'] = (token, listener) => {
    following.set(token, listener)
    return { [Symbol.dispose]: () => void following.delete(token) }
  }
  await using gateway = await startGateway({ platformUrl: upstream.url, principalOf: () => testPrincipal({}), tokens: { follow } })
  const open = (token: string): Promise<Response> =>
    gateway.post({ query: ofPlatform }, { path, token, headers: { accept: 'text/event-stream' } })
  const [ended, other] = await Promise.all([open('ended'), open('other')])
  following.get('ended')?.(endedToken('SIGN_OUT'))
  expect(await ended.text()).toMatch(
    /"data":\{\}.*event: next\ndata: \{"errors".*"code":"UNAUTHENTICATED".*"endedBy":"SIGN_OUT".*event: complete/s,
  )
  await waitFor(() => upstream.open() === 1 && following.size === 1)
  await other.body?.cancel()
  await waitFor(() => upstream.open() === 0 && following.size === 0)
})

const redis = await realServer('redis')
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

  test('both refuse the tokens, also with a cached principal', async () => {
    const [one = '', two = ''] = service.urls
    const { body } = await ask(one, '/auth/login', {
      body: { email: 'user@demo.example', password: 'sandbox-password', workspace: 'demo' },
    })
    const { token, refreshToken } = textsOf(tokensSchema.parse(body).tokens)
    const query = { query: '{ leads(first: 1) { totalCount } }' }
    for (const url of [one, two]) expect(await ask(url, '/graphql', { token, body: query })).toMatchObject({ status: 200 })
    for (const url of [one, two]) expect(await ask(url, '/auth/me', { token })).toMatchObject({ status: 200 })
    await ask(one, '/auth/logout', { token, body: {} })
    await waitFor(async () => JSON.stringify((await ask(two, '/graphql', { token, body: query })).body).includes('SIGN_OUT'))
    expect(await ask(two, '/auth/me', { token })).toMatchObject({ status: 401, body: refusal('SIGN_OUT') })
    expect(await ask(two, '/auth/refresh', { body: { refreshToken } })).toMatchObject({ status: 401, body: refusal('SIGN_OUT') })
  })
})

/** The second signature of ECDSA: (r, n - s). */
function otherSignature(token: string): string {
  const [header = '', payload = '', signature = ''] = token.split('.')
  const bytes = Buffer.from(signature, 'base64url')
  const order = BigInt('0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551')
  const s = order - BigInt(`0x${bytes.subarray(32).toString('hex')}`)
  const other = Buffer.concat([bytes.subarray(0, 32), Buffer.from(s.toString(16).padStart(64, '0'), 'hex')])
  return `${header}.${payload}.${other.toString('base64url')}`
}
