import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { OperationTypeNode, parse } from 'graphql'
import { Pool } from 'undici'
import { expect, test } from 'vitest'
import { createLog } from '../../src/kernel/log.ts'
import { PassThrough } from '../../src/server/graphql/pass-through.ts'
import { createPlatformExecutor } from '../../src/server/graphql/stitching/platform-executor.ts'
import { requestPlatform } from '../../src/server/graphql/stitching/platform-request.ts'
import { createUpstream } from '../../src/server/graphql/upstream.ts'
import type { HttpContext } from '../../src/server/http/http-context.ts'
import { createHttpServer } from '../../src/server/http/http-server.ts'
import { sendProblem } from '../../src/server/http/problem.ts'
import { problemHandler } from '../../src/server/http/routes.ts'
import { sendJson, startUpstream } from '../harness/upstream.ts'
import { waitFor } from '../harness/wait-for.ts'

test('a request that has ended before it is sent costs no connection', async () => {
  const connections: unknown[] = []
  await using platform = await startUpstream((_seen, response, { socket }) => {
    connections.push(socket)
    sendJson(response, {})
  })
  const pool = new Pool(platform.url, { connections: 1 })
  const send = (signal: AbortSignal) =>
    requestPlatform(pool, { path: '/', headers: {}, body: '{}', signal, deadlineMs: 5_000, onStatus: () => {} })
  const leaves = new AbortController()
  const { signal } = new AbortController()
  await send(signal)
  // It has the connection while the other waits for its turn.
  const [first, left] = [send(signal), send(leaves.signal)]
  leaves.abort(new Error('left'))
  await expect(left).rejects.toThrow('left')
  await first
  await send(signal)
  await expect(send(leaves.signal)).rejects.toThrow('left')
  await send(signal)
  expect(connections).toHaveLength(4)
  expect(new Set(connections).size).toBe(1)
  await pool.close()
})

const uploadConnections = 32
/** The client of this request has left before the connection to the platform is open. */
const leavesAtOnce = 'leaves-at-once'

/** A service that only forwards, and a platform that answers each request when it is released. The query is the path at the platform. */
async function createForwarding(lasting: 'stream' | 'upload' | null) {
  await using starting = new AsyncDisposableStack()
  const sockets = new Map<string, Socket>()
  const held = new Map<string, () => void>()
  const platform = starting.use(
    await startUpstream(({ path }, response, { socket }) => {
      sockets.set(path, socket)
      held.set(path, () => sendJson(response, { data: {} }))
    }),
  )
  const upstream = createUpstream({ url: platform.url, connections: 1 })
  starting.defer(() => upstream.close())
  const bodies = new Map<string, Readable>()
  const contexts = new Map<string, HttpContext>()
  const forward = problemHandler((ctx) => {
    const body = Readable.from([Buffer.from('{}')])
    bodies.set(ctx.query, body)
    contexts.set(ctx.query, ctx)
    const request = {
      path: `/${ctx.query}`,
      headers: ['content-type', 'application/json'],
      body: lasting === 'upload' ? body : '{}',
      lasting,
    }
    upstream.dispatch(request, new PassThrough(ctx, { answerError: sendProblem, hooks: {} }))
    if (ctx.query === leavesAtOnce) ctx.request.socket.destroy()
  })
  const server = starting.use(
    await createHttpServer({
      host: '127.0.0.1',
      port: 0,
      trustProxy: ['loopback'],
      handlers: { '/forward': forward },
      health: {},
      log: createLog('silent'),
    }),
  )
  const open = starting.move()
  return {
    upstream,
    bodies,
    sockets,
    connections: platform.connections,
    paths: () => platform.seen.map(({ path }) => path),
    /** Resolves when the service has begun with the request; `answered` with the status. */
    async send(name: string) {
      const leaving = new AbortController()
      const answered = fetch(`${server.url}/forward?${name}`, { method: 'POST', signal: leaving.signal }).then(
        ({ status }) => status,
        () => null,
      )
      const ctx = await waitFor(() => contexts.get(name))
      return {
        answered,
        leave: async () => {
          leaving.abort()
          await waitFor(() => ctx.aborted === 'CLIENT_LEFT')
        },
      }
    },
    release: async (name: string) => (await waitFor(() => held.get(`/${name}`)))(),
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}

test('an ordinary request whose client leaves while it waits is never sent, and leaves the connection to the next one', async () => {
  await using forwarding = await createForwarding(null)
  const { upstream, sockets } = forwarding
  const [first, dead, next] = [await forwarding.send('first'), await forwarding.send('dead'), await forwarding.send('next')]
  await dead.leave()
  // It has its place until its turn comes.
  expect(upstream.figures).toEqual({ inFlight: 3, sent: 1 })
  await forwarding.release('first')
  await forwarding.release('next')
  expect([await first.answered, await dead.answered, await next.answered]).toEqual([200, null, 200])
  expect(forwarding.paths()).toEqual(['/first', '/next'])
  expect(new Set(sockets.values()).size).toBe(1)
  expect(sockets.get('/next')?.destroyed).toBe(false)
  await waitFor(() => upstream.figures.inFlight === 0 && upstream.figures.sent === 0)
})

test('an ordinary request whose client leaves after it was sent ends its connection, and the next one gets another', async () => {
  await using forwarding = await createForwarding(null)
  const { upstream, sockets } = forwarding
  const [dead, next] = [await forwarding.send('dead'), await forwarding.send('next')]
  await waitFor(() => sockets.get('/dead'))
  await dead.leave()
  await forwarding.release('next')
  expect(await next.answered).toBe(200)
  await waitFor(() => sockets.get('/dead')?.destroyed)
  expect(sockets.get('/next')).not.toBe(sockets.get('/dead'))
  await waitFor(() => upstream.figures.inFlight === 0 && upstream.figures.sent === 0)
})

test('an upload whose client leaves while it waits is never sent and its body is ended; those under way and the next one go on', async () => {
  await using forwarding = await createForwarding('upload')
  const { upstream, bodies, sockets } = forwarding
  const names = Array.from({ length: uploadConnections }, (_, index) => `upload-${index}`)
  const uploads = await Promise.all(names.map((name) => forwarding.send(name)))
  await waitFor(() => sockets.size === uploadConnections)
  const [dead, next] = [await forwarding.send('dead'), await forwarding.send('next')]
  await dead.leave()
  expect(bodies.get('dead')?.destroyed).toBe(false)
  await forwarding.release('upload-0')
  await waitFor(() => sockets.get('/next'))
  expect(bodies.get('dead')?.destroyed).toBe(true)
  // Only the connection on which it would have been sent has ended.
  expect([...sockets].filter(([, socket]) => socket.destroyed).map(([path]) => path)).toEqual(['/upload-0'])
  for (const name of [...names.slice(1), 'next']) await forwarding.release(name)
  expect(await Promise.all([...uploads, next].map(({ answered }) => answered))).toEqual([...names, 'next'].map(() => 200))
  expect([await dead.answered, forwarding.paths().includes('/dead')]).toEqual([null, false])
  await waitFor(() => upstream.figures.inFlight === 0)
})

test('a stream whose client leaves while the platform is connected is never sent, and leaves no connection', async () => {
  await using forwarding = await createForwarding('stream')
  const { upstream, connections, sockets } = forwarding
  const isOver = (): boolean => upstream.figures.inFlight === 0 && upstream.breaker.waiting === 0
  const dead = await forwarding.send(leavesAtOnce)
  expect(await dead.answered).toBeNull()
  await waitFor(() => connections[0]?.destroyed)
  await waitFor(isOver)
  // The next one gets a connection of its own, which ends with its client.
  const next = await forwarding.send('next')
  await waitFor(() => sockets.has('/next'))
  await next.leave()
  await waitFor(() => sockets.get('/next')?.destroyed)
  await waitFor(isOver)
  expect([forwarding.paths(), connections.length]).toEqual([['/next'], 2])
})

test.each([
  ['does not answer', () => {}],
  [
    'does not end its refusal',
    (response: ServerResponse) => void response.writeHead(200, { 'content-type': 'application/json' }).write('{'),
  ],
])('a subscription of the combined schema ends at its deadline if the platform %s, and leaves no connection', async (_what, answer) => {
  await using platform = await startUpstream((_seen, response) => answer(response))
  const execute = createPlatformExecutor({ endpoint: `${platform.url}/graphql`, deadlineMs: 200, maxAnswerBytes: 1_000 })
  const { signal } = new AbortController()
  const executors = { records: execute, metadata: execute, local: execute }
  const given = { accessToken: 't', requestId: 'r', signal, executors, wholeErrors: new Map(), beginSpan: null, onVerdict: () => {} }
  const context = { ...given, failures: new Set<'PROVIDER_ANSWER_INVALID' | 'PROVIDER_UNAVAILABLE'>() }
  const document = parse('subscription { leadChanged { id } }')
  const result = await execute({ document, context, operationType: OperationTypeNode.SUBSCRIPTION })
  expect(result).toMatchObject({ errors: [{ message: 'The platform is not available' }] })
  expect([...context.failures]).toEqual(['PROVIDER_UNAVAILABLE'])
  await waitFor(() => platform.connections.length === 1 && platform.connections[0]?.destroyed)
})
