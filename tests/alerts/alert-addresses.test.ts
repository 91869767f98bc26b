import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { alertSecret } from '../../src/sandbox/alerts/alert-receiver.ts'
import { createTestApp, type RestAnswer, type TestApp } from '../harness/app.ts'
import { attackAddresses } from '../harness/attack-addresses.ts'
import { type MediaServer, startMedia } from '../harness/recordings.ts'

/** A manager wants the service to send to a private address: by a name whose address changes, or by a receiver that redirects. */

let app: TestApp
let canary: MediaServer
let receiver: MediaServer
let token: string
const requested: string[] = []

beforeAll(async () => {
  canary = await startMedia((_request, response) => response.writeHead(204).end(), '::')
  receiver = await startMedia((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://receiver')
    requested.push(pathname)
    const status = Number(pathname.slice(1))
    if (status >= 300) return void response.writeHead(status, { location: searchParams.get('to') ?? '/204' }).end()
    response.writeHead(status).end()
  })
  const { resolve } = attackAddresses(canary.port, receiver.url)
  const environment = { ALERT_WEBHOOK_URL: `${receiver.url}/204`, ALERT_WEBHOOK_SECRET: alertSecret }
  app = await createTestApp({ environment, resolveHost: resolve })
  token = (await app.signIn('manager@demo.example')).token
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
  await canary[Symbol.asyncDispose]()
})

const save = (url: string): Promise<RestAnswer> =>
  app.rest('PUT', '/api/config/alerts', { token, body: { webhook: { url, secret: alertSecret } } })
const checksSchema = z.looseObject({ checks: z.array(z.looseObject({ ok: z.boolean(), found: z.string() })) })
async function sendTest(): Promise<{ ok: boolean; found: string }> {
  const { body } = await app.rest('POST', '/api/config/alerts/test', { token, body: {} })
  const [check] = checksSchema.parse(body).checks
  return { ok: check?.ok ?? false, found: check?.found ?? '' }
}

test('a name that is public when it is saved, and private when it is connected to, is not connected to', async () => {
  const url = `http://rebind-1.attack.example:${canary.port}/alerts`
  expect(await save(url)).toMatchObject({ status: 200 })
  expect(await sendTest()).toEqual({ ok: false, found: 'rebind-1.attack.example is not a public address' })
  expect(canary.connections()).toBe(0)
})

test.each(['loopback', 'mapped', 'metadata', 'mixed', 'mixed6', 'nat64'])(
  'a name that is private when it is saved (%s) is refused',
  async (name) => {
    const { status, body } = await save(`http://${name}.attack.example:${canary.port}/alerts`)
    expect({ status, body }).toMatchObject({ status: 400, body: { data: { fields: [{ path: 'webhook.url' }] } } })
    expect(canary.connections()).toBe(0)
  },
)

test.each([301, 302, 303, 307, 308])(
  'a receiver that redirects with status %i has not accepted, and nobody else is asked',
  async (status) => {
    for (const to of [`http://127.0.0.1:${canary.port}/alerts`, `http://rebind-2.attack.example:${canary.port}/`, '/204']) {
      requested.length = 0
      expect(await save(`${receiver.url}/${status}?to=${encodeURIComponent(to)}`)).toMatchObject({ status: 200 })
      expect(await sendTest()).toEqual({ ok: false, found: `The receiver of alerts answered with status ${status}` })
      expect(requested).toEqual([`/${status}`])
    }
    expect(canary.connections()).toBe(0)
  },
)

test('the receiver and the canary answer when they are asked', async () => {
  expect(await save(`${receiver.url}/204`)).toMatchObject({ status: 200 })
  expect(await sendTest()).toEqual({ ok: true, found: 'It was accepted' })
  expect((await fetch(`http://127.0.0.1:${canary.port}/`)).status).toBe(204)
  expect(canary.connections()).toBe(1)
})
