import type { ServerResponse } from 'node:http'
import { buildSchema, graphql } from 'graphql'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type BreakerRules, CircuitBreaker } from '../../src/kernel/circuit-breaker.ts'
import { startGateway, testPrincipal } from '../harness/gateway.ts'
import { sampleOf } from '../harness/metrics-text.ts'
import { sendJson, startUpstream, type UpstreamSeen } from '../harness/upstream.ts'
import { waitFor } from '../harness/wait-for.ts'

const platform = { party: 'platform', who: 'The platform', workspaceId: null }
const refusal = {
  errors: [
    {
      message: 'The platform does not work at the moment, and gets no requests until it does. Try again in 2 s',
      extensions: { code: 'UPSTREAM_UNAVAILABLE', reason: 'PROVIDER_UNAVAILABLE', retryable: true, data: { party: 'platform' } },
    },
  ],
}

/** A breaker on a clock that only the test moves. */
function createTestBreaker(rules: BreakerRules = {}) {
  let at = 1
  return { breaker: new CircuitBreaker(platform, { ...rules, now: () => at }), wait: (ms: number) => void (at += ms) }
}

test('a stalled platform holds only the requests that it was sent: the others get 503 at once, and it recovers with its first answer', async () => {
  const held: ServerResponse[] = []
  await using upstream = await startUpstream(({ body }, response) => {
    if (body.includes('quick')) return sendJson(response, { data: { quick: 1 } })
    held.push(response)
  })
  const { breaker, wait } = createTestBreaker()
  await using gateway = await startGateway({ platformUrl: upstream.url, upstream: { connections: 2, breaker } })
  const sent = ['a', 'b'].map((name) => gateway.post({ query: `{ ${name} }` }))
  await waitFor(() => expect(held).toHaveLength(2))
  const waiting = ['c', 'd'].map((name) => gateway.post({ query: `{ ${name} }` }))
  await waitFor(() => expect(gateway.inFlight()).toBe(4))
  wait(2_500)
  for (const answer of await Promise.all([gateway.post({ query: '{ e }' }), ...waiting])) {
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2'])
    expect(await answer.json()).toMatchObject(refusal)
  }
  expect(gateway.inFlight()).toBe(2)
  wait(2_000)
  // One request tests the platform, beside the two that wait. It has a connection when one of them has its answer.
  const testing = gateway.post({ query: '{ quick }' })
  await waitFor(() => expect(gateway.inFlight()).toBe(3))
  expect((await gateway.post({ query: '{ f }' })).status).toBe(503)
  for (const response of held) sendJson(response, { data: { late: 1 } })
  expect(await (await testing).json()).toEqual({ data: { quick: 1 } })
  expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([200, 200])
  expect((await gateway.post({ query: '{ quick }' })).status).toBe(200)
})

test('a platform that answers only 503 gets no more than one request for each of a client, and soon none', async () => {
  await using upstream = await startUpstream((_, response) => sendJson(response, { errors: [{ message: 'Too busy' }] }, 503))
  const { breaker } = createTestBreaker()
  await using gateway = await startGateway({ platformUrl: upstream.url, upstream: { breaker } })
  for (let request = 0; request < 20; request += 1) expect((await gateway.post({ query: `{ leads { id } }` })).status).toBe(503)
  expect(upstream.seen).toHaveLength(5)
  expect(await (await gateway.post({ query: '{ leads { id } }' })).json()).toMatchObject(refusal)
})

test('refusals of the platform, its internal errors and clients that leave are no failures', async () => {
  await using upstream = await startUpstream(({ body }, response) => {
    if (!body.includes('hang')) sendJson(response, { errors: [{ message: 'No' }] }, body.includes('broken') ? 500 : 400)
  })
  const { breaker } = createTestBreaker()
  await using gateway = await startGateway({ platformUrl: upstream.url, upstream: { breaker } })
  for (let request = 0; request < 6; request += 1) {
    expect((await gateway.post({ query: '{ refused }' })).status).toBe(400)
    expect((await gateway.post({ query: '{ broken }' })).status).toBe(500)
    const leaving = new AbortController()
    const left = gateway.post({ query: '{ hang }' }, { signal: leaving.signal })
    await waitFor(() => expect(upstream.seen).toHaveLength(3 * request + 3))
    leaving.abort()
    await expect(left).rejects.toThrow('aborted')
  }
  await waitFor(() => expect(breaker.waiting).toBe(0))
  expect(breaker.isOpen).toBe(false)
  const counted = async (name: string, labels: Readonly<Record<string, string>>) =>
    sampleOf(await (await fetch(`${gateway.url}/metrics`)).text(), name, labels)
  await waitFor(async () => (await counted('sidecar_http_aborted_total', { cause: 'CLIENT_LEFT' })) === 6)
  expect(await counted('sidecar_graphql_operation_duration_seconds_count', { operation: 'platform', result: 'error' })).toBe(12)
})

describe('operations on the stitched schema', () => {
  const schema = buildSchema('type Query { lead: Lead } type Lead { id: ID }')
  const works = async ({ body }: UpstreamSeen, response: ServerResponse): Promise<void> => {
    const { query } = z.object({ query: z.string() }).parse(JSON.parse(body))
    sendJson(response, await graphql({ schema, source: query, rootValue: { lead: { id: 'L1' } } }))
  }
  const unavailable = (_: UpstreamSeen, response: ServerResponse): void => sendJson(response, { errors: [{ message: 'Too busy' }] }, 503)
  const page = (_: UpstreamSeen, response: ServerResponse): void =>
    void response.writeHead(503, { 'content-type': 'text/html' }).end('<html>Bad gateway</html>')
  const stitched = '{ __type(name: "Lead") { name } lead { id } }'
  const withoutPlatform = '{ __type(name: "Lead") { name } }'
  const forwarded = '{ lead { id } }'

  /** `answer` may be replaced. The schema is read once. */
  async function open(state: { answer: (seen: UpstreamSeen, response: ServerResponse) => void | Promise<void> }) {
    const stack = new AsyncDisposableStack()
    const upstream = stack.use(await startUpstream((seen, response) => state.answer(seen, response)))
    const { breaker } = createTestBreaker()
    const options = { principalOf: () => testPrincipal(), stitching: { rereadMs: 600_000, refreshMs: 600_000 } }
    const gateway = stack.use(await startGateway({ platformUrl: upstream.url, upstream: { breaker }, ...options }))
    const ask = (query: string) => gateway.ask(query, { token: 'a-token' })
    return { upstream, breaker, ask, [Symbol.asyncDispose]: () => stack.disposeAsync() }
  }

  test.each([
    ['as JSON', unavailable],
    ['as a page', page],
  ])('a platform that answers them only 503, %s, is paused', async (_, refuses) => {
    const state = { answer: works }
    await using house = await open(state)
    expect(await house.ask(stitched)).toEqual({ data: { __type: { name: 'Lead' }, lead: { id: 'L1' } } })
    Object.assign(state, { answer: refuses })
    for (let time = 0; time < 4; time += 1) await house.ask(stitched)
    expect(house.breaker.isOpen).toBe(false)
    await house.ask(stitched)
    expect([house.breaker.cause, house.breaker.waiting]).toEqual(['failures', 0])
  })

  test('without a request to the platform they say nothing about it', async () => {
    const state = { answer: works }
    await using house = await open(state)
    await house.ask(stitched)
    Object.assign(state, { answer: unavailable })
    for (let time = 0; time < 4; time += 1) await house.ask(forwarded)
    const asked = house.upstream.seen.length
    expect(await house.ask(withoutPlatform)).toEqual({ data: { __type: { name: 'Lead' } } })
    expect(await house.ask('{ __type(name: "Lead") { name } unknown }')).toMatchObject({ errors: [{}] })
    expect(house.upstream.seen).toHaveLength(asked)
    await house.ask(forwarded)
    expect(house.breaker.cause).toBe('failures')
  })

  test('a subscription is refused at once, and the platform is not asked, while it is paused', async () => {
    const schema = buildSchema('type Query { lead: Lead } type Subscription { leadChanged: Lead } type Lead { id: ID name: String }')
    await using upstream = await startUpstream(async ({ body }, response) => {
      const { query } = z.object({ query: z.string() }).parse(JSON.parse(body))
      sendJson(response, await graphql({ schema, source: query }))
    })
    const { breaker } = createTestBreaker({ failuresToOpen: 1 })
    await using gateway = await startGateway({ platformUrl: upstream.url, upstream: { breaker }, principalOf: () => testPrincipal() })
    breaker.enter()
    breaker.failed()
    const headers = { 'content-type': 'application/json', accept: 'text/event-stream', authorization: 'Bearer a-token' }
    const body = JSON.stringify({ query: 'subscription { leadChanged { id insight { summary } } }' })
    const answer = await (await fetch(`${gateway.url}/graphql`, { method: 'POST', headers, body })).text()
    expect(answer).toContain(refusal.errors[0]?.message)
    expect(upstream.seen).toEqual([])
  })

  test.each([
    ['is refused', 503, { isOpen: true, waiting: 0 }],
    ['begins', 200, { isOpen: false, waiting: 0 }],
  ])('a subscription alone tests whether the platform works again: it %s', async (_, status, shown) => {
    const schema = buildSchema('type Query { lead: Lead } type Subscription { leadChanged: Lead } type Lead { id: ID name: String }')
    const state = { status: 503 }
    await using upstream = await startUpstream(async ({ body }, response) => {
      const { query } = z.object({ query: z.string() }).parse(JSON.parse(body))
      if (!query.startsWith('subscription')) return sendJson(response, await graphql({ schema, source: query }))
      if (state.status !== 200) return sendJson(response, { errors: [{ message: 'Too busy' }] }, state.status)
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end('event: next\ndata: {"data":{"leadChanged":{"id":"L1"}}}\n\nevent: complete\ndata:\n\n')
    })
    const { breaker, wait } = createTestBreaker({ failuresToOpen: 1 })
    const options = { principalOf: () => testPrincipal(), stitching: { rereadMs: 600_000, refreshMs: 600_000 } }
    await using gateway = await startGateway({ platformUrl: upstream.url, upstream: { breaker }, ...options })
    await gateway.ask('{ __type(name: "Lead") { name } lead { id } }', { token: 'a-token' })
    breaker.enter()
    breaker.failed()
    const subscribe = async (): Promise<string> => {
      const headers = { 'content-type': 'application/json', accept: 'text/event-stream', authorization: 'Bearer a-token' }
      const body = JSON.stringify({ query: 'subscription { leadChanged { id __typename insight { summary } } }' })
      return (await fetch(`${gateway.url}/graphql`, { method: 'POST', headers, body })).text()
    }
    const asked = upstream.seen.length
    expect(await subscribe()).toContain(refusal.errors[0]?.message)
    expect(upstream.seen).toHaveLength(asked)
    wait(2_000)
    state.status = status
    expect(await subscribe()).toContain(status === 200 ? '"id":"L1"' : 'Too busy')
    expect({ isOpen: breaker.isOpen, waiting: breaker.waiting }).toEqual(shown)
  })

  test('a workspace whose schema the platform does not show pauses nothing', async () => {
    await using house = await open({
      answer: (_, response) => sendJson(response, { errors: [{ message: 'Oops', extensions: { code: 'INTERNAL_SERVER_ERROR' } }] }),
    })
    for (let time = 0; time < 6; time += 1)
      expect(await house.ask(stitched)).toMatchObject({ errors: [{ extensions: { reason: 'PROVIDER_UNAVAILABLE' } }] })
    expect([house.breaker.isOpen, house.breaker.waiting]).toEqual([false, 0])
  })
})
