import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { connect as connectTcp } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { AppError, type ErrorReason } from '../../src/kernel/errors.ts'
import { createStreamLimit, webSockets } from '../../src/server/graphql/stream-limit.ts'
import type { HttpContext } from '../../src/server/http/http-context.ts'
import { problemOf } from '../../src/server/http/problem.ts'
import { testPrincipal } from '../harness/gateway.ts'
import { acknowledge, acknowledged, answerNothing, connect, operation, startSocketServer } from '../harness/socket-server.ts'
import { waitFor } from '../harness/wait-for.ts'

test.each([
  ['no first message', { first: '' }, [4408, /timeout/]],
  ['an operation before the first message', { first: operation('1') }, [4401, /Unauthorized/]],
  ['a message that is not JSON', { first: 'hello' }, [4400, /Invalid message/]],
  [
    'a key that names a prototype',
    { first: '{"type":"connection_init","payload":{"__proto__":1}}' },
    [4400, /must not have the key __proto__/],
  ],
  ['a message of over 4 kB, which is the limit here', { first: ' '.repeat(5_000) }, [1009, /^$/]],
  // The client refuses the handshake, because no protocol of its list was chosen.
  ['another protocol', { protocol: 'graphql-ws', first: '' }, [1006, /^$/]],
] satisfies [string, Parameters<typeof connect>[1], [number, RegExp]][])('%s closes the socket', async (_, options, [code, reason]) => {
  await using server = await startSocketServer(answerNothing, options.first === '' ? { initMs: 200 } : {})
  const peer = connect(server, options)
  await waitFor(() => peer.closed !== null)
  expect(peer.closed?.code).toBe(code)
  expect(peer.closed?.reason).toMatch(reason)
})

test('JSON with more values than a request may have closes the socket', async () => {
  await using server = await startSocketServer(answerNothing, { bodyBytes: 1_048_576 })
  const peer = await acknowledge(server)
  peer.socket.send(`{"type":"ping","payload":{"a":[${'1,'.repeat(26_000)}1]}}`)
  await waitFor(() => peer.closed !== null)
  expect(peer.closed).toEqual({ code: 4400, reason: expect.stringMatching(/must have at most 25,000 values/) as unknown })
})

test('an id of more than 200 characters closes the socket: each answer would repeat it', async () => {
  let asked = 0
  await using server = await startSocketServer(({ response }) => void response.end(JSON.stringify({ data: { asked: (asked += 1) } })))
  const peer = await acknowledge(server)
  peer.socket.send(operation('x'.repeat(200)))
  await waitFor(() => peer.messages.some((message) => message.includes('"complete"')))
  peer.socket.send(operation('x'.repeat(201)))
  await waitFor(() => peer.closed !== null)
  expect(peer.closed).toEqual({ code: 4400, reason: 'The id of an operation must have at most 200 characters' })
  expect(asked).toBe(1)
})

test.each([
  ['a member with too many sockets', 'TOO_MANY_STREAMS', 4429],
  ['a platform that is away', 'PROVIDER_UNAVAILABLE', 1013],
  ['a token that is refused', 'TOKEN_REFUSED', 4403],
] as const)('%s: the socket is closed with a reason', async (_, reason, code) => {
  await using server = await startSocketServer(answerNothing, { sockets: { admit: () => Promise.reject(new AppError(reason)) } })
  const peer = connect(server)
  await waitFor(() => peer.closed !== null)
  expect(peer.closed?.code).toBe(code)
  expect(peer.closed?.reason).toMatch(new RegExp(`^${reason}: `))
})

test('sockets that close while their token is being confirmed do not count for their member', async () => {
  const confirmed = Promise.withResolvers<void>()
  let confirming = 0
  let closed = 0
  await using server = await startSocketServer(answerNothing, {
    confirmToken() {
      confirming += 1
      return confirmed.promise
    },
    sockets: createStreamLimit(() => Promise.resolve(testPrincipal({})), webSockets),
    // Of somebody known, so that all are confirmed at once.
    http: { principals: { known: () => testPrincipal({}), resolve: async () => testPrincipal({}) } },
    onClosed: () => (closed += 1),
  })
  const first = JSON.stringify({ type: 'connection_init', payload: { authorization: 'Bearer known' } })
  const peers = Array.from({ length: 20 }, () => connect(server, { first }))
  await waitFor(() => confirming === 20)
  for (const { socket } of peers) socket.terminate()
  await waitFor(() => closed === 20)
  confirmed.resolve()
  expect((await acknowledge(server, { first })).closed).toBeNull()
})

test('operations whose client leaves before they are admitted do not count for their member', async () => {
  const resolved = Promise.withResolvers<void>()
  const streams = createStreamLimit(() => Promise.resolve(testPrincipal({})))
  const begun: HttpContext[] = []
  await using server = await startSocketServer(async (ctx) => {
    begun.push(ctx)
    await resolved.promise
    await streams.admit(ctx)
    ctx.response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":{"a":1}}')
  })
  const peers = [await acknowledge(server), await acknowledge(server)]
  for (const { socket } of peers) for (let id = 1; id <= 50; id += 1) socket.send(operation(String(id)))
  await waitFor(() => begun.length === 100)
  for (const { socket } of peers) socket.terminate()
  await waitFor(() => begun.every(({ aborted }) => aborted === 'CLIENT_LEFT'))
  resolved.resolve()
  const next = await acknowledge(server)
  next.socket.send(operation('1'))
  expect(await waitFor(() => next.messages[1])).toBe('{"id":"1","type":"next","payload":{"data":{"a":1}}}')
})

test('an operation that is refused because its address has too many connections gets an error', async () => {
  await using server = await startSocketServer(answerNothing, { http: { connectionsPerAddress: 1 } })
  const peer = await acknowledge(server)
  peer.socket.send(operation('1'))
  await waitFor(() => peer.messages.length === 2)
  expect(JSON.parse(peer.messages[1] ?? '')).toMatchObject({
    type: 'error',
    id: '1',
    payload: [
      {
        message: expect.stringMatching(/^Your network has too many connections/) as unknown,
        extensions: { code: 'RATE_LIMITED', reason: 'TOO_MANY_CONNECTIONS', retryable: true, requestId: expect.any(String) as unknown },
      },
    ],
  })
})

test.each([
  ['a problem with data', 'application/problem+json', [problem('TOO_MANY_CONNECTIONS'), 'TOO_MANY_CONNECTIONS']],
  ['JSON without data and errors', 'application/json', [{ statusCode: 500 }, 'PROVIDER_ANSWER_INVALID']],
] as const)('an answer that is not a result (%s) reaches the client as an error', async (_, type, [body, reason]) => {
  await using server = await startSocketServer(({ response }) => {
    response.writeHead(429, { 'content-type': type }).end(JSON.stringify(body))
  })
  const peer = await acknowledge(server)
  peer.socket.send(operation('1'))
  await waitFor(() => peer.messages.length === 2)
  expect(JSON.parse(peer.messages[1] ?? '')).toMatchObject({ type: 'error', id: '1', payload: [{ extensions: { reason } }] })
})

function problem(reason: ErrorReason): unknown {
  return problemOf(new AppError(reason, { data: { retryAfterSeconds: 5 } }), 'r')
}

test('a socket has 50 operations under way; the next one is refused, and one more may begin when one is over', async () => {
  const open: HttpContext[] = []
  await using server = await startSocketServer((ctx) => void open.push(ctx))
  const peer = await acknowledge(server)
  for (let id = 1; id <= 51; id += 1) peer.socket.send(operation(String(id)))
  await waitFor(() => peer.messages.length === 2)
  expect(JSON.parse(peer.messages[1] ?? '')).toMatchObject({
    type: 'error',
    id: '51',
    payload: [{ extensions: { code: 'RATE_LIMITED', reason: 'TOO_MANY_STREAMS', retryable: true } }],
  })
  expect(open.length).toBe(50)
  peer.socket.send('{"type":"complete","id":"1"}')
  await waitFor(() => open.some(({ aborted }) => aborted === 'CLIENT_LEFT'))
  peer.socket.send(operation('52'))
  await waitFor(() => open.length === 51)
})

test('a client that leaves ends its operations, also those that have no answer yet', async () => {
  const open: HttpContext[] = []
  await using server = await startSocketServer((ctx) => {
    open.push(ctx)
    if (open.length === 1) ctx.response.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n')
  })
  const peer = await acknowledge(server)
  peer.socket.send(operation('1'))
  peer.socket.send(operation('2'))
  await waitFor(() => open.length === 2)
  peer.socket.terminate()
  await waitFor(() => open.every(({ aborted }) => aborted !== null))
  expect(open.map(({ aborted }) => aborted)).toEqual(['CLIENT_LEFT', 'CLIENT_LEFT'])
})

test('a peer that answers no ping is disconnected; one that does stays', async () => {
  // The answer of the one that stays has so long to arrive, also on a busy machine.
  await using server = await startSocketServer(answerNothing, { pingMs: 500 })
  const gone = await acknowledge(server, { autoPong: false })
  const alive = await acknowledge(server)
  let pings = 0
  alive.socket.on('ping', () => (pings += 1))
  await waitFor(() => gone.closed !== null)
  expect(gone.closed?.code).toBe(1006)
  await waitFor(() => pings > 3)
  expect(alive.closed).toBeNull()
})

/** More than the operating system holds for the two ends of a connection. */
const most = 128 * 1_048_576

test('a reader that does not read slows its stream down, and is disconnected', async () => {
  let written = 0
  let writtenBefore = 0
  const event = `event: next\ndata: {"data":{"a":"${'x'.repeat(100_000)}"}}\n\n`
  await using server = await startSocketServer(
    ({ response }) => {
      const writeMore = (error?: Error | null): void => {
        if (error || written > most) return
        written += event.length
        response.write(event, writeMore)
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      writeMore()
    },
    { pingMs: 300, onClosed: () => (writtenBefore = written) },
  )
  const peer = await acknowledge(server)
  peer.socket.on('message', () => peer.socket.pause())
  peer.socket.send(operation('1'))
  await waitFor(() => writtenBefore > 0)
  expect(writtenBefore).toBeLessThan(most)
})

test('an answer over 16 MB is an error of its operation, and is not read to its end', async () => {
  let [written, hasEnded] = [0, false]
  await using server = await startSocketServer(({ response }) => {
    const piece = 'x'.repeat(1_048_576)
    const writeMore = (error?: Error | null): void => {
      if (error || written > most) return
      written += piece.length
      response.write(piece, writeMore)
    }
    response.once('close', () => (hasEnded = true))
    response.writeHead(200, { 'content-type': 'application/json' })
    writeMore()
  })
  const peer = await acknowledge(server)
  peer.socket.send(operation('1'))
  await waitFor(() => peer.messages.length === 2 && hasEnded)
  expect(JSON.parse(peer.messages[1] ?? '')).toMatchObject({
    type: 'error',
    id: '1',
    payload: [
      {
        message: 'The answer has more than 16 million characters: ask for less, or send the operation over HTTP',
        extensions: { reason: 'INVALID_INPUT' },
      },
    ],
  })
  expect(written).toBeLessThan(most)
})

test('when the service stops, a socket is closed with 1001', async () => {
  await using stack = new AsyncDisposableStack()
  const server = stack.use(await startSocketServer(answerNothing))
  const peer = await acknowledge(server)
  await stack.disposeAsync()
  await waitFor(() => peer.closed !== null)
  expect(peer.closed).toEqual({ code: 1001, reason: 'STOPPING: The service restarts: subscribe again' })
})

test('a path without sockets, and a request for another protocol, are answered as if nothing was asked', async () => {
  await using server = await startSocketServer((ctx) => void ctx.response.writeHead(200).end('answered'))
  const ask = (path: string, upgrade: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const headers = { connection: 'Upgrade', upgrade, 'sec-websocket-version': '13', 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' }
      const asked = httpRequest({ port: server.port, path, headers }, (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      })
      asked.once('upgrade', (_response, socket) => {
        socket.destroy()
        resolve(101)
      })
      asked.once('error', reject)
      asked.end()
    })
  expect(await ask('/other', 'websocket')).toBe(200)
  expect(await ask('/graphql', 'h2c')).toBe(200)
  expect(await ask('/graphql', 'websocket')).toBe(101)
})

const upgradeHead = ['Host: x', 'Connection: Upgrade', 'Upgrade: websocket', 'X-Forwarded-For: 203.0.113.5']
const version = 'Sec-WebSocket-Version: 13'
const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='

test.each([
  ['429, because of its address', 'GET', [version, key]],
  ['405, because of its method', 'POST', [version, key]],
  ['426, because of its version', 'GET', ['Sec-WebSocket-Version: 1', key]],
  ['400, because it has no key', 'GET', [version]],
] as const)('a client that resets its connection after a refusal with %s harms nobody', async (refusal, method, headers) => {
  const [status] = refusal.split(',')
  let working = 0
  await using server = await startSocketServer(() => void (working += 1), { http: { trustProxy: ['loopback'], connectionsPerAddress: 1 } })
  const leaving = new AbortController()
  const from = status === '429' ? '203.0.113.5' : '203.0.113.6'
  const asked = fetch(`${server.url}/other`, { headers: { 'x-forwarded-for': from }, signal: leaving.signal }).catch(() => 'left')
  await waitFor(() => working === 1)
  const client = connectTcp(server.port, '127.0.0.1')
  client.write([`${method} /graphql HTTP/1.1`, ...upgradeHead, ...headers, '', ''].join('\r\n'))
  let answer = ''
  client.on('data', (piece: Buffer) => (answer += piece.toString()))
  expect(await waitFor(() => answer)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  client.resetAndDestroy()
  leaving.abort()
  expect(await asked).toBe('left')
  // This question's own connection is left.
  await waitFor(async () => /^sidecar_http_connections 1$/m.test(await (await fetch(`${server.url}/metrics`)).text()))
})

test('an upgrade behind a request without an answer is an ordinary request, answered after it; behind an answer it is an upgrade', async () => {
  const held: HttpContext[] = []
  await using server = await startSocketServer((ctx) => {
    if (ctx.path === '/other') held.push(ctx)
    else ctx.response.end('<ordinary>')
  })
  const client = connectTcp(server.port, '127.0.0.1')
  onTestFinished(() => void client.destroy())
  let received = ''
  client.on('data', (piece: Buffer) => (received += piece.toString('latin1')))
  const asking = ['GET /graphql HTTP/1.1', ...upgradeHead, version, key, '', ''].join('\r\n')
  client.write(`GET /other HTTP/1.1\r\nHost: x\r\n\r\n${asking}`)
  await waitFor(() => held.length === 1)
  client.write(asking)
  // Answered behind what came before it.
  expect((await fetch(`${server.url}/graphql`)).status).toBe(200)
  expect(received).toBe('')
  held[0]?.response.end('<first>')
  await waitFor(() => received.split('<ordinary>').length === 3)
  expect(received.match(/HTTP\/1\.1 \d+|<\w+>/g)).toEqual(['200', '<first>', '200', '<ordinary>', '200', '<ordinary>'].map(withVersion))
  client.write(asking)
  await waitFor(() => received.includes('HTTP/1.1 101 '))
})

const withVersion = (part: string): string => (part.startsWith('<') ? part : `HTTP/1.1 ${part}`)

test('at the limit of its address, a socket that has shown no token is closed for a new one; one whose token is being confirmed is not', async () => {
  const confirmed = Promise.withResolvers<void>()
  let confirming = 0
  const confirmToken = (): Promise<void> => {
    confirming += 1
    return confirmed.promise
  }
  await using server = await startSocketServer(answerNothing, { confirmToken, http: { connectionsPerAddress: 2 } })
  const asking = connect(server)
  await waitFor(() => confirming === 1)
  const silent = connect(server, { first: '' })
  await once(silent.socket, 'open')
  const next = connect(server)
  await waitFor(() => silent.closed !== null && confirming === 2)
  expect(silent.closed?.code).toBe(1006)
  confirmed.resolve()
  await waitFor(() => [asking, next].every(({ messages }) => messages.includes(acknowledged)))
})
