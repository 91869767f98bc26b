import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type TestApp, createTestApp } from '../harness/app.ts'
import { createTestClock } from '../harness/clock.ts'
import { freePort } from '../harness/free-port.ts'

/** The telephony test says only what it has found out; what it cannot find out is marked. */

const clock = createTestClock()
let app: TestApp
let token: string
let web: Server
let closedPort: number

beforeAll(async () => {
  web = createServer((_request, response) => response.end('A page'))
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
  closedPort = await freePort()
  // The operator has named these two: so they may be on this machine.
  const servers = [portOf(web), closedPort].map((port) => `ws://127.0.0.1:${port}`)
  app = await createTestApp({ clock, environment: { CONSOLE_SIP_SERVERS: [...servers, 'wss://no-such-host.invalid:444'].join(',') } })
  ;({ token } = await app.signIn('manager@demo.example'))
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  web.close()
})

function portOf(server: Server): number {
  return z.object({ port: z.int() }).parse(server.address()).port
}

const checkSchema = z.object({
  name: z.string(),
  ok: z.boolean(),
  unchecked: z.boolean(),
  found: z.string(),
  advice: z.string().nullable(),
})
const resultSchema = z.object({ ok: z.boolean(), checks: z.array(checkSchema) })

async function testsOf(document: object) {
  const { body } = await app.rest('POST', '/api/config/telephony/test', { token, body: document })
  const { checks } = resultSchema.parse(body)
  return (name: string) => checks.find((check) => check.name === `telephony.${name}`)
}

const testOf = async (name: string, document: object) => (await testsOf(document))(name)
/** Then the provider gives another report. In five minutes the service itself would ask for one. */
const nextReport = (): void => clock.advance(70_000)

const own = { domain: '127.0.0.1' }

test('a SIP server that does not exist fails, with the reason', async () => {
  expect(await testOf('sip', { sip: { domain: 'no-such-host.invalid', wsPort: 444 } })).toMatchObject({
    ok: false,
    found: expect.stringMatching(/No host of this name|cannot be resolved/) as unknown,
    advice: expect.stringContaining('sip.domain') as unknown,
  })
  expect(await testOf('sip', { sip: { ...own, wsPort: closedPort } })).toMatchObject({ ok: false, found: 'Nothing listens on this port' })
  expect(await testOf('sip', { sip: { ...own, wsPort: portOf(web) } })).toMatchObject({
    ok: false,
    found: expect.stringContaining('no web socket') as unknown,
  })
})

test('an address that the pages of the console may not open fails', async () => {
  const { port } = new URL(app.standIns.sip.url)
  expect(await testOf('sip', { sip: { ...own, wsPort: Number(port) } })).toMatchObject({
    ok: false,
    found: expect.stringContaining('CONSOLE_SIP_SERVERS') as unknown,
  })
})

test('without CONSOLE_SIP_SERVERS a private address is not connected to, and the test says so', async () => {
  await using other = await createTestApp({ environment: { CONSOLE_SIP_SERVERS: '' } })
  const manager = await other.signIn('manager@demo.example')
  const { body } = await other.rest('POST', '/api/config/telephony/test', {
    token: manager.token,
    body: { sip: { domain: '10.0.0.7' } },
  })
  expect(resultSchema.parse(body).checks.find(({ name }) => name === 'telephony.sip')).toMatchObject({
    ok: true,
    unchecked: true,
    found: expect.stringContaining('is not a public address') as unknown,
  })
})

test('a campaign and a number are found in the records of calls, or the test says that it could not check them', async () => {
  const { telephony } = app.standIns
  const invented = { campaignName: 'No_Such_Campaign', did: '+912200000000' }
  nextReport()
  expect(await testOf('campaign', invented)).toMatchObject({
    ok: true,
    unchecked: true,
    found: expect.stringContaining('no recent calls') as unknown,
  })
  telephony.inboundCall({ from: '+919812345670', agentId: 'agent1', talkSeconds: 4, ringSeconds: 2 })
  nextReport()
  const own = await testsOf({})
  expect(own('campaign')).toMatchObject({ ok: true, unchecked: false, found: expect.stringContaining('1 of 1 calls') as unknown })
  expect(own('number')).toMatchObject({ ok: true, unchecked: false })
  nextReport()
  expect(await testOf('campaign', invented)).toMatchObject({
    unchecked: true,
    found: expect.stringContaining('none of 1 recent calls had No_Such_Campaign') as unknown,
    advice: expect.stringContaining("provider's console") as unknown,
  })
  // The provider allows two reports a minute.
  await testOf('campaign', {})
  expect(await testOf('campaign', {})).toMatchObject({
    ok: true,
    unchecked: true,
    found: expect.stringMatching(/Test again in \d+ s/) as unknown,
  })
})
