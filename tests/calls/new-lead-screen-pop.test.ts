import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { telephonyAccounts } from '../../src/sandbox/accounts.ts'
import { sandboxPassword } from '../../src/sandbox/platform/seed.ts'
import type { StandIns } from '../../src/sandbox/start.ts'
import { createTestApp, type TestApp, type TestSignIn } from '../harness/app.ts'
import { ask, startInstances } from '../harness/instances.ts'
import { realServer } from '../harness/real-server.ts'
import { startRedisServer } from '../harness/redis-server.ts'
import { subscribe } from '../harness/subscribe.ts'
import { overviewSchema } from '../harness/supervision.ts'
import { waitFor } from '../harness/wait-for.ts'
import { createChance, playCall } from '../prove/calls/traffic.ts'

let app: TestApp
let agent: TestSignIn
let manager: TestSignIn
beforeAll(async () => {
  app = await createTestApp({ receivesWebhooks: true })
  app.standIns.telephony.accountMode({ mode: 'token' })
  manager = await app.signIn('manager@demo.example')
  agent = await app.signIn('agent1@demo.example')
})
afterAll(() => app[Symbol.asyncDispose]())

const leadsWith = (standIns: StandIns, workspace: string, phoneNumber: string) =>
  standIns.platform.records(workspace, 'lead', { phones: { primaryPhoneNumber: { eq: phoneNumber.slice(3) } } })
const recordOf = (ucid: string, workspace = 'demo') => app.standIns.platform.records(workspace, 'call', { ucid: { eq: ucid } })[0]
const switchOn = (token: string) => app.rest('PUT', '/api/config/telephony', { token, body: { newLeads: { enabled: true } } })
const current = async () => shown.parse((await app.rest('GET', '/api/calls/current', { token: agent.token })).body)
const shown = z.object({
  match: z.string(),
  call: z.object({ ucid: z.string(), phase: z.string(), leadId: z.string().nullable() }).nullable(),
  lead: z.object({ id: z.string(), name: z.string() }).nullable(),
})

async function playToTheEnd(from: string, { account = telephonyAccounts.demo.userName, workspace = 'demo' } = {}): Promise<string> {
  const { ucid } = app.standIns.telephony.ring({ account, from, agentId: 'agent1' })
  app.standIns.telephony.answer({ ucid })
  app.standIns.telephony.hangUp({ ucid })
  await waitFor(() => recordOf(ucid, workspace)?.['status'] === 'COMPLETED')
  return ucid
}

test('creates no lead before an admin switches it on; an agent may not', async () => {
  const ucid = await playToTheEnd('+919812400001')
  expect(recordOf(ucid)).toMatchObject({ leadId: null })
  expect(leadsWith(app.standIns, 'demo', '+919812400001')).toEqual([])
  expect(await switchOn(agent.token)).toMatchObject({ status: 403 })
  expect(await switchOn(manager.token)).toMatchObject({ status: 200 })
})

test('shows the new lead in the screen pop, in the stream of calls, in the call record and to the manager', async () => {
  expect(await switchOn(manager.token)).toMatchObject({ status: 200 })
  const query = 'subscription { callEvents { call { ucid phase leadId } } }'
  const stream = await subscribe(app.url, { query, token: agent.token })
  const { ucid } = app.standIns.telephony.ring({ from: '+919812400002', agentId: 'agent1' })
  await waitFor(() => stream.text.includes(`"ucid":"${ucid}","phase":"RINGING","leadId":null`))
  expect(await current()).toMatchObject({ match: 'NONE', call: { ucid }, lead: null })
  app.standIns.telephony.answer({ ucid })
  const [, leadId] = await waitFor(() => new RegExp(`"ucid":"${ucid}","phase":"ANSWERED","leadId":"([^"]+)"`).exec(stream.text))
  stream.leave()
  const name = 'Unknown caller +91 98124 00002'
  expect(await current()).toMatchObject({ match: 'ONE', call: { ucid, leadId }, lead: { id: leadId, name } })
  app.standIns.telephony.hangUp({ ucid })
  await waitFor(() => recordOf(ucid)?.['status'] === 'COMPLETED' && recordOf(ucid)?.['leadId'] === leadId)
  expect(leadsWith(app.standIns, 'demo', '+919812400002')).toMatchObject([{ id: leadId, name, source: 'Inbound call' }])
  const { body } = await app.rest('GET', '/api/supervisor/overview', { token: manager.token })
  expect(overviewSchema.parse(body).unknownCallers).toMatchObject({ enabled: true, maxPerHour: 100, leftOutThisHour: 0 })
})

test('leaves workspaces alone that did not switch it on', async () => {
  expect(await switchOn(manager.token)).toMatchObject({ status: 200 })
  await playToTheEnd('+919812400003', { account: telephonyAccounts.acme.userName, workspace: 'acme' })
  await playToTheEnd('+919812400003')
  await waitFor(() => leadsWith(app.standIns, 'demo', '+919812400003').length === 1)
  expect(leadsWith(app.standIns, 'acme', '+919812400003')).toEqual([])
})

const redis = await realServer('redis')
describe.skipIf(redis === null)('two instances on one Redis', () => {
  test('create one lead for twenty calls from one number at once', async () => {
    await using server = await startRedisServer(redis?.binary ?? '')
    await using service = await startInstances({ count: 2, redisUrl: server.url })
    const { standIns, urls } = service
    standIns.telephony.accountMode({ mode: 'token' })
    const token = await signIn(urls[0] ?? '')
    const { body } = await ask(urls[0] ?? '', '/api/calls/callback-keys', { token, body: { provider: 'ozonetel' } })
    const { path } = z.object({ path: z.string() }).parse(body)
    const change = { newLeads: { enabled: true } }
    const response = await fetch(`${urls[0]}/api/config/telephony`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(change),
    })
    expect(response.status).toBe(200)
    // The other instance has read the configuration before.
    await waitFor(async () => (await overview(urls[1] ?? '', token)).unknownCallers.enabled)
    const beganAt = Math.floor(Date.now() / 1_000) * 1_000 - 400_000
    const calls = Array.from({ length: 20 }, (_, index) => playCall(index, createChance(index), { beganAt }))
    await Promise.all(
      calls.map(async ({ postings }, index) => {
        for (const { contentType, body: own } of postings) {
          const sent = own.replace(`0${7_000_000_000 + index}`, '09812400004')
          await fetch((urls[index % 2] ?? '') + path, { method: 'POST', headers: { 'content-type': contentType }, body: sent })
        }
      }),
    )
    const records = calls.map(
      ({ expected }) =>
        () =>
          standIns.platform.records('demo', 'call', { ucid: { eq: expected.ucid } })[0],
    )
    const [lead] = await waitFor(() => {
      const leads = leadsWith(standIns, 'demo', '+919812400004')
      return leads.length > 0 && records.every((record) => record()?.['leadId'] === leads[0]?.['id']) ? leads : null
    })
    expect(leadsWith(standIns, 'demo', '+919812400004')).toEqual([lead])
  })
})

async function signIn(url: string): Promise<string> {
  const { body } = await ask(url, '/auth/login', { body: { email: 'manager@demo.example', password: sandboxPassword, workspace: 'demo' } })
  return z.object({ tokens: z.object({ accessToken: z.object({ token: z.string() }) }) }).parse(body).tokens.accessToken.token
}

async function overview(url: string, token: string) {
  return overviewSchema.parse((await ask(url, '/api/supervisor/overview', { token })).body)
}
