import { once } from 'node:events'
import { connect } from 'node:net'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createHttpServer } from '../../src/server/http/http-server.ts'
import { createWebhookHandler } from '../../src/server/webhooks/handler.ts'
import { createCallsDesk } from '../harness/calls-desk.ts'
import { waitFor } from '../harness/wait-for.ts'

const path = '/hooks/telephony/ozonetel/a-secret-key-of-forty-characters-0123456'

test('the key in the path of a webhook does not get into the log, whatever becomes of the request', async () => {
  await using desk = await createCallsDesk()
  const lines: string[] = []
  const store = { ...desk.store, get: () => Promise.reject(new Error('broken')) }
  const start = (deadlineMs: number) =>
    createHttpServer({
      host: '127.0.0.1',
      port: 0,
      trustProxy: [],
      log: pino({}, { write: (line: string) => void lines.push(line) }),
      health: {},
      deadlineMs,
      handlers: { '/hooks/*': createWebhookHandler({ ports: { ...desk.callPorts, store } }) },
    })
  await using patient = await start(30_000)
  expect((await fetch(patient.url + path, { method: 'POST', body: '{}' })).status).toBe(500)
  await using impatient = await start(50)
  const late = connect(impatient.port, '127.0.0.1')
  await once(late, 'connect')
  late.write(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n`)
  await once(late, 'data')
  late.destroy()
  const written = await waitFor(() => lines.length === 4 && lines)
  for (const line of written) expect(line).toContain('"route":"/hooks/*"')
  expect(written.join('')).not.toContain('a-secret-key')
})
