import { describe, expect, test } from 'vitest'
import { createLog } from '../../src/kernel/log.ts'
import { readBody } from '../../src/server/http/body.ts'
import { createHttpServer, type HttpServerOptions } from '../../src/server/http/http-server.ts'
import { defaultPatience } from '../../src/server/http/patience.ts'
import { problemHandler } from '../../src/server/http/routes.ts'
import { createTestApp } from '../harness/app.ts'
import { isWay, linger, type LingeringClient, lingeringWays } from '../harness/lingering-clients.ts'
import { subscribe } from '../harness/subscribe.ts'
import { waitFor } from '../harness/wait-for.ts'

const ways = Object.keys(lingeringWays).filter(isWay)

/** A server whose patience ends in a moment. `/work` answers when `finish` is called. */
async function startServer(options: Partial<HttpServerOptions> = {}) {
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>()
  const server = await createHttpServer({
    host: '127.0.0.1',
    port: 0,
    trustProxy: ['loopback'],
    metricsFrom: ['loopback'],
    log: createLog('silent'),
    health: {},
    deadlineMs: 300,
    patience: { headersMs: 300, keepAliveMs: 200, idleMs: 600, silenceMs: 500, lingerMs: 100 },
    handlers: {
      '/auth/*': problemHandler(async (ctx) => void ctx.response.end(await readBody(ctx))),
      '/docs/*': problemHandler((ctx) => void ctx.response.end(Buffer.alloc(8_000_000))),
      '/work': problemHandler(async ({ response }) => finished.then(() => void response.end('done'))),
    },
    ...options,
  })
  return { ...server, finish }
}

/** How many connections are open, this question's not counted. */
async function openConnections(url: string): Promise<number> {
  const response = await fetch(`${url}/metrics`, { headers: { connection: 'close' } })
  const count = /^sidecar_http_connections (\d+)$/m.exec(await response.text())?.[1]
  return Number(count ?? Number.NaN) - 1
}

function leave(clients: readonly LingeringClient[]): void {
  for (const { socket } of clients) socket.destroy()
}

describe('the service gives back the socket of a client that', () => {
  test.each(ways)('%s', async (way) => {
    await using server = await startServer()
    const clients = await Promise.all(Array.from({ length: 5 }, () => linger(server.url, way)))
    expect(await waitFor(() => openConnections(server.url).then((count) => count === 0))).toBe(true)
    leave(clients)
  })

  test('sends an empty line again and again between its requests', async () => {
    await using server = await startServer()
    const client = await linger(server.url, 'stays after its answer')
    const dripping = setInterval(() => client.socket.write('\r\n'), 50)
    expect(await waitFor(() => client.closed || client.serviceEnded, { what: 'the connection to be closed' })).toBe(true)
    clearInterval(dripping)
    leave([client])
  })
})

test('says why it closes a connection with incomplete headers', async () => {
  await using server = await startServer()
  const client = await linger(server.url, 'sends half of the headers')
  expect(await waitFor(() => client.received)).toMatch(/^HTTP\/1\.1 408 /)
  leave([client])
})

describe('the limit of connections without a token, for each address', () => {
  test('lets the same address sign in while hundreds of its connections wait, and disturbs no stream', async () => {
    await using app = await createTestApp({ environment: { HTTP_CONNECTIONS_PER_ADDRESS: '40' } })
    const manager = await app.signIn('manager@demo.example')
    const stream = await subscribe(app.url, { query: 'subscription { agentStates { providerAgentId } }', token: manager.token })
    const clients: LingeringClient[] = []
    for (let index = 0; index < 300; index += 1) clients.push(await linger(app.url, ways[index % 3] ?? 'sends nothing'))
    for (const name of ['agent1', 'agent2', 'agent3']) await app.signIn(`${name}@demo.example`)
    await waitFor(() => clients.filter(({ closed, serviceEnded }) => !closed && !serviceEnded).length <= 40)
    expect(stream.ended).toBe(false)
    stream.leave()
    leave(clients)
    await waitFor(() => stream.ended)
  })

  test('answers 429 when the service works for every one of them, and serves other addresses', async () => {
    await using server = await startServer({ connectionsPerAddress: 3, deadlineMs: 20_000, patience: defaultPatience })
    const from = (address: string) => fetch(`${server.url}/work`, { headers: { 'x-forwarded-for': address } })
    const working = [from('203.0.113.5'), from('203.0.113.5'), from('203.0.113.5')]
    await waitFor(async () => /^http_server_active_requests 4$/m.test(await (await fetch(`${server.url}/metrics`)).text()))
    const refused = await from('203.0.113.5')
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('5')
    expect(await refused.json()).toMatchObject({ code: 'RATE_LIMITED', reason: 'TOO_MANY_CONNECTIONS', retryable: true })
    const other = from('203.0.113.6')
    server.finish()
    expect((await other).status).toBe(200)
    for (const answer of await Promise.all(working)) expect(answer.status).toBe(200)
    expect((await from('203.0.113.5')).status).toBe(200)
  })

  test('does not count requests with a valid token', async () => {
    await using app = await createTestApp({ environment: { HTTP_CONNECTIONS_PER_ADDRESS: '10' } })
    const { token } = await app.signIn('manager@demo.example')
    const query = 'subscription { agentStates { providerAgentId } }'
    const streams = await Promise.all(Array.from({ length: 15 }, () => subscribe(app.url, { query, token })))
    await waitFor(() => streams.every(({ status, text }) => status === 200 && text !== ''))
    const busy = await Promise.all(Array.from({ length: 10 }, () => app.graphql('{ me { role } }', { token })))
    for (const { data } of busy) expect(data).toEqual({ me: { role: 'MANAGER' } })
    expect(streams.filter(({ ended }) => ended)).toEqual([])
    for (const stream of streams) stream.leave()
    await waitFor(() => streams.every(({ ended }) => ended))
  })
})
