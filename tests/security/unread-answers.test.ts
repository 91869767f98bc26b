import { connect as connectTcp, type Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { createLog } from '../../src/kernel/log.ts'
import type { HttpContext } from '../../src/server/http/http-context.ts'
import type { HttpServer } from '../../src/server/http/http-server.ts'
import { acknowledged, connect, operation, startSocketServer } from '../harness/socket-server.ts'
import { bePatient } from '../harness/patient-settings.ts'
import { waitFor } from '../harness/wait-for.ts'

/** More than the operating system holds for a connection. */
const answer = Buffer.from(`{"data":{"a":"${'x'.repeat(12 * 1_048_576)}"}}`)
const largeAnswer = Buffer.concat([answer, Buffer.alloc(4 * 1_048_576)])
const unread = { memberBytes: 8 * 1_048_576, processBytes: 30 * 1_048_576 }

function show(ctx: HttpContext): void {
  ctx.requester = { workspaceId: 'demo', memberId: ctx.request.headers.authorization ?? 'nobody' }
}

async function startServer(limits = unread, log = createLog('silent')): Promise<HttpServer> {
  return startSocketServer(
    (ctx) => {
      show(ctx)
      const { response, request } = ctx
      if (request.headers.accept?.startsWith('text/event-stream') === true) {
        ctx.startStream()
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(`event: next\ndata: ${answer.toString()}\n\n`)
      } else if (request.headers.accept === 'application/large') {
        response
          .writeHead(200, { 'content-type': 'application/json', 'content-length': largeAnswer.length, connection: 'close' })
          .end(largeAnswer)
      } else response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length }).end(answer)
    },
    { http: { unread: limits, log }, confirmToken: async (ctx) => show(ctx) },
  )
}

const loggedSchema = z.object({ waitingBytes: z.number() })

/** How many connections the service has closed because their answers were not read. */
async function closedBy({ url }: HttpServer): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(/^sidecar_http_connections_closed_total\{cause="unread"\} (\d+)$/m.exec(text)?.[1])
}

/** A client that asks and reads nothing. */
function ask({ port }: HttpServer, member: string, accept = 'application/json'): Socket {
  const socket = connectTcp(port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.pause()
  socket.write(`GET /graphql HTTP/1.1\r\nhost: a\r\nauthorization: ${member}\r\naccept: ${accept}\r\n\r\n`)
  onTestFinished(() => void socket.destroy())
  return socket
}

/** The rest of what was sent comes, then the end. Whether it is less than an answer. */
function endsShort(socket: Socket): Promise<boolean> {
  let bytes = 0
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes >= answer.length) socket.end()
  })
  socket.resume()
  return new Promise((resolve) => socket.once('close', () => resolve(bytes < answer.length)))
}

describe.each([
  ['answers', 'application/json'],
  ['event streams', 'text/event-stream'],
])('%s that nobody reads', (_what, accept) => {
  test('of one member: all connections but one are closed; another member keeps theirs', async () => {
    const logged: string[] = []
    const log = createLog('warn', { write: (line) => void logged.push(line), onLost: () => undefined })
    await using server = await startServer(unread, log)
    const other = ask(server, 'other', accept)
    const own = [ask(server, 'one', accept), ask(server, 'one', accept), ask(server, 'one', accept)]
    await waitFor(async () => (await closedBy(server)) === 2)
    // The client gets no reason: it would come behind what it does not read.
    const reason = { msg: 'http.answers-unread', route: '/graphql', workspaceId: 'demo', memberId: 'one' }
    const lines = logged.map((line): unknown => JSON.parse(line))
    expect(lines).toEqual([expect.objectContaining(reason), expect.objectContaining(reason)])
    expect(
      z
        .array(loggedSchema)
        .parse(lines)
        .every(({ waitingBytes }) => waitingBytes > 4 * 1_048_576),
    ).toBe(true)
    expect(logged.join('')).not.toContain('xxx')
    const ended = await Promise.all(own.map((socket) => endsShort(socket)))
    expect(ended.filter((isShort) => isShort)).toHaveLength(2)
    expect(other.destroyed).toBe(false)
  })

  test('of many members: the process holds two of them, whoever they are', async () => {
    await using server = await startServer()
    for (let member = 0; member < 8; member += 1) ask(server, `member ${member}`, accept)
    await waitFor(async () => (await closedBy(server)) >= 6)
    expect(await closedBy(server)).toBe(6)
  })
})

describe('what is closed', () => {
  const limits = { memberBytes: 26 * 1_048_576, processBytes: 70 * 1_048_576 }

  test('if all together have too much: the second answers of many, not the one of a member with a slow line, however large', async () => {
    await using server = await startServer(limits)
    const slow = ask(server, 'slow', 'application/large')
    for (const member of ['a', 'b', 'c', 'd', 'a', 'b', 'c', 'd']) ask(server, member)
    await waitFor(async () => (await closedBy(server)) >= 4)
    expect(await endsShort(slow)).toBe(false)
  })

  test('answers behind one another on a connection are closed as one, before another connection of the member', async () => {
    await using server = await startServer(limits)
    const other = ask(server, 'one')
    const requests = Array.from({ length: 8 }, () => 'GET /graphql HTTP/1.1\r\nhost: a\r\nauthorization: one\r\n\r\n')
    ask(server, 'one').write(requests.join(''))
    await waitFor(async () => (await closedBy(server)) > 0)
    expect(await endsShort(other)).toBe(false)
    expect(await closedBy(server)).toBe(1)
  })
})

test('one web socket that reads none of its answers is closed too, though its member has no other', async () => {
  await using server = await startServer()
  const peer = connect(server, { first: JSON.stringify({ type: 'connection_init', payload: { authorization: 'one' } }) })
  await waitFor(() => peer.messages.includes(acknowledged))
  peer.socket.pause()
  for (const id of ['1', '2', '3']) peer.socket.send(operation(id))
  await waitFor(async () => (await closedBy(server)) === 1)
  peer.socket.resume()
  await waitFor(() => peer.closed !== null)
  expect(peer.closed?.code).toBe(1013)
})

test('a web socket whose answers nobody reads is closed with a reason, and its operations end; others are served', async () => {
  // A busy machine reads the reason late.
  bePatient()
  await using server = await startServer()
  const peers = ['one', 'one', 'one', 'other'].map((authorization) =>
    connect(server, { first: JSON.stringify({ type: 'connection_init', payload: { authorization } }) }),
  )
  await waitFor(() => peers.every(({ messages }) => messages.includes(acknowledged)))
  const [first, second, third, other] = peers
  for (const peer of [first, second, third]) {
    peer?.socket.pause()
    peer?.socket.send(operation('1'))
  }
  await waitFor(async () => (await closedBy(server)) === 2)
  for (const peer of [first, second, third]) peer?.socket.resume()
  await waitFor(() => [first, second, third].filter((peer) => peer?.closed).length === 2)
  const closed = { code: 1013, reason: 'Too many answers were not read: read what comes, or ask for less at once' }
  expect([first, second, third].flatMap((peer) => peer?.closed ?? [])).toEqual([closed, closed])
  other?.socket.send(operation('1'))
  await waitFor(() => other?.messages.some((message) => message.length > answer.length))
  expect(other?.closed).toBeNull()
})
