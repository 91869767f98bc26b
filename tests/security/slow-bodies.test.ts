import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { readBody } from '../../src/server/http/body.ts'
import { createHttpServer, type HttpServer } from '../../src/server/http/http-server.ts'
import { IncompleteBodies } from '../../src/server/http/incomplete-bodies.ts'
import { problemHandler } from '../../src/server/http/routes.ts'
import { waitFor } from '../harness/wait-for.ts'

const megabyte = 1_048_576

async function startServer(): Promise<HttpServer> {
  const echo = problemHandler(async (ctx) => void ctx.response.end(String((await readBody(ctx)).length)))
  const log = pino({ level: 'silent' })
  const server = await createHttpServer({ host: '127.0.0.1', port: 0, trustProxy: [], health: {}, log, handlers: { '/echo': echo } })
  onTestFinished(() => server[Symbol.asyncDispose]())
  return server
}

/** A client that sends all of its body but the last byte. */
function sendMost({ port }: HttpServer): Socket {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(`POST /echo HTTP/1.1\r\nhost: a\r\ncontent-length: ${megabyte}\r\n\r\n`)
  socket.write(Buffer.alloc(megabyte - 1, 'x'))
  onTestFinished(() => void socket.destroy())
  return socket
}

test('bodies that do not become complete hold at most 64 MB: those that began first are refused, others are read', async () => {
  const server = await startServer()
  const first = sendMost(server)
  const refusal = text(first)
  for (let sent = 0; sent < 80; sent += 1) sendMost(server)
  expect(await waitFor(() => refusal)).toMatch(/^HTTP\/1\.1 503 [^]*"reason":"OVERLOADED"/)
  const body = 'x'.repeat(megabyte)
  expect(await (await fetch(`${server.url}/echo`, { method: 'POST', body })).text()).toBe(String(megabyte))
  const last = sendMost(server)
  const answer = text(last)
  last.write('x')
  last.end()
  expect(await waitFor(() => answer)).toMatch(/^HTTP\/1\.1 200 [^]*1048576$/)
})

test('one alone may be larger, and a body that is complete leaves room', () => {
  const bodies = new IncompleteBodies(10)
  const given: string[] = []
  const [one, two, three] = ['one', 'two', 'three'].map((name) => ({ giveWay: () => void given.push(name) }))
  if (!one || !two || !three) throw new Error('no bodies')
  bodies.note(one, 20)
  expect(given).toEqual([])
  bodies.note(two, 1)
  expect(given).toEqual(['one'])
  bodies.note(two, 9)
  bodies.remove(two)
  bodies.note(three, 8)
  bodies.note(two, 2)
  expect(given).toEqual(['one'])
  bodies.note(two, 3)
  expect(given).toEqual(['one', 'three'])
})
