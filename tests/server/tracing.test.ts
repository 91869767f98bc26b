import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createTestApp, type TestApp } from '../harness/app.ts'
import type { SeenCall } from '../../src/sandbox/stand-in.ts'
import { type OtlpCollector, startOtlpCollector } from '../harness/otlp-collector.ts'
import { waitFor } from '../harness/wait-for.ts'
import { playCall } from '../prove/calls/traffic.ts'

let collector: OtlpCollector
let app: TestApp
beforeAll(async () => {
  collector = await startOtlpCollector()
  const headers = 'x-collector-key=a%2Ckey'
  app = await createTestApp({ environment: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_HEADERS: headers } })
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await collector[Symbol.asyncDispose]()
})

const [traceId, parentId] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']
const traceparent = `00-${traceId}-${parentId}-01`
const spansOf = (id: string) => collector.spans.filter((span) => span.traceId === id)
const named = (name: string) => spansOf(traceId).find((span) => span.name === name)
const kinds = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 }

/** The chain of names from the root to the span. */
function wayTo(span: (typeof collector.spans)[number] | undefined): readonly string[] {
  const parent = span && collector.spans.find(({ spanId }) => spanId === span.parentSpanId)
  return span ? [...wayTo(parent), span.name] : []
}

test('a webhook, its event, the consumer, the platform and the model are one trace', async () => {
  const { token } = await app.signIn('manager@demo.example')
  const keys = await app.rest('POST', '/api/calls/callback-keys', { token, body: { provider: 'ozonetel' } })
  const { path } = z.looseObject({ path: z.string() }).parse(keys.body)
  const lead = () => app.standIns.platform.records('demo', 'lead', { name: { eq: 'Rahul Verma' } })[0] ?? {}
  const before = lead()['aiInsightAt']
  // The number of Rahul Verma.
  const { postings } = playCall(2_812_345_670, () => 0.5, {
    ucid: '91234567890',
    beganAt: Math.floor(Date.now() / 1_000) * 1_000,
    agentId: 'agent1',
  })
  for (const { contentType, body } of postings)
    await fetch(app.url + path, { method: 'POST', headers: { 'content-type': contentType, traceparent }, body })
  await waitFor(() => lead()['aiInsightAt'] !== before, { what: 'the insight' })
  const model = new URL(app.standIns.models.url).port
  const toModel = await waitFor(() =>
    spansOf(traceId).find(
      ({ kind, attributes }) => kind === kinds.client && attributes.some(({ value }) => String(value.intValue) === model),
    ),
  )
  // A span is sent when it has ended, and the outer ones end last.
  await waitFor(() =>
    expect(wayTo(toModel)).toEqual([
      'POST /hooks/*',
      expect.stringMatching(/^process /),
      'process call.completed',
      'language-model.structured',
      'POST',
    ]),
  )
  expect(named('POST /hooks/*')).toMatchObject({ kind: kinds.server, parentSpanId: parentId })
  const consumers = () => spansOf(traceId).filter(({ name }) => name === 'process call.completed')
  expect(consumers().map(({ kind }) => kind)).toEqual(consumers().map(() => kinds.consumer))
  const isConsumer = (id: string) => consumers().some(({ spanId }) => spanId === id)
  await waitFor(() => spansOf(traceId).some(({ parentSpanId, kind }) => isConsumer(parentSpanId) && kind === kinds.client), {
    what: 'a request of a consumer to the platform',
  })
  expect(collector.headers()['x-collector-key']).toBe('a,key')
  expect(collector.text()).not.toMatch(/9812345670|Rahul|telephony\/ozonetel/)
})

test('the platform gets the span of its own request, in the trace of the client; the log names it', async () => {
  const { token } = await app.signIn('agent1@demo.example')
  const id = 'a'.repeat(32)
  const requestId = 'traced-request'
  const headers = { traceparent: `00-${id}-${parentId}-01`, 'x-request-id': requestId }
  const forwarded = app.rest('POST', '/graphql', { token, headers, body: { query: '{ leads(first: 1) { totalCount } }' } })
  expect((await forwarded).status).toBe(200)
  const client = await waitFor(() => spansOf(id).find(({ kind }) => kind === kinds.client))
  const server = await waitFor(() => spansOf(id).find(({ kind }) => kind === kinds.server))
  expect(client.parentSpanId).toBe(server.spanId)
  const sent = app.standIns.platform.calls('leads').at(-1)
  expect(sent?.headers['traceparent']).toBe(`00-${id}-${client.spanId}-01`)
  const line = await waitFor(() => app.logged.find((text) => text.includes('"http.request"') && text.includes(requestId)))
  expect(JSON.parse(line)).toMatchObject({ trace_id: id, span_id: server.spanId })
})

test.each([
  ['mixed', '{ me { role } leads(first: 1) { totalCount } currentWorkspace { id } }'],
  // Our part asks the platform for the members, and the links for their records in one batch.
  [
    'stitched',
    '{ teamMembers(first: 5) { nodes { id record { id name { firstName } } } } leads(first: 2) { edges { node { id insight { summary } } } } }',
  ],
])('all requests of a %s operation to the platform are in the trace of the client', async (kind, query) => {
  const { token } = await app.signIn('manager@demo.example')
  const id = kind.charCodeAt(0).toString(16).padEnd(32, 'b')
  const headers = { traceparent: `00-${id}-${parentId}-01`, 'x-request-id': `trace-of-${kind}` }
  app.standIns.platform.forgetCalls()
  const { body } = await app.rest('POST', '/graphql', { token, headers, body: { query } })
  expect(body).not.toHaveProperty('errors')
  const isOurs = ({ operation, headers: of }: SeenCall) =>
    of['x-request-id'] === headers['x-request-id'] || operation.endsWith('workspaceMembers')
  const sent = app.standIns.platform.calls().filter(isOurs)
  expect(sent.length).toBeGreaterThanOrEqual(2)
  const outside = sent.filter((call) => !String(call.headers['traceparent']).startsWith(`00-${id}-`))
  expect(outside.map(({ operation }) => operation)).toEqual([])
  await waitFor(() => spansOf(id).some(({ kind: one }) => one === kinds.server))
  for (const call of sent) {
    const span = await waitFor(() => spansOf(id).find(({ spanId }) => call.headers['traceparent']?.includes(spanId)))
    expect(span).toMatchObject({ name: 'POST', kind: kinds.client })
    expect(wayTo(span)[0]).toBe('POST /graphql')
    expect(span.attributes).toContainEqual({ key: 'http.response.status_code', value: { intValue: 200 } })
  }
})

test('a collector that does not answer delays no request', async () => {
  collector.stall()
  const answers = await Promise.all(Array.from({ length: 50 }, () => app.rest('GET', '/health')))
  expect(answers.every(({ status }) => status === 200)).toBe(true)
})
