import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { connect, Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { type Admission, createHttpAdmission } from '../../src/server/http/admission.ts'
import { affordable, createAddressLimit } from '../../src/server/http/address-limit.ts'
import { readBody } from '../../src/server/http/body.ts'
import { createConnections } from '../../src/server/http/connections.ts'
import type { Handler } from '../../src/server/http/http-context.ts'
import { createWorkerLoad, type Place } from '../../src/server/graphql/stitching/worker-load.ts'
import { createHttpServer, type HttpServer } from '../../src/server/http/http-server.ts'
import { problemHandler } from '../../src/server/http/routes.ts'
import { watchLoop } from '../../src/kernel/loop-watch.ts'
import { checkLoad } from '../../src/server/operations/overload.ts'

const lines: string[] = []
const log = pino({ base: null, timestamp: false }, { write: (line: string) => void lines.push(line) })

/** An overload that lasts as long as the test: `isAdmitted` says whether the next request would be let in. */
const overload = { isAdmitted: false, refused: 0, floods: false }
const admission: Admission = {
  limit: 32,
  admittedRatio: 0.2,
  get refused() {
    return overload.refused
  },
  isCalm: () => false,
  admits: () => overload.isAdmitted,
  admitsVital: () => !overload.floods,
  begin: () => {},
  end: () => {},
  refuse: () => void (overload.refused += 1),
  check: () => {},
}
const echo: Handler = problemHandler(async (ctx) => {
  begun.push(ctx.path)
  const body = await readBody(ctx)
  ctx.response.end(`${ctx.path} ${body.toString()}`)
})

/** Paths in the order in which their requests began. */
const begun: string[] = []
/** Takes processor time when it begins. */
const busy: Handler = problemHandler(async (ctx) => {
  for (const until = performance.now() + 6; performance.now() < until;);
  begun.push(ctx.path)
  ctx.response.end('done')
})

let server: HttpServer
beforeEach(async () => {
  lines.length = begun.length = 0
  Object.assign(overload, { isAdmitted: false, refused: 0, floods: false })
  const handlers = {
    '/graphql': { ...echo, takesGraphql: true, upgrade: () => {} },
    '/api/*': echo,
    '/auth/*': echo,
    '/hooks/*': echo,
    '/api/busy': busy,
    '/api/widget/*': { ...echo, ownsCors: true },
  }
  const own = {
    host: '127.0.0.1',
    port: 0,
    trustProxy: [],
    health: {},
    metricsFrom: ['loopback'],
    log: pino({ level: 'silent' }),
    admission,
  }
  server = await createHttpServer({ ...own, handlers, allowsOrigin: (origin) => origin === 'https://desk.example' })
})
afterEach(async () => {
  vi.useRealTimers()
  await server[Symbol.asyncDispose]()
})

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
})

test.each([
  '{ me { session { heartbeatIntervalSeconds } } }',
  '{ leads { edges { node { name } } } } # heartbeat',
  'query heartbeat { leads { edges { node { name } } } }',
  'mutation { heartbeat { expiresAt } dial(input: {}) { ucid } }',
  'mutation { dial(input: { notes: "heartbeat" }) { ucid } }',
  `mutation { heartbeat } # ${'x'.repeat(5_000)}`,
])('a GraphQL request with more than a heartbeat or a sign-out is not let in: %s', async (query) => {
  expect((await send('/graphql', { body: JSON.stringify({ query }) })).status).toBe(503)
})

test('a GraphQL heartbeat is let in if its body comes in pieces, with or without its length', async () => {
  const body = JSON.stringify({ query: 'mutation Beat($at: DateTime) {\n  beat: heartbeat(lockedAt: $at) { expiresAt, ip }\n}' })
  const pieces = [body.slice(0, 20), body.slice(20)]
  const chunk = (piece = '') => `${piece.length.toString(16)}\r\n${piece}\r\n`
  const forms = [
    [`content-length: ${body.length}`, ...pieces],
    ['transfer-encoding: chunked', ...pieces.map(chunk), chunk()],
  ]
  for (const [header, ...written] of forms) {
    const socket = connect(server.port, '127.0.0.1')
    socket.setNoDelay(true)
    socket.write(`POST /graphql HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${header}\r\n\r\n`)
    // Each piece is on its way before the next one is written.
    for (const piece of written)
      await new Promise<void>((resolve) => void socket.write(piece, () => setImmediate(() => setImmediate(resolve))))
    expect(await text(socket)).toContain('/graphql {"query":"mutation Beat')
  }
  const socket = connect(server.port, '127.0.0.1')
  socket.write(`POST /graphql HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n${chunk('x'.repeat(5_000))}`)
  expect(await text(socket)).toMatch(/^HTTP\/1.1 503 .*connection: close/is)
})

test('of many requests that arrive at once some begin in each round of the event loop, and a heartbeat does not wait for them', async () => {
  overload.isAdmitted = true
  const sockets = await Promise.all(
    Array.from({ length: 30 }, async () => {
      const socket = connect(server.port, '127.0.0.1')
      // The service has taken the connection when it has answered.
      socket.write('GET /api/first HTTP/1.1\r\nhost: x\r\n\r\n')
      await once(socket, 'data')
      return socket
    }),
  )
  begun.length = 0
  const answers = sockets.map((socket) => text(socket))
  const head = 'HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 0\r\n\r\n'
  sockets.forEach((socket, index) => socket.write(`POST ${index === 29 ? '/auth/heartbeat' : '/api/busy'} ${head}`))
  const [last = '', ...others] = (await Promise.all(answers)).toReversed()
  expect(last).toMatch(/^HTTP\/1.1 200/)
  expect(others.filter((answer) => answer.includes('done'))).toHaveLength(29)
  expect(begun.indexOf('/auth/heartbeat')).toBeLessThan(15)
})

test('one network that floods what is never refused is refused too', async () => {
  overload.floods = true
  for (const path of ['/hooks/telephony/ozonetel/key', '/auth/heartbeat', '/health']) expect((await send(path)).status).toBe(503)
  expect((await send('/graphql', { body: JSON.stringify({ query: 'mutation { heartbeat { expiresAt } }' }) })).status).toBe(503)
  const own = createHttpAdmission(25, log)
  const flood = (network: string) => Array.from({ length: 150 }, () => own.admitsVital(network)).filter(Boolean).length
  expect([flood('192.0.2.1'), own.admitsVital('192.0.2.2')]).toEqual([100, true])
  own.check(0, { delayMs: 1, utilization: 0.1 })
  expect(flood('192.0.2.1')).toBe(100)
})

test('a refusal during a stop closes its connection', async () => {
  expect((await send('/api/leads')).headers.get('connection')).toBe('keep-alive')
  server.beginStop()
  const refused = await send('/api/leads')
  expect([refused.status, refused.headers.get('connection')]).toEqual([503, 'close'])
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
  const own = createHttpAdmission(25, log)
  const check = (delayMs: number, { underWay = 400, arrived = 100, refused = 0, utilization = 1 } = {}): number | null => {
    for (let request = 0; request < arrived; request += 1) own.isCalm()
    for (let request = 0; request < refused; request += 1) if (!own.admits()) own.refuse()
    own.check(underWay, { delayMs, utilization })
    return own.limit
  }
  // One slow check, few requests, few under way, or a loop that has time left are no overload.
  expect([check(100), check(5)]).toEqual([null, null])
  for (let time = 0; time < 5; time += 1)
    expect([check(300, { arrived: 9 }), check(300, { underWay: 32 }), check(300, { utilization: 0.5 })]).toEqual([null, null, null])
  expect(checkLoad(own)).toEqual({ problem: null })
  expect([check(50), check(50)]).toEqual([null, 200])
  expect(checkLoad(own).problem).toContain('those beyond 200 at once are refused')
  expect(check(125, { underWay: 39 })).toBe(40)
  expect(own.admits()).toBe(true)
  own.begin()
  expect(own.admits()).toBe(false)
  own.end()
  expect(own.admits()).toBe(true)
  // While more are under way than the last cut allows, it has not yet had its effect. It is never below 10.
  expect([check(1_000, { underWay: 41 }), check(1_000, { underWay: 40 }), check(1_000, { underWay: 10 })]).toEqual([40, 10, 10])
  expect(own.admittedRatio).toBe(1)
  expect([check(25, { refused: 50 }), check(3, { refused: 50 }), check(3, { refused: 50 })]).toEqual([10, 12, 14])
  expect(own.admittedRatio).toBeCloseTo(0.756)
  for (let time = 0; time < 9; time += 1) expect(check(3)).toBeGreaterThan(14)
  expect([check(3), own.admits(), own.refused]).toEqual([null, true, 150])
  expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
    { msg: 'http.overload-began', delayMs: 50, limit: 200 },
    { msg: 'http.overload-over' },
  ])
})

test('a time without requests leaves the share of requests that were let in as it is', () => {
  const own = createHttpAdmission(25, log)
  for (let check = 0; check < 3; check += 1) own.check(0, { delayMs: 0, utilization: 0 })
  expect(own.admittedRatio).toBe(1)
})

test('one address has at most half of the files that the process may open', () => {
  const openFiles = execFileSync('sh', ['-c', 'ulimit -Sn'], { encoding: 'utf8' }).trim()
  const most = Number.MAX_SAFE_INTEGER
  expect(affordable(most)).toBe(openFiles === 'unlimited' ? most : Math.floor(Number(openFiles) / 2))
  expect(affordable(3)).toBe(3)
})

test('a single check that is very late begins an overload, and cuts the limit to a tenth at most', () => {
  const own = createHttpAdmission(25, log)
  for (let request = 0; request < 100; request += 1) own.isCalm()
  own.check(900, { delayMs: 600, utilization: 1 })
  expect(own.limit).toBe(90)
})

test('an overload begins at once if more than a few requests have waited for long in the queue', () => {
  const own = createHttpAdmission(25, log)
  own.check(20, { delayMs: 0, utilization: 1 })
  const queue = { length: 33, waitMs: () => 400 }
  const calm = [{ ...queue, length: 32 }, { ...queue, waitMs: () => 100 }, queue].map((waiting) => own.isCalm(waiting))
  expect(calm).toEqual([true, true, false])
  // A quarter of the 53 under way.
  expect([own.limit, own.admits()]).toEqual([14, false])
  expect(createHttpAdmission(0, log).isCalm(queue)).toBe(true)
})

test('an overload ends if the loop is late for another reason, or if only streams are refused', () => {
  const own = createHttpAdmission(25, log)
  const begin = (): void => {
    for (let check = 0; check < 2; check += 1) {
      for (let request = 0; request < 100; request += 1) own.isCalm()
      own.check(100, { delayMs: 100, utilization: 1 })
    }
    expect(own.limit).toBe(25)
  }
  // A noisy neighbour: 40 ms late, little to do, and 90 requests that wait for a slow platform.
  begin()
  for (let check = 0; check < 30; check += 1) {
    own.isCalm()
    if (!own.admits()) own.refuse()
    own.check(90, { delayMs: 40, utilization: 0.3 })
  }
  expect(own.limit).toBeNull()
  // Event streams that connect again and again.
  begin()
  for (let check = 0; check < 30; check += 1) {
    for (let request = 0; request < 20; request += 1) {
      own.isCalm()
      if (own.admits()) own.refuse()
    }
    own.check(5, { delayMs: 3, utilization: 0.9 })
  }
  expect(own.limit).toBeNull()
})

// With long rounds of the loop there is one between two checks.
test.each([
  [4, 60],
  [1, 150],
])('the delay of the event loop is measured: %i rounds of %i ms between two checks', async (rounds, ms) => {
  using loop = watchLoop()
  const own = createHttpAdmission(25, log)
  for (let check = 0; check < 4; check += 1) {
    for (let request = 0; request < 100; request += 1) own.isCalm()
    for (let round = 0; round < rounds; round += 1) {
      const endsAt = performance.now() + ms
      while (performance.now() < endsAt);
      await new Promise((resolve) => void setImmediate(resolve))
    }
    own.check(100, loop.read())
  }
  expect(own.limit).not.toBeNull()
  expect(z.object({ msg: z.string(), delayMs: z.number() }).parse(JSON.parse(lines[0] ?? ''))).toMatchObject({ msg: 'http.overload-began' })
})

test('a connection whose requests are all refused is in use', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const limit = createAddressLimit(10, { figures: { displaced: 0, refused: 0 }, log })
  const connections = createConnections(limit, { lingerMs: 2_000, idleMs: 80_000 }, { onOver: () => {}, onClosed: () => {} })
  using socket = Object.assign(new Socket(), { [Symbol.dispose]: () => void socket.destroy() })
  connections.open(socket)
  for (let minute = 0; minute < 3; minute += 1) {
    connections.hasAnswered(socket)
    vi.advanceTimersByTime(60_000)
    connections.closeLingering()
    expect(socket.destroyed).toBe(false)
  }
  vi.advanceTimersByTime(30_000)
  connections.closeLingering()
  expect(socket.destroyed).toBe(true)
})

test('is off with a delay of 0', () => {
  const own = createHttpAdmission(0, log)
  for (let check = 0; check < 5; check += 1) {
    for (let request = 0; request < 100; request += 1) own.isCalm()
    own.check(1_000, { delayMs: 1_000, utilization: 1 })
  }
  expect(own.limit).toBeNull()
})

test('the thread of the combined schema refuses operations while it is late, and no stream begins', () => {
  const load = createWorkerLoad(25, log)
  const refusals: unknown[] = []
  const places: Place[] = []
  let members = 0
  const enter = (count: number, kind: 'operation' | 'stream' = 'operation'): number => {
    const before = refusals.length
    for (let time = 0; time < count; time += 1) {
      try {
        const owner = { workspaceId: 'w', memberId: String((members += 1)) }
        const place = load.enter({ kind, owner, begin: () => {}, refuse: () => {} })
        if (kind === 'operation') places.push(place)
      } catch (error) {
        refusals.push(error)
      }
    }
    return count - (refusals.length - before)
  }
  const check = (delayMs: number): void => load.check({ delayMs, utilization: 1 })
  // Streams count for nothing, and 32 operations may wait for a schema that is built.
  expect([enter(100, 'stream'), enter(32)]).toEqual([100, 32])
  for (let time = 0; time < 5; time += 1) check(300)
  expect(enter(68)).toBe(68)
  check(50)
  check(50)
  expect([enter(10), enter(1, 'stream')]).toEqual([0, 0])
  for (const place of places.splice(0, 60)) load.leave(place)
  expect(enter(20)).toBe(10)
  // A second with room for all.
  for (let time = 0; time < 12; time += 1) check(1)
  expect([enter(60), enter(1, 'stream')]).toEqual([60, 1])
  expect(enter(1_000)).toBe(1_000 - 50 - 60 - 101)
  expect(refusals.at(0)).toMatchObject({ reason: 'OVERLOADED', data: { retryAfterSeconds: 1 } })
  const events = lines.map((line) => z.object({ msg: z.string() }).parse(JSON.parse(line)).msg)
  expect(events).toEqual(['stitching.overload-began', 'stitching.overload-over'])
})
