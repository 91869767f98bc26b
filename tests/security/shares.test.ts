import { once } from 'node:events'
import { type ClientRequest, request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createWorkerLoad, type Place } from '../../src/server/graphql/stitching/worker-load.ts'
import type { Admission } from '../../src/server/http/admission.ts'
import { createCrowding } from '../../src/server/http/crowding.ts'
import type { HttpContext } from '../../src/server/http/http-context.ts'
import { createHttpServer, type HttpServer, type HttpServerOptions } from '../../src/server/http/http-server.ts'
import { problemHandler } from '../../src/server/http/routes.ts'
import { waitFor } from '../harness/wait-for.ts'

/** `limits`: of one member and one workspace. `isOver`: no more requests are let in. `isEnding`: what begins is answered. */
const given = { limits: { perMember: 2, perWorkspace: 3, modest: 0, several: 0 }, isOver: false, hasRoomForModest: false, isEnding: false }
const crowding = {
  get shares() {
    return given.limits
  },
  isCrowded: true,
  begin: () => {},
  check: () => {},
}
const admission: Admission = {
  limit: null,
  admittedRatio: 1,
  refused: 0,
  isCalm: () => !given.isOver,
  admits: (isModest) => isModest === true && given.hasRoomForModest,
  admitsVital: () => true,
  begin: () => {},
  end: () => {},
  refuse: () => {},
  check: () => {},
}

/** What has begun and has no answer, in order: who sent it, and what ends it. */
type Begun = { readonly who: string; readonly ctx: HttpContext; end(): void }
const begun: Begun[] = []
const hold = problemHandler((ctx) => {
  const who = ctx.request.headers.authorization?.slice('Bearer '.length) ?? ctx.clientAddress
  if (given.isEnding) ctx.response.end(who)
  else begun.push({ who, ctx, end: () => void ctx.response.end(who) })
})

function startServer(deciding: Pick<HttpServerOptions, 'admission' | 'crowding' | 'overloadDelayMs'>): Promise<HttpServer> {
  return createHttpServer({
    host: '127.0.0.1',
    port: 0,
    trustProxy: ['loopback'],
    health: {},
    log: pino({ level: 'silent' }),
    handlers: { '/*': hold, '/graphql': { ...hold, takesGraphql: true, upgrade: () => {} } },
    ...deciding,
    // The first letter of a token is its workspace. Any other is not confirmed.
    principals: {
      known: (token) => (/^[A-Z]\d$/.test(token) ? { workspaceId: token.charAt(0), memberId: token } : null),
      resolve: () => Promise.reject(new Error('not asked')),
    },
  })
}

let server: HttpServer
beforeEach(async () => {
  begun.length = 0
  Object.assign(given, {
    limits: { perMember: 2, perWorkspace: 3, modest: 0, several: 0 },
    isOver: false,
    hasRoomForModest: false,
    isEnding: false,
  })
  server = await startServer({ admission, crowding })
})
afterEach(async () => {
  given.isEnding = true
  for (const each of begun.splice(0)) each.end()
  await server[Symbol.asyncDispose]()
})

const counts = (): Readonly<Record<string, number>> => {
  const found: Record<string, number> = {}
  for (const { who, ctx } of begun) if (ctx.aborted === null) found[who] = (found[who] ?? 0) + 1
  return found
}
const areUnderWay = (expected: Readonly<Record<string, number>>) =>
  waitFor(() => isDeepStrictEqual(counts(), expected), { what: `${JSON.stringify(expected)} to be under way` })
function endOne(who: string): void {
  const index = begun.findIndex((each) => each.who === who)
  begun.splice(index, 1)[0]?.end()
}

function statusOf(outgoing: ClientRequest): Promise<number> {
  return new Promise((resolve, reject) => {
    outgoing.once('error', reject)
    outgoing.once('response', (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
  })
}

/** Sends so many requests, each over a connection of its own. Resolves when the service has read them; `answers` to their statuses. */
async function send(who: string, count: number, headers: Readonly<Record<string, string>> = {}) {
  const authorization = /\./.test(who) ? { 'x-forwarded-for': who } : { authorization: `Bearer ${who}` }
  const answers: Promise<number>[] = []
  for (let sent = 0; sent < count; sent += 1) {
    const outgoing = httpRequest({ port: server.port, path: '/x', agent: false, headers: { ...authorization, ...headers } })
    answers.push(statusOf(outgoing))
    outgoing.end()
    await once(outgoing, 'finish')
  }
  // In the first round of the event loop the connections are taken, in the next one the requests are read.
  for (let round = 0; round < 2; round += 1) await fetch(`${server.url}/ready`)
  return { answers }
}

test('the requests of one member that are over its share wait, and those of others begin', async () => {
  const { answers } = await send('A1', 8)
  await areUnderWay({ A1: 2 })
  await send('B1', 1)
  await send('A2', 1)
  await areUnderWay({ A1: 2, A2: 1, B1: 1 })
  // The workspace A has its three. Its next one is that of the member who has the least under way, though it came last.
  await send('A3', 1)
  endOne('A1')
  await areUnderWay({ A1: 1, A2: 1, A3: 1, B1: 1 })
  endOne('A2')
  await areUnderWay({ A1: 2, A3: 1, B1: 1 })
  for (let ended = 0; ended < 7; ended += 1) {
    await waitFor(() => counts()['A1'] !== undefined, { what: 'the next one' })
    endOne('A1')
  }
  expect(await Promise.all(answers)).toEqual(Array.from({ length: 8 }, () => 200))
})

test('a token that is not confirmed counts for its network, whatever it says', async () => {
  await send('B1', 1)
  for (const token of ['garbage1', 'garbage2', 'garbage3', 'garbage4']) await send(token, 1)
  await send('192.0.2.7', 4)
  // All networks together are one workspace.
  expect(counts()).toEqual({ B1: 1, garbage1: 1, garbage2: 1, '192.0.2.7': 1 })
})

test('a stream, and a request that waits on purpose, take nothing of a share', async () => {
  await send('A1', 2)
  await areUnderWay({ A1: 2 })
  await send('A1', 3)
  begun[0]?.ctx.startStream()
  await areUnderWay({ A1: 3 })
  const pause = Promise.withResolvers<void>()
  const paused = begun[1]?.ctx.pausing(() => pause.promise)
  await areUnderWay({ A1: 4 })
  pause.resolve()
  await paused
  // It counts again when it goes on.
  endOne('A1')
  const streams = begun.length
  await send('B1', 1)
  await waitFor(() => counts()['B1'] === 1, { what: 'the other member' })
  expect(begun).toHaveLength(streams + 1)
})

test('a client that leaves gives its share back, whether its request waits or is under way', async () => {
  const sockets = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const socket = connect(server.port, '127.0.0.1')
      await new Promise((resolve) => void socket.write('GET /x HTTP/1.1\r\nhost: x\r\nauthorization: Bearer A1\r\n\r\n', resolve))
      return socket
    }),
  )
  await areUnderWay({ A1: 2 })
  for (const socket of sockets) socket.destroy()
  await areUnderWay({})
  await send('A1', 3)
  await areUnderWay({ A1: 2 })
  expect(counts()).toEqual({ A1: 2 })
})

test('in an overload a request begins at the cost of one that waits, of who has the most', async () => {
  const hog = await send('A1', 5)
  await areUnderWay({ A1: 2 })
  given.isOver = true
  const { answers } = await send('B1', 1)
  await areUnderWay({ A1: 2, B1: 1 })
  // Of the three that waited, the last one.
  expect(await hog.answers[4]).toBe(503)
  const stream = await send('B2', 1, { accept: 'text/event-stream' })
  await areUnderWay({ A1: 2, B1: 1, B2: 1 })
  expect(await hog.answers[3]).toBe(503)
  // Only one of A1 waits now: nobody has more than the next one would have.
  const [refused] = (await send('B3', 1)).answers
  expect(await refused).toBe(503)
  for (const who of ['B1', 'B2', 'A1', 'A1']) endOne(who)
  await areUnderWay({ A1: 1 })
  endOne('A1')
  expect(await Promise.all([...answers, ...stream.answers, ...hog.answers])).toEqual([200, 200, 200, 200, 200, 503, 503])
})

test('in an overload nobody is refused who has few requests in all, while few are under way', async () => {
  given.limits = { perMember: 1, perWorkspace: 100, modest: 4, several: 0 }
  Object.assign(given, { isOver: true, hasRoomForModest: true })
  const { answers } = await send('A1', 5)
  expect(await answers[4]).toBe(503)
  await send('B1', 1)
  await areUnderWay({ A1: 4, B1: 1 })
})

test('a web socket begins in an overload at the cost of one that waits', async () => {
  await send('A1', 5)
  await areUnderWay({ A1: 2 })
  given.isOver = true
  const upgrade = 'GET /graphql HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n'
  const [first, second] = [connect(server.port, '127.0.0.1'), connect(server.port, '127.0.0.1')]
  first.write(`${upgrade}authorization: Bearer B1\r\n\r\n`)
  second.write(`${upgrade}authorization: Bearer A1\r\n\r\n`)
  expect(await text(second)).toMatch(/^HTTP\/1.1 503/)
  expect(first.readableEnded).toBe(false)
  first.destroy()
})

test('the refusals of who gets many at once are held back for two seconds', async () => {
  given.isOver = true
  const socket = connect(server.port, '127.0.0.1')
  let received = ''
  const arrivedAt: number[] = []
  socket.setEncoding('utf8').on('data', (piece) => {
    received += piece
    const refused = received.split('HTTP/1.1 503').length - 1
    while (arrivedAt.length < refused) arrivedAt.push(performance.now())
  })
  const sentAt = performance.now()
  // In one piece, which is read between two checks.
  socket.write('GET /x HTTP/1.1\r\nhost: x\r\nauthorization: Bearer A1\r\n\r\n'.repeat(80))
  await waitFor(() => arrivedAt.length === 80, { what: 'all refusals' })
  const waited = arrivedAt.filter((at) => at - sentAt >= 1_900)
  expect(waited).toHaveLength(30)
  socket.destroy()
})

test('what waits for the own share only is no overload: a shift that begins behind one address is not refused', async () => {
  await server[Symbol.asyncDispose]()
  server = await startServer({ overloadDelayMs: 25, crowding })
  const startedAt = performance.now()
  const { answers } = await send('192.0.2.7', 60)
  await waitFor(() => performance.now() - startedAt > 300)
  const late = await send('192.0.2.7', 1)
  given.isEnding = true
  for (const each of begun.splice(0)) each.end()
  expect(new Set(await Promise.all([...answers, ...late.answers]))).toEqual(new Set([200]))
})

test('thousands of refused requests in one piece close their connection', async () => {
  given.isOver = true
  const socket = connect(server.port, '127.0.0.1')
  const received = text(socket)
  socket.write('GET /x HTTP/1.1\r\nhost: x\r\nauthorization: Bearer A1\r\n\r\n'.repeat(1_000))
  expect((await received).split('HTTP/1.1 503').length - 1).toBeLessThanOrEqual(100)
})

test('who gets more refusals than can be held back has its connections closed, and others get theirs at once', async () => {
  given.isOver = true
  // No refusal that is held back is ever sent, however slow the machine is.
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  using _ = { [Symbol.dispose]: () => vi.useRealTimers() }
  const sockets = Array.from({ length: 40 }, () => connect(server.port, '127.0.0.1'))
  const ends = { count: 0 }
  for (const socket of sockets) {
    socket.on('error', () => undefined).on('close', () => (ends.count += 1))
    socket.write('GET /x HTTP/1.1\r\nhost: x\r\nauthorization: Bearer A1\r\n\r\n'.repeat(60))
  }
  while (ends.count <= 10) await setImmediate()
  expect(await (await send('B1', 1)).answers[0]).toBe(503)
  for (const socket of sockets) socket.destroy()
})

test('who has few requests in all is not limited, however few one member may have under way', async () => {
  given.limits = { perMember: 1, perWorkspace: 100, modest: 4, several: 0 }
  await send('A1', 3)
  await send('B1', 9)
  await areUnderWay({ A1: 3, B1: 4 })
  for (let ended = 0; ended < 4; ended += 1) endOne('B1')
  // Five of B1 waited, more than a few.
  await areUnderWay({ A1: 3, B1: 1 })
  expect(counts()).toEqual({ A1: 3, B1: 1 })
})

test('who has several goes on one after the other, also while those with many pause', async () => {
  given.limits = { perMember: 0, perWorkspace: 100, modest: 0, several: 5 }
  await send('A1', 5)
  await send('B1', 7)
  await areUnderWay({ A1: 1, B1: 1 })
  endOne('B1')
  endOne('A1')
  await areUnderWay({ A1: 1 })
  expect(counts()).toEqual({ A1: 1 })
  given.limits = { ...given.limits, perMember: 9 }
})

test('the limits follow the delay of the event loop', () => {
  const own = createCrowding(25)
  const check = (delayMs: number, { underWay = 20, waiting = 0, held = 0, utilization = 1 } = {}): number => {
    own.check({ delayMs, utilization }, { underWay, waiting, held })
    return own.shares.perMember
  }
  // A loop that has time left, or that few requests make late, has no limits.
  expect([check(0.5), check(50, { utilization: 0.4 }), check(50, { underWay: 4 })]).toEqual([Infinity, Infinity, Infinity])
  expect([check(6), check(30), check(30)]).toEqual([4, 2, 1])
  expect(own.shares.perWorkspace).toBe(32)
  // One of each is too much: who has more pauses, the second time for longer.
  const checksUntilOneBegins = (): number => {
    let checks = 1
    while (check(0, { waiting: 9 }) === 0) checks += 1
    return checks
  }
  const pauses = [0, 0, 0].map(() => [check(30), checksUntilOneBegins()])
  expect(pauses).toEqual([
    [0, 5],
    [0, 9],
    [0, 11],
  ])
  expect([check(0, { waiting: 9 }), check(0, { waiting: 9 }), check(30), check(30)]).toEqual([2, 3, 1, 0])
  expect(checksUntilOneBegins()).toBe(5)
})

test('limits begin with a burst, before it is known whether it makes the loop late, and end when nothing waits or comes again', () => {
  const own = createCrowding(25)
  own.begin()
  const check = (work: { readonly waiting: number; readonly held: number }): number => {
    own.check({ delayMs: 0, utilization: 1 }, { underWay: 20, ...work })
    return own.shares.perMember
  }
  expect([own.shares.perMember, check({ waiting: 1, held: 0 }), check({ waiting: 0, held: 1 })]).toEqual([8, 9, 9])
  for (let time = 0; time < 9; time += 1) expect(check({ waiting: 0, held: 0 })).toBe(9)
  expect(check({ waiting: 0, held: 0 })).toBe(Infinity)
  const off = createCrowding(0)
  off.begin()
  for (let time = 0; time < 5; time += 1) off.check({ delayMs: 500, utilization: 1 }, { underWay: 100, waiting: 0, held: 0 })
  expect(off.isCrowded).toBe(false)
})

test('the thread of the combined schema is shared in the same way', () => {
  const load = createWorkerLoad(25, pino({ level: 'silent' }))
  const started: string[] = []
  const refused: string[] = []
  const places = new Map<string, Place[]>()
  const enter = (...names: readonly string[]): void => {
    for (const name of names) {
      const owner = { workspaceId: name.charAt(0), memberId: name }
      const own = places.get(name) ?? []
      places.set(name, own)
      own.push(load.enter({ kind: 'operation', owner, begin: () => started.push(name), refuse: () => refused.push(name) }))
    }
  }
  const leave = (name: string): void => {
    const place = places.get(name)?.shift()
    if (place) load.leave(place)
  }
  const late = (): void => load.check({ delayMs: 10, utilization: 1 })
  enter(...Array.from({ length: 8 }, () => 'A1'))
  for (let time = 0; time < 4; time += 1) late()
  // Each member may have one now, and four if that is all. Those that run go on.
  enter('A1', 'A1', 'A1', 'A2', 'B1', 'B1')
  expect(started.slice(8)).toEqual(['A2', 'B1', 'B1'])
  for (let time = 0; time < 7; time += 1) leave('A1')
  expect(started.slice(11)).toEqual([])
  leave('A1')
  expect(started.slice(11)).toEqual(['A1', 'A1', 'A1'])
  // More than the thread may have in hand: the longest lane gives way, and a stream counts like an operation.
  const many = (count: number): void => enter(...Array.from({ length: count }, () => 'A1'))
  many(1_000 - 6)
  expect(refused).toEqual([])
  enter('C1')
  expect([refused, started.at(-1)]).toEqual([['A1'], 'C1'])
  expect(() => many(1)).toThrow(expect.objectContaining({ reason: 'OVERLOADED' }))
})
