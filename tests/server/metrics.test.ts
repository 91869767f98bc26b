import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDuration, newDurations } from '../../src/kernel/durations.ts'
import { countUpstreamCall, createFigures } from '../../src/ports/figures.ts'
import { createTestApp, type TestApp } from '../harness/app.ts'
import { alertRules } from '../harness/dashboard.ts'
import { freePort } from '../harness/free-port.ts'
import { readSamples, sampleOf } from '../harness/metrics-text.ts'
import { waitFor } from '../harness/wait-for.ts'

let app: TestApp
let own: string
beforeAll(async () => {
  const port = await freePort()
  own = `http://127.0.0.1:${port}/metrics`
  app = await createTestApp({ environment: { METRICS_FROM: '', METRICS_ADDRESS: `127.0.0.1:${port}` } })
})
afterAll(() => app[Symbol.asyncDispose]())

const scrape = async (): Promise<string> => (await fetch(own)).text()

describe('/metrics', () => {
  test('is closed on the service port, and open at METRICS_ADDRESS, which answers nothing else', async () => {
    expect((await app.rest('GET', '/metrics')).status).toBe(404)
    expect(sampleOf(await scrape(), 'process_start_time_seconds')).toBeGreaterThan(0)
    for (const path of ['/', '/health', '/graphql', '/metrics/x']) expect((await fetch(new URL(path, own))).status).toBe(404)
    expect((await fetch(own, { method: 'POST' })).status).toBe(404)
  })

  test('is for the addresses that METRICS_FROM names', async () => {
    await using named = await createTestApp({ environment: { METRICS_FROM: '203.0.113.7' } })
    expect((await named.rest('GET', '/metrics')).status).toBe(404)
    expect((await named.rest('GET', '/metrics', { headers: { 'x-forwarded-for': '203.0.113.7' } })).status).toBe(200)
  })

  test('has requests by route, never by the path that a client sent', async () => {
    const { token } = await app.signIn('agent1@demo.example')
    await app.rest('GET', '/api/recordings/planted-call/analysis', { token })
    await app.rest('GET', '/planted-path')
    await app.rest('PATCH', '/api/calls/planted-ucid/control', { token })
    const ask = request(`${app.url}/health`, { method: 'PURGE' }).end()
    await new Promise((resolve) => ask.once('response', (response) => response.resume().once('end', resolve)))
    const count = (labels: Record<string, string>) =>
      scrape().then((text) => sampleOf(text, 'http_server_request_duration_seconds_count', labels))
    const counted = async (route: string, method: string, status: string) =>
      await waitFor(() => count({ http_route: route, http_request_method: method, http_response_status_code: status }))
    expect(await counted('/auth/login', 'POST', '200')).toBe(1)
    expect(await counted('/api/recordings/{callId}/analysis', 'GET', '404')).toBe(1)
    expect(await counted('none', 'GET', '404')).toBe(1)
    expect(await counted('/api/calls/{ucid}/control', 'PATCH', '405')).toBe(1)
    expect(await counted('/health', '_OTHER', '405')).toBe(1)
    expect(await scrape()).not.toContain('planted')
  })

  test('has GraphQL operations by our root field or by where they run, never by a name that a client chose', async () => {
    const { token } = await app.signIn('agent2@demo.example')
    await app.graphql('query planted { planted: me { role } }', { token })
    await app.graphql('query planted { me { role } callSettings { dispositions } }', { token })
    await app.graphql('query planted { planted: leads(first: 1) { edges { node { id } } } }', { token })
    await app.graphql('query planted { planted(first: 1) { id } }', { token })
    await app.graphql('query planted { me { role } leads(first: 1) { edges { node { id } } } }', { token })
    await app.graphql('query planted { __type(name: "Lead") { name } leads(first: 1) { edges { node { id } } } }', { token })
    await app.graphql('query planted {', { token })
    await app.graphql('{ me { role } }')
    const counts = await waitFor(async () => {
      const samples = readSamples(await scrape()).filter(({ name }) => name === 'sidecar_graphql_operation_duration_seconds_count')
      const found = samples
        .filter(({ value }) => value > 0)
        .map(({ labels, value }) => `${labels['operation']} ${labels['result']} ${value}`)
      return found.length >= 8 && found.toSorted()
    })
    expect(counts).toEqual([
      'invalid error 1',
      'local ok 1',
      'me error 1',
      'me ok 1',
      'mixed ok 1',
      'platform error 1',
      'platform ok 1',
      'stitched ok 1',
    ])
    expect(await scrape()).not.toContain('planted')
    expect(sampleOf(await scrape(), 'sidecar_cache_requests_total', { cache: 'schemas', result: 'miss' })).toBeGreaterThan(0)
  })

  test('has requests to the platform by operation and result', async () => {
    const count = async (operation: string, result: string) =>
      sampleOf(await scrape(), 'sidecar_upstream_call_duration_seconds_count', { provider: 'platform', operation, result })
    expect(await count('getLoginTokenFromCredentials', 'OK')).toBeGreaterThan(0)
    expect(await count('/graphql', 'OK')).toBeGreaterThan(0)
    await app.rest('POST', '/auth/login', { body: { email: 'agent3@demo.example', password: 'planted', workspace: 'demo' } })
    expect(await count('getLoginTokenFromCredentials', 'PLATFORM_REFUSED')).toBe(1)
    expect(await count('signIn', 'OK')).toBeNull()
    expect(sampleOf(await scrape(), 'sidecar_upstream_call_duration_seconds_count', { provider: 'ozonetel', operation: 'signIn' })).toBe(2)
  })

  test('has sign-ins of agents by what became of their lock', async () => {
    await app.rest('POST', '/auth/login', { body: { email: 'agent1@demo.example', password: 'sandbox-password', workspace: 'demo' } })
    const locks = async (result: string) => sampleOf(await scrape(), 'sidecar_session_locks_total', { result })
    expect([await locks('taken'), await locks('refused'), await locks('taken_over')]).toEqual([2, 1, 0])
    expect(sampleOf(await scrape(), 'sidecar_agent_sessions')).toBe(2)
  })
})

test('durations are counted in the first bucket that is long enough', () => {
  const durations = newDurations()
  for (const seconds of [0, 0.005, 0.0051, 30, 31]) addDuration(durations, seconds)
  expect(durations.counts).toEqual([2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1])
  expect(durations.sum).toBeCloseTo(61.0101)
})

test('operations whose names come from outside add a bounded number of series', () => {
  const figures = createFigures()
  for (let index = 0; index < 1_000; index += 1)
    countUpstreamCall(figures, { provider: 'platform', operation: `object${index}`, result: 'OK', seconds: 1 })
  const operations = figures.upstreamCalls.get('platform')
  expect(operations?.size).toBe(301)
  expect(operations?.get('other')?.get('OK')?.sum).toBe(700)
})

test('every alert says what to do and names a section of the documentation; all of them are tested', () => {
  const tests = readFileSync('deploy/prometheus/rules-test.yml', 'utf8')
  for (const { alert, annotations } of alertRules()) {
    expect(annotations.action.length, alert).toBeGreaterThan(30)
    const [page = '', anchor = ''] = annotations.runbook.split('#')
    const headings = [...readFileSync(page, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
      title.toLowerCase().replaceAll(' ', '-'),
    )
    expect(headings, alert).toContain(anchor)
    expect(tests).toContain(`alertname="${alert}"`)
  }
})
