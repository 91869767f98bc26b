import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Admission, createAdmission } from '../../src/server/http/admission.ts'
import { readBody } from '../../src/server/http/body.ts'
import type { Handler } from '../../src/server/http/http-context.ts'
import { createHttpServer, type HttpServer } from '../../src/server/http/http-server.ts'
import { problemHandler } from '../../src/server/http/routes.ts'
import { checkLoad } from '../../src/server/operations/overload.ts'

const lines: string[] = []
const log = pino({ base: null, timestamp: false }, { write: (line: string) => void lines.push(line) })

/** An overload that lasts as long as the test: `isAdmitted` says whether the next request would be let in. */
const overload = { isAdmitted: false, refused: 0 }
const admission: Admission = {
  limit: 32,
  admittedRatio: 0.2,
  get refused() {
    return overload.refused
  },
  isCalm: () => false,
  admits: () => overload.isAdmitted,
  begin: () => {},
  end: () => {},
  refuse: () => void (overload.refused += 1),
  check: () => {},
  [Symbol.dispose]: () => {},
}
const echo: Handler = problemHandler(async (ctx) => {
  const body = await readBody(ctx)
  ctx.response.end(`${ctx.path} ${body.toString()}`)
})

let server: HttpServer
beforeEach(async () => {
  lines.length = 0
  Object.assign(overload, { isAdmitted: false, refused: 0 })
  const handlers = {
    '/graphql': { ...echo, takesGraphql: true, upgrade: () => {} },
    '/api/*': echo,
    '/auth/*': echo,
    '/hooks/*': echo,
    '/api/widget/*': { ...echo, ownsCors: true },
  }
  const own = { host: '127.0.0.1', port: 0, trustProxy: [], health: {}, metricsFrom: ['loopback'], log, admission }
  server = await createHttpServer({ ...own, handlers, allowsOrigin: (origin) => origin === 'https://desk.example' })
})
afterEach(() => server[Symbol.asyncDispose]())

const send = (path: string, init: RequestInit = {}) => fetch(`${server.url}${path}`, { method: 'POST', body: '{}', ...init })

test('a request too many gets 503 with Retry-After in the form of its handler, before its body is read', async () => {
  const refusal = { code: 'UPSTREAM_UNAVAILABLE', reason: 'OVERLOADED', retryable: true, data: { retryAfterSeconds: 2 } }
  const rest = await send('/api/leads', { headers: { 'x-request-id': 'mine', origin: 'https://desk.example' } })
  expect([rest.status, rest.headers.get('retry-after'), rest.headers.get('content-type')]).toEqual([
    503,
    '2',
    'application/problem+json; charset=utf-8',
  ])
  expect(rest.headers.get('access-control-allow-origin')).toBe('https://desk.example')
  expect(await rest.json()).toMatchObject({ ...refusal, status: 503, requestId: 'mine' })
  const graphql = await send('/graphql', { body: JSON.stringify({ query: '{ leads { id } }' }) })
  expect([graphql.status, graphql.headers.get('retry-after')]).toEqual([503, '2'])
  const { requestId } = { requestId: graphql.headers.get('x-request-id') }
  const message = 'The service has more requests than it can answer. Try again in 2 s'
  expect(await graphql.json()).toEqual({ errors: [{ message, extensions: { ...refusal, requestId } }] })
  expect((await send('/api/widget/chat', { headers: { origin: 'https://any.example' } })).headers.get('access-control-allow-origin')).toBe(
    'https://any.example',
  )
  // The head alone is enough for the answer, and a body of a gigabyte is not read.
  const socket = connect(server.port, '127.0.0.1')
  socket.write('POST /api/leads HTTP/1.1\r\nhost: x\r\ncontent-length: 1000000000\r\n\r\n')
  expect(await text(socket)).toMatch(/^HTTP\/1.1 503 .*connection: close/is)
  expect(overload.refused).toBe(4)
})

test('webhooks, heartbeats, sign-outs, health and preflights are always let in', async () => {
  for (const path of ['/hooks/telephony/ozonetel/key', '/auth/heartbeat', '/auth/logout?x=1']) {
    const answer = await send(path, { body: 'whole body' })
    expect([answer.status, await answer.text()]).toEqual([200, `${path.replace('?x=1', '')} whole body`])
  }
  for (const path of ['/health', '/ready', '/metrics']) expect((await fetch(server.url + path)).status).toBe(200)
  const headers = { origin: 'https://desk.example', 'access-control-request-method': 'POST' }
  expect((await fetch(`${server.url}/api/leads`, { method: 'OPTIONS', headers })).status).toBe(204)
  for (const query of ['mutation { heartbeat(lockedAt: "x") { expiresAt } }', 'mutation X { agentLogout { reason } }']) {
    const body = JSON.stringify({ query })
    const answer = await send('/graphql', { body })
    expect([answer.status, await answer.text()]).toEqual([200, `/graphql ${body}`])
  }
  expect(overload.refused).toBe(0)
  for (const query of ['{ me { session { heartbeatIntervalSeconds } } }', `mutation { heartbeat } # ${'x'.repeat(5_000)}`])
    expect((await send('/graphql', { body: JSON.stringify({ query }) })).status).toBe(503)
})

test('no stream and no web socket begins, also when other requests are let in', async () => {
  overload.isAdmitted = true
  expect((await send('/graphql')).status).toBe(200)
  expect((await send('/graphql', { headers: { accept: 'application/json, text/event-stream' } })).status).toBe(200)
  expect((await send('/graphql', { headers: { accept: 'text/event-stream' } })).status).toBe(503)
  const socket = connect(server.port, '127.0.0.1')
  socket.write('GET /graphql HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n')
  expect(await text(socket)).toMatch(/^HTTP\/1.1 503 .*retry-after: 2/is)
})

test('how many requests may be under way follows the delay of the event loop', () => {
  using own = createAdmission(25, log)
  const check = (delayMs: number, { underWay = 400, arrived = 100, refused = 0, utilization = 1 } = {}): number | null => {
    for (let request = 0; request < arrived; request += 1) own.isCalm()
    for (let request = 0; request < refused; request += 1) own.refuse()
    own.check(underWay, { delayMs, utilization })
    return own.limit
  }
  // One slow check, few requests, or a loop that has time left are no overload.
  expect([check(300), check(5)]).toEqual([null, null])
  for (let time = 0; time < 5; time += 1) expect([check(300, { arrived: 9 }), check(300, { utilization: 0.5 })]).toEqual([null, null])
  expect(checkLoad(own)).toEqual({ problem: null })
  expect([check(50), check(50)]).toEqual([null, 200])
  expect(checkLoad(own).problem).toContain('those beyond 200 at once are refused')
  // It is lowered to three tenths at once at most, and never below 32.
  expect(check(500, { underWay: 59 })).toBe(60)
  expect(own.admits()).toBe(true)
  own.begin()
  expect(own.admits()).toBe(false)
  own.end()
  expect(own.admits()).toBe(true)
  expect([check(1_000), check(1_000)]).toEqual([32, 32])
  expect(own.admittedRatio).toBe(1)
  expect([check(25, { refused: 50 }), check(3, { refused: 50 }), check(3, { refused: 50 })]).toEqual([32, 37, 43])
  expect(own.admittedRatio).toBeCloseTo(0.756)
  for (let time = 0; time < 9; time += 1) expect(check(3)).toBeGreaterThan(43)
  expect([check(3), own.admits(), own.refused]).toEqual([null, true, 150])
  expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
    { msg: 'http.overload-began', delayMs: 50, limit: 200 },
    { msg: 'http.overload-over' },
  ])
})

test('is off with a delay of 0', () => {
  using own = createAdmission(0, log)
  for (let check = 0; check < 5; check += 1) {
    for (let request = 0; request < 100; request += 1) own.isCalm()
    own.check(1_000, { delayMs: 1_000, utilization: 1 })
  }
  expect(own.limit).toBeNull()
})
