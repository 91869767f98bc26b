import { createClient as createSseClient } from 'graphql-sse'
import { type Client, createClient } from 'graphql-ws'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createApiKey } from '../harness/api-key.ts'
import { createTestApp, type TestApp } from '../harness/app.ts'
import { createTestClock, type TestClock } from '../harness/clock.ts'
import { startGateway, testPrincipal } from '../harness/gateway.ts'
import { subscribe } from '../harness/subscribe.ts'
import { startUpstream } from '../harness/upstream.ts'
import { tokenWithoutSession } from '../harness/tokens-without-session.ts'
import { waitFor } from '../harness/wait-for.ts'

let clock: TestClock
let app: TestApp
let manager: string
beforeAll(async () => {
  clock = createTestClock()
  app = await createTestApp({ clock, receivesWebhooks: true })
  app.standIns.telephony.accountMode({ mode: 'token' })
  manager = (await app.signIn('manager@demo.example')).token
})
afterAll(() => app[Symbol.asyncDispose]())

type Closed = { readonly code: number; readonly reason: string }
const closedSchema = z.object({ code: z.number(), reason: z.string() })

/** What a subscription brought, by a real client. */
type Seen = { readonly results: unknown[]; error: unknown; done: boolean; leave(): void }

type Subscribing = Pick<Client, 'subscribe'> | Pick<ReturnType<typeof createSseClient>, 'subscribe'>

function listen(client: Subscribing, query: string, variables: Record<string, unknown> = {}): Seen {
  const seen: Seen = { results: [], error: null, done: false, leave: () => leave() }
  const sink = {
    next: (result: unknown) => void seen.results.push(result),
    error: (error: unknown) => void ((seen.error = error), (seen.done = true)),
    complete: () => void (seen.done = true),
  }
  const leave = client.subscribe({ query, variables }, sink)
  return seen
}

async function ask(client: Subscribing, query: string, variables?: Record<string, unknown>): Promise<unknown> {
  const seen = listen(client, query, variables)
  await waitFor(() => seen.done)
  return seen.error ?? (seen.results.length === 1 ? seen.results[0] : seen.results)
}

type SocketClient = AsyncDisposable & Client & { readonly closed: Closed[] }

function socketTo(url: string, token: string | (() => string), { retryAttempts = 0 } = {}): SocketClient {
  const closed: Closed[] = []
  const client = createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    connectionParams: () => ({ authorization: `Bearer ${typeof token === 'string' ? token : token()}` }),
    retryAttempts,
    retryWait: () => Promise.resolve(),
    on: { closed: (event) => void closed.push(closedSchema.parse(event)) },
  })
  return { ...client, closed, [Symbol.asyncDispose]: async () => client.dispose() }
}

const calls = 'subscription { callEvents { call { ucid } } }'
const agents = 'subscription { agentStates { providerAgentId } }'

test('a subscription brings the current state, then events, with the records that they link to', async () => {
  await using client = socketTo(app.url, manager)
  const events = listen(client, 'subscription { callEvents { call { ucid agent { name } } } }')
  await app.signIn('agent1@demo.example')
  const { ucid } = app.standIns.telephony.ring({ from: '+919812345670', agentId: 'agent1' })
  await waitFor(() => JSON.stringify(events.results).includes(`{"ucid":"${ucid}","agent":{"name":"Asha Menon"}}`))
  events.leave()
  await waitFor(() => events.done)
  expect(events.error).toBeNull()
})

describe('every operation has the answer that it has over HTTP:', () => {
  test.each([
    ['a query', '{ me { role } }'],
    ['one of the platform', '{ leads(first: 1) { edges { node { id name } } } }'],
    ['one with parts on both sides', '{ me { role } leads(first: 1) { totalCount } }'],
    ['one on the stitched schema', '{ leads(first: 1) { edges { node { id insight { summary } } } } }'],
    ['one with a link to a record', '{ callLookup(phoneNumber: "+919876543210") { lead { id record { id } } } }'],
    ['a mutation', 'mutation { updateLead(id: "20202020-0000-4000-8000-000000000000", data: { name: "x" }) { id } }'],
    ['an unknown field', '{ me { nothing } }'],
    ['a syntax error', '{ me { '],
    ['a link in a subscription to an unknown field', 'subscription { callEvents { call { ucid agent { nothing } } } }'],
    ['a subscription whose only field is skipped', 'subscription { callEvents @skip(if: true) { call { ucid } } }'],
    ['a document over a limit', `{ ${Array.from({ length: 300 }, (_, index) => `a${index}: __typename`).join(' ')} }`],
    ['an argument that is not allowed', '{ callLookup(phoneNumber: "") { match } }'],
    ['a subscription to what there is not', 'subscription { recordingProgress(callId: "20202020-0000-4000-8000-000000000000") { stage } }'],
  ])('%s', async (_, query) => {
    await using client = socketTo(app.url, manager)
    const answer = await ask(client, query)
    const overHttp = query.startsWith('subscription')
      ? await ask(createSseClient({ url: `${app.url}/graphql`, headers: { authorization: `Bearer ${manager}` }, retryAttempts: 0 }), query)
      : await app.graphql(query, { token: manager })
    const comparable = (value: unknown): unknown =>
      JSON.parse(JSON.stringify(value, (key, member: unknown) => (key === 'requestId' ? undefined : member)))
    expect(comparable(Array.isArray(answer) ? { errors: answer } : answer)).toEqual(comparable(overHttp))
  })

  test('a query with a deferred fragment comes in parts', async () => {
    await using client = socketTo(app.url, manager)
    const parts = listen(client, '{ me { role ... @defer { memberId } } }')
    await waitFor(() => parts.done)
    expect(parts.results).toMatchObject([
      { data: { me: { role: 'MANAGER' } }, hasNext: true },
      { incremental: [{ path: ['me'] }], hasNext: false },
    ])
  })

  test('rights are those of the token', async () => {
    const { token } = await app.signIn('user@demo.example')
    await using client = socketTo(app.url, token)
    expect(await ask(client, 'subscription { supervisionUpdates { at } }')).toMatchObject([
      { extensions: { code: 'FORBIDDEN', reason: 'ROLE_MISSING' } },
    ])
  })

  test('its log lines have an id that begins with that of the socket', async () => {
    await using client = socketTo(app.url, manager)
    const refused = await ask(client, '{ me { nothing } }')
    const [{ extensions }] = z.tuple([z.object({ extensions: z.object({ requestId: z.string() }) })]).parse(refused)
    expect(extensions.requestId).toMatch(/^[\w-]+\.1$/)
  })
})

/** A token that somebody has written. */
const written = (claims: Readonly<Record<string, string>>): string =>
  ['{"alg":"HS256"}', JSON.stringify(claims), 'x'].map((part) => Buffer.from(part).toString('base64url')).join('.')

type TokenCase = readonly [name: string, tokenOf: () => string | Promise<string>, times: number, code: number]
const tokenCases: readonly TokenCase[] = [
  ['no token of the platform', () => 'garbage', 0, 4403],
  ['written like an API key', () => written({ workspaceId: 'w', type: 'API_KEY' }), 1, 4403],
  ["written like a member's", () => written({ workspaceId: 'w', workspaceMemberId: 'm', sub: 'u' }), 1, 4403],
  ['an API key', () => createApiKey(app, manager), 1, 1000],
  ["a known member's", () => manager, 0, 1000],
]
test.for(tokenCases)('%s: the platform is asked so often whose token a socket has', async ([, tokenOf, times, code]) => {
  const token = await tokenOf()
  const questions = (): number =>
    app.standIns.platform.calls().filter(({ path, headers }) => path === '/metadata' && headers.authorization === `Bearer ${token}`).length
  const before = questions()
  await using client = socketTo(app.url, token)
  const seen = listen(client, '{ __typename }')
  await waitFor(() => seen.done)
  await waitFor(() => client.closed.length === 1)
  expect(client.closed[0]?.code).toBe(code)
  expect(questions() - before).toBe(times)
})

test.each([429, 500, 200])(
  'a platform that answers %i with an error has said nothing about an API key: its socket may come again',
  async (status) => {
    const key = await createApiKey(app, manager)
    const body = JSON.stringify({ errors: [{ message: 'Busy', extensions: { code: 'INTERNAL_SERVER_ERROR' } }] })
    app.standIns.platform.fault({ operation: 'currentWorkspace', act: 'refuse', status, body, times: 1 })
    await using client = socketTo(app.url, key)
    const seen = listen(client, '{ __typename }')
    await waitFor(() => seen.done && client.closed.length === 1)
    expect(client.closed[0]?.code).toBe(1013)
    await using again = socketTo(app.url, key)
    const answered = listen(again, '{ __typename }')
    await waitFor(() => answered.done)
    expect(answered.error).toBeNull()
  },
)

test('streams over both transports are counted together for a member', async () => {
  await using client = socketTo(app.url, manager)
  const streams = await Promise.all(Array.from({ length: 99 }, () => subscribe(app.url, { query: agents, token: manager })))
  const last = listen(client, agents)
  await waitFor(() => last.results.length > 0)
  expect(await ask(client, agents)).toMatchObject([{ extensions: { code: 'RATE_LIMITED', reason: 'TOO_MANY_STREAMS' } }])
  last.leave()
  await waitFor(async () => {
    const next = listen(client, agents)
    await waitFor(() => next.done || next.results.length > 0)
    next.leave()
    return next.error === null
  })
  for (const stream of streams) stream.leave()
})

describe('the token', () => {
  test.each([
    ['none', {}, 'TOKEN_MISSING'],
    ['one that the platform refuses', { authorization: 'Bearer abc.def.ghi' }, 'TOKEN_REFUSED'],
    ['one in the address', {}, 'TOKEN_MISSING'],
  ])('%s closes the socket with 4403', async (what, connectionParams, reason) => {
    const url = `${app.url.replace('http', 'ws')}/graphql${what.includes('address') ? `?access_token=${manager}&authorization=Bearer ${manager}` : ''}`
    const client = createClient({ url, connectionParams, retryAttempts: 0 })
    const closed = closedSchema.parse(await ask(client, agents))
    expect(closed.code).toBe(4403)
    expect(closed.reason).toMatch(new RegExp(`^${reason}: `))
    await client.dispose()
  })

  test('ends its streams with an error, then the socket with 4403; the client connects again with a new one', async () => {
    let { token } = await app.signIn('manager@demo.example')
    await using client = socketTo(app.url, () => token, { retryAttempts: 3 })
    const events = listen(client, agents)
    await waitFor(() => events.results.length > 0)
    clock.advance(31 * 60_000)
    ;({ token } = await app.signIn('manager@demo.example'))
    manager = token
    await app.signIn('agent2@demo.example')
    await waitFor(() => JSON.stringify(events.results).includes('TOKEN_REFUSED') || client.closed.length > 0)
    const again = listen(client, agents)
    await waitFor(() => again.results.length > 0 && JSON.stringify(again.results.at(-1)).includes('data'))
    await waitFor(() => client.closed.length > 0)
    expect(client.closed[0]?.code).toBe(4403)
    expect(client.closed[0]?.reason).toMatch(/^TOKEN_REFUSED: /)
  })
})

const sseTo = (url: string, token: string): Subscribing =>
  createSseClient({ url: `${url}/graphql`, headers: { authorization: `Bearer ${token}` }, retryAttempts: 0 })

test('a take-over ends the streams of both transports with its reason; signing out ends them too, because it ends the token', async () => {
  const { token } = await app.signIn('agent3@demo.example')
  await using client = socketTo(app.url, token)
  const streams = [listen(client, calls), listen(sseTo(app.url, token), calls)]
  const others = [listen(client, agents), listen(sseTo(app.url, token), agents)]
  await waitFor(() => others.every(({ results }) => results.length > 0))
  const other = await tokenWithoutSession({ url: app.url, workspaceUrl: app.standIns.platform.workspaceUrl }, 'agent3@demo.example')
  const taken = await app.rest('POST', '/auth/session', { token: other, body: { takeOver: true } })
  expect(taken.status).toBe(200)
  await waitFor(() => [...streams, ...others].every(({ done }) => done))
  for (const { results } of [...streams, ...others]) {
    expect(results.at(-1)).toMatchObject({ errors: [{ extensions: { code: 'CONFLICT', reason: 'SESSION_TAKEN_OVER' } }] })
  }
  // By the client, which had nothing to do, or by the service, because the token of the old device has ended.
  await waitFor(() => client.closed.length > 0)
  expect([1_000, 4_403]).toContain(client.closed[0]?.code)
  await using next = socketTo(app.url, other)
  const staying = [listen(next, agents), listen(sseTo(app.url, other), agents)]
  await waitFor(() => staying.every(({ results }) => results.length > 0))
  expect((await app.rest('POST', '/auth/logout', { token: other, body: {} })).status).toBe(200)
  await waitFor(() => staying.every(({ done }) => done))
  for (const { results } of staying) {
    expect(results.at(-1)).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED', data: { endedBy: 'SIGN_OUT' } } }] })
  }
  await waitFor(() => next.closed.length > 0)
})

describe('subscriptions of the platform', () => {
  const query = 'subscription { onEventSubscription(eventStreamId: "1") { eventStreamId } }'

  test('are forwarded, end with a last result when the service stops, and so does the socket', async () => {
    await using upstream = await startUpstream((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('event: next\ndata: {"data":{"n":1}}\n\n')
    })
    await using stack = new AsyncDisposableStack()
    const gateway = stack.use(await startGateway({ platformUrl: upstream.url, principalOf: () => testPrincipal({}) }))
    await using client = socketTo(gateway.url, 'token')
    const streams = [listen(client, query), listen(sseTo(gateway.url, 'token'), query)]
    await waitFor(() => streams.every(({ results }) => results.length > 0))
    await stack.disposeAsync()
    await waitFor(() => streams.every(({ done }) => done))
    for (const { results, error } of streams) {
      expect(error).toBeNull()
      expect(results).toMatchObject([
        { data: { n: 1 } },
        { errors: [{ extensions: { code: 'UPSTREAM_UNAVAILABLE', reason: 'STOPPING' } }] },
      ])
    }
    await waitFor(() => client.closed.length > 0)
    expect(client.closed[0]).toEqual({ code: 1001, reason: 'STOPPING: The service restarts: subscribe again' })
    await waitFor(() => upstream.open() === 0)
  })

  test('end at the platform when the client completes them; one that breaks off ends with an error', async () => {
    let breakOff = (): void => {}
    await using upstream = await startUpstream((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('event: next\ndata: {"data":{"n":1}}\n\n')
      breakOff = () => response.destroy()
    })
    await using gateway = await startGateway({ platformUrl: upstream.url, principalOf: () => testPrincipal({}) })
    await using client = socketTo(gateway.url, 'token')
    const left = listen(client, query)
    await waitFor(() => left.results.length > 0)
    left.leave()
    await waitFor(() => upstream.open() === 0)
    const broken = listen(client, query)
    await waitFor(() => broken.results.length > 0)
    breakOff()
    await waitFor(() => broken.done)
    expect(broken.error).toMatchObject([{ extensions: { code: 'UPSTREAM_UNAVAILABLE', retryable: true } }])
  })
})
