import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { createLog } from '../../src/kernel/log.ts'
import { createHttpServer } from '../../src/server/http/http-server.ts'
import type { HttpContext } from '../../src/server/http/http-context.ts'
import { problemHandler } from '../../src/server/http/routes.ts'
import { waitFor } from '../harness/wait-for.ts'

/** `/now` answers at once, `/held` when the test lets it. Each answer is the path. */
async function startServer(stopDelayMs = 0, drainMs = 10_000) {
  const held: HttpContext[] = []
  const answer = (ctx: HttpContext): void => void ctx.response.end(`<${ctx.path}${ctx.query}>`)
  const server = await createHttpServer({
    host: '127.0.0.1',
    port: 0,
    trustProxy: [],
    log: createLog('silent'),
    health: {},
    stopDelayMs,
    drainMs,
    handlers: { '/now': problemHandler(answer), '/held': problemHandler((ctx) => void held.push(ctx)) },
  })
  return { ...server, held, answer }
}

/** With a connection of its own. */
async function ask(url: string, path: string) {
  const response = await new Promise<IncomingMessage>((resolve, reject) =>
    get(url + path, { agent: false, headers: { connection: 'keep-alive' } }, resolve).once('error', reject),
  )
  return { status: response.statusCode, connection: response.headers.connection, body: await text(response) }
}

function open(port: number) {
  const socket = connect(port, '127.0.0.1')
  const client = { socket, received: '', end: null as string | null }
  socket.on('data', (piece) => (client.received += String(piece)))
  socket.once('error', (error) => (client.end = error.message))
  socket.once('end', () => (client.end ??= 'closed'))
  return client
}

const asks = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`

test('a service that stops is not ready at once, and each answer closes its connection', async () => {
  await using server = await startServer()
  expect(await ask(server.url, '/ready')).toMatchObject({ status: 200, connection: 'keep-alive' })
  const underWay = ask(server.url, '/held')
  await waitFor(() => server.held.length === 1)
  server.beginStop()
  const refused = await ask(server.url, '/ready')
  expect([refused.status, JSON.parse(refused.body)]).toEqual([503, { ready: false, reasons: ['The service stops'] }])
  expect(await ask(server.url, '/health')).toMatchObject({ status: 200, connection: 'close' })
  expect(await ask(server.url, '/now')).toEqual({ status: 200, connection: 'close', body: '</now>' })
  server.held.forEach(server.answer)
  expect(await underWay).toEqual({ status: 200, connection: 'close', body: '</held>' })
})

test('of requests that came in one piece, the last one closes the connection', async () => {
  await using server = await startServer()
  const client = open(server.port)
  client.socket.write(asks('/held?1') + asks('/held?2'))
  await waitFor(() => server.held.length === 2)
  server.beginStop()
  client.socket.write(asks('/held?3'))
  await waitFor(() => server.held.length === 3)
  server.held.forEach(server.answer)
  await waitFor(() => client.end)
  expect(client.end).toBe('closed')
  expect(client.received.match(/<.*>|connection: close/gi)).toEqual(['</held1>', '</held2>', 'Connection: close', '</held3>'])
})

test('the port accepts connections until the delay has passed', async () => {
  const server = await startServer(2_000)
  const startedAt = performance.now()
  const stopping = server[Symbol.asyncDispose]()
  expect(await ask(server.url, '/now')).toMatchObject({ status: 200, connection: 'close' })
  await stopping
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(1_990)
  await expect(ask(server.url, '/now')).rejects.toThrow('ECONNREFUSED')
})

test('a request that would take too long gets an error before its connection ends', async () => {
  const server = await startServer(0, 1_000)
  const underWay = ask(server.url, '/held')
  await waitFor(() => server.held.length === 1)
  await server[Symbol.asyncDispose]()
  const { status, body } = await underWay
  expect([status, JSON.parse(body)]).toEqual([504, expect.objectContaining({ reason: 'DEADLINE_PASSED' })])
})

test('who has just connected when the port closes gets an answer', async () => {
  const server = await startServer()
  const clients = Array.from({ length: 20 }, () => open(server.port))
  await Promise.all(clients.slice(0, 10).map(({ socket }) => once(socket, 'connect')))
  const stopping = server[Symbol.asyncDispose]()
  for (const { socket } of clients) socket.write(asks('/now'))
  await stopping
  await waitFor(() => clients.every(({ end }) => end !== null))
  expect(clients.filter(({ end, received }) => end !== 'closed' || !received.endsWith('</now>'))).toEqual([])
})
