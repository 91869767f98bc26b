import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../src/kernel/ids.ts'
import { createTestApp, type TestApp } from '../harness/app.ts'
import { createTestClock, type TestClock } from '../harness/clock.ts'
import { startGateway, testPrincipal } from '../harness/gateway.ts'
import { startUpstream } from '../harness/upstream.ts'
import { waitFor } from '../harness/wait-for.ts'

let app: TestApp
let clock: TestClock
let token: string
beforeAll(async () => {
  clock = createTestClock()
  app = await createTestApp({ clock })
  app.standIns.platform.setLifetimes({ accessMs: 7_200_000 })
  token = (await app.signIn('manager@demo.example')).token
  // The stitched schema is at hand.
  await app.graphql(plans[2].query, { token })
})
afterAll(() => app[Symbol.asyncDispose]())

/** What asks the platform, and where in the answer its fault stands. */
const plans = [
  { name: 'the look-up of who asks', operation: 'currentUser', query: '{ me { role } }' },
  { name: 'the platform`s part of a mixed operation', operation: 'leads', query: '{ me { role } leads(first: 1) { totalCount } }' },
  { name: 'a stitched operation', operation: 'leads', query: '{ leads(first: 1) { edges { node { id insight { summary } } } } }' },
] as const
const answers = [
  { name: 'HTML', contentType: 'text/html', body: '<p>a secret of the proxy</p>' },
  { name: 'an empty body', contentType: 'application/json', body: '' },
  { name: 'half a JSON', contentType: 'application/json', body: '{"data":{"a secret of' },
  { name: 'JSON that is no answer', contentType: 'application/json', body: '["a secret of"]' },
]

describe.for(plans)('$name', ({ operation, query }) => {
  test.for(answers)('answered with $name is UPSTREAM_FAILED with the request id, logged once', async ({ contentType, body }) => {
    // Who was known in the last 15 minutes goes on without a look-up.
    clock.advance(operation === 'currentUser' ? 901_000 : 1)
    await app.graphql('{ __typename }')
    const requestId = newId()
    app.standIns.platform.fault({ operation, act: 'refuse', status: 200, contentType, body })
    const answer = await app.rest('POST', '/graphql', { token, body: { query }, headers: { 'x-request-id': requestId } })
    app.standIns.platform.clearFaults()
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({
      errors: [{ extensions: { code: 'UPSTREAM_FAILED', reason: 'PROVIDER_ANSWER_INVALID', retryable: true, requestId } }],
    })
    expect(JSON.stringify(answer.body)).not.toContain('a secret of')
    // The line of the request itself comes when the connection has its last byte: perhaps later.
    const lines = app.logged.filter((line) => line.includes(requestId) && !line.includes('"http.request"'))
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain('PROVIDER_ANSWER_INVALID')
    expect(lines[0]).not.toContain('a secret of')
  })
})

test.for(plans.slice(1))('$name answered with more than 16 MB is UPSTREAM_FAILED', async ({ operation, query }) => {
  const answered = (bytes: number): string => `{"data":{"leads":{"totalCount":1,"edges":[]}},"extensions":{"x":"${'x'.repeat(bytes)}"}}`
  app.standIns.platform.fault({ operation, act: 'refuse', status: 200, body: answered(15 * 1_048_576), times: 1 })
  expect(await app.graphql(query, { token })).not.toHaveProperty('errors')
  app.standIns.platform.fault({ operation, act: 'refuse', status: 200, body: answered(16 * 1_048_576), times: 1 })
  expect(await app.graphql(query, { token })).toMatchObject({ errors: [{ extensions: { reason: 'PROVIDER_ANSWER_INVALID' } }] })
})

test.for(plans.slice(1))('$name never answered is TIMEOUT with the request id', async ({ query }) => {
  await using upstream = await startUpstream(() => undefined)
  await using gateway = await startGateway({ platformUrl: upstream.url, principalOf: () => testPrincipal(), deadlineMs: 300 })
  const mixed = query.replace('me { role }', 'viewer { email }')
  const response = await gateway.post({ query: mixed }, { token: 'good', headers: { 'x-request-id': 'asked-1' } })
  expect(response.status).toBe(504)
  expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'TIMEOUT', requestId: 'asked-1' } }] })
  await waitFor(() => upstream.open() === 0)
})
