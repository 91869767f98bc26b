import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { createLog } from '../../src/kernel/log.ts'
import { createHttpServer } from '../../src/server/http/http-server.ts'
import { problemHandler } from '../../src/server/http/routes.ts'

/** `/partly` sends half of its answer, `/waits` nothing. */
async function open() {
  const waiting = Promise.withResolvers<void>()
  const server = await createHttpServer({
    host: '127.0.0.1',
    port: 0,
    trustProxy: ['loopback'],
    handlers: {
      '/partly': problemHandler(({ response }) => {
        response.writeHead(200, { 'content-length': 1_000 })
        response.write('half')
      }),
      '/waits': problemHandler(() => waiting.resolve()),
    },
    health: {},
    log: createLog('silent'),
  })
  const socket = connect(server.port, '127.0.0.1')
  await once(socket, 'connect')
  return { server, socket, isWaiting: waiting.promise, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

test('what is no request is answered with 400', async () => {
  await using opened = await open()
  opened.socket.write('NONSENSE\r\n\r\n')
  expect(await text(opened.socket)).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/)
})

test('a body that is no body is answered with 400', async () => {
  await using opened = await open()
  opened.socket.write('POST /waits HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n')
  await opened.isWaiting
  opened.socket.write('NONSENSE\r\n\r\n')
  expect(await text(opened.socket)).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/)
})

test('what is no request behind one that is being answered puts nothing into that answer', async () => {
  await using opened = await open()
  opened.socket.write('GET /partly HTTP/1.1\r\nhost: a\r\n\r\n')
  const bytes: readonly unknown[] = await once(opened.socket, 'data')
  opened.socket.write('NONSENSE\r\n\r\n')
  const answer = String(bytes[0]) + (await text(opened.socket).catch(() => ''))
  expect(answer).toMatch(/^HTTP\/1.1 200 OK\r\n/)
  expect(answer).not.toContain('400 Bad Request')
})

test('what is no request behind one that has no answer yet is not taken for that answer', async () => {
  await using opened = await open()
  opened.socket.write('GET /waits HTTP/1.1\r\nhost: a\r\n\r\n')
  await opened.isWaiting
  opened.socket.write('NONSENSE\r\n\r\n')
  expect(await text(opened.socket).catch(() => '')).toBe('')
})
