import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { createLog } from '../../src/kernel/log.ts'
import { createHttpServer } from '../../src/server/http/http-server.ts'
import { problemHandler } from '../../src/server/http/routes.ts'

/** `/busy` works for 5 ms, so that others wait for a later round of the event loop; `onBusy` is called first. */
async function startServer(onBusy: () => void = () => {}) {
  const durations: number[] = []
  const server = await createHttpServer({
    host: '127.0.0.1',
    port: 0,
    trustProxy: [],
    log: createLog('silent'),
    health: {},
    handlers: {
      '/first': problemHandler((ctx) => void ctx.response.end('first')),
      '/busy': problemHandler((ctx) => {
        onBusy()
        const until = performance.now() + 5
        while (performance.now() < until);
        ctx.response.end('busy')
        durations.push(ctx.tookMs())
      }),
    },
  })
  return { ...server, durations }
}

/** Connections that the server has taken. */
async function connectMany(port: number, count: number) {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect(port, '127.0.0.1')
      socket.write('GET /first HTTP/1.1\r\nhost: x\r\n\r\n')
      await once(socket, 'data')
      return socket
    }),
  )
}

const busy = 'GET /busy HTTP/1.1\r\nhost: x\r\n'
const last = `${busy}connection: close\r\n\r\n`

test('the time of a request begins when it arrives, not when it leaves the queue', async () => {
  await using server = await startServer()
  const sockets = await connectMany(server.port, 30)
  const answers = sockets.map((socket) => text(socket))
  for (const socket of sockets) socket.write(last)
  await Promise.all(answers)
  // 30 requests of 5 ms, one after the other.
  expect(Math.max(...server.durations)).toBeGreaterThan(75)
})

test('a stop while requests wait in the queue answers all of them, also those that came in one piece', async () => {
  const stopping: { done: PromiseLike<void> | null } = { done: null }
  // In the round of the event loop after the first one, when all has been read.
  const server = await startServer(() => setImmediate(() => (stopping.done ??= server[Symbol.asyncDispose]())))
  const sockets = await connectMany(server.port, 40)
  const answers = sockets.map((socket) => text(socket))
  const pieces = sockets.map((_, index) => (index % 4 === 0 ? `${busy}\r\n`.repeat(4) + last : `${busy}\r\n`))
  sockets.forEach((socket, index) => socket.write(pieces[index] ?? ''))
  const answered = (await Promise.all(answers)).map((answer) => answer.split('HTTP/1.1 200').length - 1)
  expect(answered).toEqual(pieces.map((piece) => piece.split('GET').length - 1))
  await stopping.done
})
