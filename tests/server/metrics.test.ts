import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newState, writeState } from '../../src/features/calls/reconciliation/reconciliation-state.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { addDuration, newDurations } from '../../src/kernel/durations.ts'
import { AppError } from '../../src/kernel/errors.ts'
import { createLog } from '../../src/kernel/log.ts'
import type { EventDepth } from '../../src/ports/event-bus.ts'
import { countUpstreamCall, createFigures } from '../../src/ports/figures.ts'
import { createSqliteStore } from '../../src/providers/store/sqlite.ts'
import { registerEventMetrics } from '../../src/server/operations/event-metrics.ts'
import { registerReconciliationMetrics } from '../../src/server/operations/reconciliation-metrics.ts'
import { registerSessionMetrics } from '../../src/server/operations/session-metrics.ts'
import { createTestApp, type TestApp } from '../harness/app.ts'
import { alertRules, dashboardPanels } from '../harness/dashboard.ts'
import { failingStore } from '../harness/failing-store.ts'
import { freePort } from '../harness/free-port.ts'
import { readSamples, sampleOf } from '../harness/metrics-text.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { waitFor } from '../harness/wait-for.ts'
import { retentionOf } from '../../src/wiring/stored-values.ts'

let app: TestApp
let own: string
let token: string
beforeAll(async () => {
  const port = await freePort()
  own = `http://127.0.0.1:${port}/metrics`
  app = await createTestApp({ environment: { METRICS_FROM: '', METRICS_ADDRESS: `127.0.0.1:${port}` } })
  token = (await app.signIn('agent1@demo.example')).token
  await app.signIn('agent2@demo.example')
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
    await app.rest('GET', '/api/recordings/planted-call/analysis', { token })
    await app.rest('GET', '/planted-path')
    await app.rest('PATCH', '/api/calls/planted-ucid/control', { token })
    const ask = request(`${app.url}/health`, { method: 'PURGE' }).end()
    await new Promise((resolve) => ask.once('response', (response) => response.resume().once('end', resolve)))
    const count = (labels: Record<string, string>) =>
      scrape().then((text) => sampleOf(text, 'http_server_request_duration_seconds_count', labels))
    const counted = async (route: string, method: string, status: string) =>
      await waitFor(() => count({ http_route: route, http_request_method: method, http_response_status_code: status }))
    expect(await counted('/auth/login', 'POST', '200')).toBe(2)
    expect(await counted('/api/recordings/{callId}/analysis', 'GET', '404')).toBe(1)
    expect(await counted('none', 'GET', '404')).toBe(1)
    expect(await counted('/api/calls/{ucid}/control', 'PATCH', '405')).toBe(1)
    expect(await counted('/health', '_OTHER', '405')).toBe(1)
    expect(await scrape()).not.toContain('planted')
  })

  test('has GraphQL operations by our root field or by where they run, never by a name that a client chose', async () => {
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
    await app.graphql('{ leads(first: 1) { edges { node { id } } } }', { token })
    expect(await count('getLoginTokenFromCredentials', 'OK')).toBeGreaterThan(0)
    expect(await count('/graphql', 'OK')).toBeGreaterThan(0)
    await app.rest('POST', '/auth/login', { body: { email: 'agent3@demo.example', password: 'planted', workspace: 'demo' } })
    expect(await count('getLoginTokenFromCredentials', 'PLATFORM_REFUSED')).toBe(1)
    expect(await count('signIn', 'OK')).toBeNull()
    expect(sampleOf(await scrape(), 'sidecar_upstream_call_duration_seconds_count', { provider: 'ozonetel', operation: 'signIn' })).toBe(2)
  })

  test('has the room on the disk of the data directory', async () => {
    expect(sampleOf(await scrape(), 'sidecar_data_dir_free_bytes')).toBeGreaterThan(0)
  })

  test('has the alerts of the workspaces by kind, also before the first one', async () => {
    const text = await scrape()
    expect(sampleOf(text, 'sidecar_alerts_total', { kind: 'WRAP_UP', result: 'raised' })).toBe(0)
    expect(sampleOf(text, 'sidecar_alerts_total', { kind: 'WRAP_UP', result: 'cleared' })).toBe(0)
    expect(sampleOf(text, 'sidecar_alerts_not_evaluated')).toBe(0)
  })

  test('has a web socket with status 101, and not as a request that has no answer', async () => {
    const socket = new WebSocket(app.url.replace('http', 'ws') + '/graphql', 'graphql-transport-ws')
    await new Promise((resolve) => socket.addEventListener('open', resolve))
    socket.close(1000)
    const labels = { http_route: '/graphql', http_response_status_code: '101' }
    await waitFor(async () => sampleOf(await scrape(), 'http_server_request_duration_seconds_count', labels))
    expect(sampleOf(await scrape(), 'sidecar_http_aborted_total', { cause: 'CLIENT_LEFT' })).toBe(0)
  })

  test('has sign-ins of agents by what became of their lock', async () => {
    await app.rest('POST', '/auth/login', { body: { email: 'agent1@demo.example', password: 'sandbox-password', workspace: 'demo' } })
    const locks = async (result: string) => sampleOf(await scrape(), 'sidecar_session_locks_total', { result })
    expect([await locks('taken'), await locks('refused'), await locks('taken_over')]).toEqual([2, 1, 0])
    expect(sampleOf(await scrape(), 'sidecar_agent_sessions')).toBe(2)
  })
})

/** Of a quantile or value of seconds, and of bytes; null for everything else. */
function unitOf(expr: string): 's' | 'bytes' | null {
  if (expr.includes('_seconds_bucket{') && expr.includes('histogram_quantile')) return 's'
  if (expr.includes('_seconds{')) return 's'
  return expr.includes('_bytes{') ? 'bytes' : null
}

test('the panels of the dashboard do not overlap, and each has its unit, its queries and a legend that tells its series apart', () => {
  const panels = dashboardPanels()
  const ids = panels.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  const cells = panels.flatMap(({ title, gridPos: { x, y, w, h } }) => {
    expect(x + w, title).toBeLessThanOrEqual(24)
    return Array.from({ length: w * h }, (_, at) => `${x + (at % w)},${y + Math.floor(at / w)}`)
  })
  expect(new Set(cells).size).toBe(cells.length)
  for (const { type, title, fieldConfig, targets } of panels.filter((panel) => panel.type !== 'row')) {
    expect(['short', 's', 'bytes', 'cps', 'reqps', 'percentunit'], title).toContain(fieldConfig?.defaults.unit)
    expect(targets.length, title).toBeGreaterThan(0)
    expect(new Set(targets.map(({ refId }) => refId)).size, title).toBe(targets.length)
    for (const { expr, legendFormat } of targets) {
      expect([unitOf(expr), null], title).toContain(unitOf(expr) === null ? null : fieldConfig?.defaults.unit)
      if (type === 'stat') continue
      const by = /\bby \(([^)]*)\)/.exec(expr)?.[1] ?? (/^(?:sum|max|min|histogram_quantile|\()/.test(expr) ? '' : 'instance')
      const labels = by.split(', ').filter((label) => label !== 'le' && label !== '')
      for (const label of labels) expect(legendFormat, title).toContain(`{{${label}}}`)
    }
  }
})

test('what a store shows that is away is not 0; each group of figures is read once, and its failure logged once', async () => {
  await using dir = await createTempDir()
  const lines: string[] = []
  const log = createLog('info', { write: (line) => void lines.push(line), onLost: () => {} })
  const kept = createSqliteStore({ dataDir: dir.path, clock: systemClock, retentionOf })
  let isAway = false
  const ports = { clock: systemClock, log, store: failingStore(kept, () => isAway) }
  let readings = 0
  const depth = (): Promise<EventDepth> => {
    readings += 1
    return isAway
      ? Promise.reject(new AppError('STORE_UNAVAILABLE'))
      : Promise.resolve({ events: 0, oldestAgeMs: 0, parked: 0, receivers: {}, deadLetters: 0 })
  }
  const registry = new Registry()
  registerEventMetrics(registry, { log, bus: { depth, lag: () => Promise.resolve({}) } })
  registerReconciliationMetrics(registry, ports)
  registerSessionMetrics(registry, ports)
  const figures = async () => {
    const text = await registry.metrics()
    const names = ['call_reconciliation_added_total', 'call_reconciliation_failures', 'dead_letters', 'agent_sessions']
    return names.map((name) => sampleOf(text, `sidecar_${name}`))
  }
  try {
    await writeState(ports, 'demo', { ...newState(systemClock.now()), addedInAll: 7, failures: 2 })
    expect(await Promise.all([figures(), figures()])).toEqual([
      [7, 2, 0, 0],
      [7, 2, 0, 0],
    ])
    readings = 0
    isAway = true
    expect(await figures()).toEqual([null, null, null, null])
    expect(readings).toBe(1)
    expect(lines).toHaveLength(3)
    isAway = false
    expect(await figures()).toEqual([7, 2, 0, 0])
  } finally {
    await kept.close()
  }
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
