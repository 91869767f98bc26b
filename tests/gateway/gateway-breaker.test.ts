import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { type BreakerRules, CircuitBreaker } from '../../src/kernel/circuit-breaker.ts'
import { startGateway } from '../harness/gateway.ts'
import { sendJson, startUpstream } from '../harness/upstream.ts'
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
})
