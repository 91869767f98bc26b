import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../harness/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())

/** Sends the head of a request that announces a megabyte, and none of it. Returns the head of the answer. */
function announce(path: string, headers: readonly string[] = []): Promise<string> {
  const { port, hostname } = new URL(app.url)
  const socket = connect(Number(port), hostname)
  const lines = [`POST ${path} HTTP/1.1`, `host: ${hostname}`, 'content-type: application/json', 'content-length: 1000000', ...headers]
  return new Promise((resolve, reject) => {
    let text = ''
    socket.on('connect', () => void socket.write(`${lines.join('\r\n')}\r\n\r\n`))
    socket.on('data', (bytes) => void (text += bytes.toString()))
    socket.on('error', reject)
    socket.on('close', () => resolve(text))
  })
}

test.each(['/api/calls/dial', '/auth/logout', '/api/team/members'])(
  '%s without a token is refused before its body comes, and the connection ends',
  async (path) => {
    const answer = await announce(path)
    expect(answer).toMatch(/^HTTP\/1\.1 401 /)
    expect(answer).toContain('TOKEN_MISSING')
    expect(answer.toLowerCase()).toContain('connection: close')
  },
)

test('a token that cannot be one is refused before the body comes', async () => {
  expect(await announce('/api/calls/dial', ['authorization: Bearer not"a"token'])).toMatch(/^HTTP\/1\.1 401 /)
})

test('a small request without a token keeps its connection', async () => {
  const answer = await app.rest('POST', '/api/calls/dial', { body: { phoneNumber: 'anything', wrong: true } })
  expect(answer.status).toBe(401)
  expect(answer.headers.get('connection')).not.toBe('close')
})
