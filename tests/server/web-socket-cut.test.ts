import { createServer, request } from 'node:http'
import { setImmediate as nextRound } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { answersTo } from '../../src/server/graphql/web-sockets/answers.ts'
import { readBody } from '../../src/server/http/body.ts'
import type { HttpContext } from '../../src/server/http/http-context.ts'
import { listen } from '../../src/server/http/listen.ts'
import { acknowledge, answerNothing, operation, startSocketServer } from '../harness/socket-server.ts'
import { socketWalks, walkSocket } from '../harness/socket-walks.ts'
import { throwUncaughtErrors } from '../harness/uncaught-errors.ts'
import { waitFor } from '../harness/wait-for.ts'
import { inFlight } from '../prove/stage/client.ts'

test('50 operations whose socket is cut leave nothing that nobody handles', async () => {
  let closed = 0
  await using server = await startSocketServer(answerNothing, { onClosed: () => (closed += 1) })
  for (let sockets = 0; sockets < 10; sockets += 1) {
    const peer = await acknowledge(server)
    for (let id = 1; id <= 50; id += 1) peer.socket.send(operation(String(id)))
    peer.socket.terminate()
  }
  await waitFor(() => closed === 10)
  await nextRound()
  expect(throwUncaughtErrors).not.toThrow()
})

test('an operation that ends before its first answer is asked for leaves no rejection', async () => {
  await using server = createServer()
  const port = await listen(server, { host: '127.0.0.1', port: 0 })
  const asked = request({ port })
  const closed = new Promise((resolve) => void asked.once('close', resolve))
  const answers = answersTo(asked, { onStream: () => {}, onHeld: () => {}, lock: async () => () => {} })
  expect(await answers.return?.()).toEqual({ done: true, value: undefined })
  await closed
  await nextRound()
  expect(throwUncaughtErrors).not.toThrow()
})

const event = 'event: next\ndata: {"data":{"a":1}}\n\n'
const answers: Readonly<Record<string, (ctx: HttpContext) => void>> = {
  'at once': ({ response }) => void response.writeHead(200, json).end('{"data":{"a":1}}'),
  'in a while': ({ response }) => void setTimeout(() => response.writeHead(200, json).end('{"data":{"a":1}}'), 3),
  'much at once': ({ response }) => void response.writeHead(200, json).end(`{"data":{"a":"${'x'.repeat(300_000)}"}}`),
  never: () => undefined,
  'no result': ({ response }) => void response.writeHead(500).end(),
  'breaks off': ({ response }) => void response.destroy(),
  'events, then breaks off': ({ response }) => response.writeHead(200, events).write(event, () => response.destroy()),
  'events and an end': ({ response }) => void response.writeHead(200, events).end(`${event}event: complete\ndata:\n\n`),
  'events for ever': (ctx) => {
    ctx.response.writeHead(200, events)
    const timer = setInterval(() => ctx.response.write(event), 5)
    ctx.onAbort(() => clearInterval(timer))
  },
}
const json = { 'content-type': 'application/json' }
const events = { 'content-type': 'text/event-stream' }

test('1,000 random sequences of operations, pings, slow readers, cuts and resets leave nothing that nobody handles, and nothing open', async () => {
  await using server = await startSocketServer(async (ctx) => {
    const { query } = z.object({ query: z.string() }).parse(JSON.parse((await readBody(ctx)).toString()))
    answers[query]?.(ctx)
  })
  const walks = socketWalks(1_000, 34)
  const walked = { url: server.url, queries: Object.keys(answers) }
  await inFlight(walks.length, 10, async (index) => {
    const walk = walks[index]
    if (walk) await walkSocket(walk, walked)
  })
  expect(throwUncaughtErrors).not.toThrow()
  const figures = /^(?:sidecar_http_connections|http_server_active_requests) \d+$/gm
  // Those of the question itself.
  await waitFor(async () =>
    expect((await (await fetch(`${server.url}/metrics`, { headers: { connection: 'close' } })).text()).match(figures)?.toSorted()).toEqual([
      'http_server_active_requests 1',
      'sidecar_http_connections 1',
    ]),
  )
})

test('an operation whose id is used again while its last answer waits for the reader leaves nothing open', async () => {
  let open = 0
  await using server = await startSocketServer(async (ctx) => {
    const { query } = z.object({ query: z.string() }).parse(JSON.parse((await readBody(ctx)).toString()))
    open += 1
    ctx.onClosed(() => (open -= 1))
    ctx.startStream()
    ctx.response.writeHead(200, events).write(`event: next\ndata: {"data":{"a":"${query.repeat(query === 'large' ? 2_000_000 : 1)}"}}\n\n`)
  })
  const peer = await acknowledge(server)
  peer.socket.pause()
  peer.socket.send(operation('1', 'large'))
  await waitFor(() => open === 1)
  peer.socket.send(JSON.stringify({ type: 'complete', id: '1' }))
  await waitFor(() => open === 0)
  peer.socket.send(operation('1', 'small'))
  await waitFor(() => open === 1)
  peer.socket.resume()
  await waitFor(() => peer.messages.some((message) => message.includes('small')))
  peer.socket.terminate()
  await waitFor(() => expect(open).toBe(0))
})
