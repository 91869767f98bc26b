import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { isoMoment } from '../../src/kernel/clock.ts'
import { createTestApp, type TestApp, type TestSignIn } from '../harness/app.ts'
import { inUsualTime } from '../harness/patient-settings.ts'
import { tokenWithoutSession } from '../harness/tokens-without-session.ts'
import { waitFor } from '../harness/wait-for.ts'

let app: TestApp
let agent: TestSignIn
let manager: TestSignIn
let key: string
beforeAll(async () => {
  app = await createTestApp({ receivesWebhooks: true })
  app.standIns.telephony.accountMode({ mode: 'token' })
  manager = await app.signIn('manager@demo.example')
  agent = await app.signIn('agent1@demo.example')
  key = await rotateKey('ozonetel')
})
afterAll(() => app[Symbol.asyncDispose]())

const keySchema = z.object({ path: z.string(), formerValidUntil: z.string().nullable() })

async function rotateKey(provider: string): Promise<string> {
  const { status, body } = await app.rest('POST', '/api/calls/callback-keys', { token: manager.token, body: { provider } })
  expect(status).toBe(200)
  return keySchema.parse(body).path
}

const lookupSchema = z.object({
  phoneNumber: z.string().nullable(),
  match: z.string(),
  call: z.object({ ucid: z.string(), phase: z.string(), providerAgentId: z.string().nullable() }).nullable(),
  lead: z.object({ name: z.string(), matchedBy: z.string().nullable() }).nullable(),
  openItems: z.array(z.object({ kind: z.string(), title: z.string() })),
  unavailable: z.array(z.string()),
  enrichment: z
    .object({
      available: z.boolean(),
      reason: z.string().nullable(),
      whoIsThis: z.string().nullable(),
      likelyReason: z.string().nullable(),
      suggestedOpening: z.string().nullable(),
    })
    .optional(),
})

async function lookup(body: unknown, { token = agent.token, query = '?enrich=false' } = {}) {
  const answer = await app.rest('POST', `/api/calls/lookup${query}`, { token, body })
  return { status: answer.status, found: lookupSchema.safeParse(answer.body).data, body: answer.body }
}

const recordOf = (ucid: string) => app.standIns.platform.records('demo', 'call', { ucid: { eq: ucid } })[0] ?? {}
const presence = (state: string, reason?: string) =>
  app.rest('PUT', '/api/agents/me/state', { token: agent.token, body: { state, ...(reason ? { reason } : {}) } })
const control = (ucid: string, body: unknown, token = agent.token) => app.rest('POST', `/api/calls/${ucid}/control`, { token, body })

test('follows an inbound call from screen pop to disposition, and writes one complete record on the platform', async () => {
  expect((await presence('READY')).body).toMatchObject({ state: 'READY' })
  const { ucid } = app.standIns.telephony.ring({ from: '+919812345670' })
  const screenPop = await waitFor(async () => {
    const { found } = await lookup({ ucid })
    return found?.call?.phase === 'RINGING' ? found : null
  })
  expect(screenPop).toMatchObject({
    phoneNumber: '+919812345670',
    match: 'ONE',
    lead: { name: 'Rahul Verma', matchedBy: 'PRIMARY_PHONE' },
  })
  expect(screenPop.openItems.map(({ title }) => title)).toContain('Call back Rahul Verma')
  expect((await control(ucid, { action: 'HOLD' })).status).toBe(409)
  app.standIns.telephony.answer({ ucid })
  await waitFor(async () => (await lookup({ ucid })).found?.call?.phase === 'ANSWERED')
  expect((await control(ucid, { action: 'HOLD' })).body).toMatchObject({ controls: { held: true } })
  expect(app.standIns.telephony.call({ ucid }).held).toBe(true)
  expect((await control(ucid, { action: 'UNHOLD' })).body).toMatchObject({ controls: { held: false } })
  const current = await app.rest('GET', '/api/calls/current', { token: agent.token })
  expect(lookupSchema.parse(current.body).call?.ucid).toBe(ucid)
  expect((await control(ucid, { action: 'HANG_UP' })).status).toBe(200)
  const disposition = {
    disposition: 'Information Given',
    notes: 'Asked about knees',
    callBackAt: isoMoment(Date.now() + 86_400_000),
    next: { state: 'READY' },
  }
  const disposed = await app.rest('POST', `/api/calls/${ucid}/disposition`, { token: agent.token, body: disposition })
  expect(disposed.body).toMatchObject({ ucid, disposition: 'Information Given' })
  const record = await waitFor(() => (JSON.stringify(recordOf(ucid)['recording'] ?? null).includes('http') ? recordOf(ucid) : null))
  expect(record).toMatchObject({
    direction: 'INBOUND',
    status: 'COMPLETED',
    phone: '+919812345670',
    disposition: 'Information Given',
    notes: 'Asked about knees',
    agentId: agent.agentId,
  })
  const lead = app.standIns.platform.records('demo', 'lead', { name: { eq: 'Rahul Verma' } })[0]
  expect(record['leadId']).toBe(lead?.['id'])
  expect(app.standIns.platform.records('demo', 'call', { ucid: { eq: ucid } }).length).toBe(1)
  await waitFor(async () => (await lookup({ phoneNumber: '9812345670' })).found?.openItems.some(({ kind }) => kind === 'CALL_BACK'))
  await waitFor(() => app.standIns.platform.records('demo', 'lead', { name: { eq: 'Rahul Verma' } })[0]?.['aiSummary'])
})

const missedSchema = z.array(z.object({ ucid: z.string(), phoneNumber: z.string().nullable(), calledBackAt: z.string().nullable() }))

test('lists a missed call as waiting until an outbound call reaches its number', async () => {
  const missed = async (query = '') => missedSchema.parse((await app.rest('GET', `/api/calls/missed${query}`, { token: agent.token })).body)
  await presence('NOT_READY', 'Lunch')
  const { ucid } = app.standIns.telephony.missCall({ from: '+919945012345' })
  await waitFor(async () => (await missed()).some((call) => call.ucid === ucid))
  await waitFor(() => recordOf(ucid)['status'] === 'MISSED')
  const body = { phoneNumber: '99450 12345', idempotencyKey: 'call-back-1' }
  const dialled = await Promise.all([1, 2, 3].map(() => app.rest('POST', '/api/calls/dial', { token: agent.token, body })))
  const ucids = new Set(dialled.map((answer) => z.object({ ucid: z.string() }).parse(answer.body).ucid))
  expect(ucids.size).toBe(1)
  const elsewhere = await app.rest('POST', '/api/calls/dial', { token: agent.token, body: { ...body, phoneNumber: '98765 43210' } })
  expect(elsewhere).toMatchObject({ status: 400, body: { data: { fields: [{ path: 'idempotencyKey' }] } } })
  // The path is that of the input as the client sent it.
  const input = { ...body, phoneNumber: '98765 43210' }
  const query = 'mutation ($input: DialInput!) { dial(input: $input) { ucid } }'
  const { errors } = await app.graphql(query, { token: agent.token, variables: { input } })
  expect(errors).toMatchObject([{ extensions: { data: { fields: [{ path: 'input.idempotencyKey' }] } } }])
  expect(errors?.[0]?.message).toMatch(/^input\.idempotencyKey: /)
  expect(app.standIns.telephony.calls('AgentManualDial').length).toBe(1)
  const [outbound = ''] = ucids
  expect(recordOf(outbound)).toMatchObject({ direction: 'OUTBOUND', phone: '+919945012345', agentId: agent.agentId })
  await waitFor(async () => (await missed('?waitingOnly=false')).find((call) => call.ucid === ucid)?.calledBackAt)
  expect((await missed()).map((call) => call.ucid)).not.toContain(ucid)
  await waitFor(() => recordOf(outbound)['status'] === 'COMPLETED')
  // It is the agent's current call without a look-up, for its disposition.
  const current = await app.rest('GET', '/api/calls/current', { token: agent.token })
  expect(lookupSchema.parse(current.body).call).toMatchObject({ ucid: outbound, phase: 'COMPLETED' })
  await app.rest('POST', `/api/calls/${outbound}/disposition`, {
    token: agent.token,
    body: { disposition: 'Information Given', next: { state: 'READY' } },
  })
})

test("refuses another agent's call everywhere, reports an unknown one as not found, and shows a manager all", async () => {
  const other = await app.signIn('agent2@demo.example')
  const { ucid } = app.standIns.telephony.ring({ from: '+919820098200', agentId: 'agent2' })
  app.standIns.telephony.answer({ ucid })
  await waitFor(async () => (await lookup({ ucid }, { token: other.token })).found?.call?.phase === 'ANSWERED')
  expect((await lookup({ ucid })).status).toBe(403)
  expect((await control(ucid, { action: 'HOLD' })).status).toBe(403)
  const disposition = { disposition: 'Information Given' }
  expect((await app.rest('POST', `/api/calls/${ucid}/disposition`, { token: agent.token, body: disposition })).status).toBe(403)
  expect((await lookup({ ucid }, { token: manager.token })).status).toBe(200)
  for (const answer of [await lookup({ ucid: '404404' }), await control('404404', { action: 'HOLD' })]) expect(answer.status).toBe(404)
  app.standIns.telephony.hangUp({ ucid })
})

test('enriches a look-up unless the request refuses it, and returns the look-up without it if the model is slow or unavailable', async () => {
  expect((await lookup({ phoneNumber: '9890123456' })).found?.enrichment).toBeUndefined()
  app.standIns.models.pace({ ms: 6_000 })
  {
    using _ = inUsualTime()
    const slow = await lookup({ phoneNumber: '9890123456' }, { query: '' })
    expect(slow.found?.enrichment).toMatchObject({ available: false, reason: 'The language model took longer than 4 seconds' })
  }
  app.standIns.models.pace({ ms: 0 })
  const good = await lookup({ phoneNumber: '9890123456' }, { query: '' })
  expect(good.found?.enrichment?.available).toBe(true)
  // Each says something else.
  expect(good.found?.enrichment?.whoIsThis).toMatch(/^Kavita Joshi, [\w ,]+\.$/)
  expect(good.found?.enrichment?.likelyReason).toMatch(/^Call with Kavita Joshi, [\w ,]+\.$/)
  expect(good.found?.enrichment?.suggestedOpening).toBe('Hello Kavita, how can I help you today?')
  const asked = app.standIns.models.calls().length
  await lookup({ phoneNumber: '9890123456' }, { query: '' })
  expect(app.standIns.models.calls().length).toBe(asked)
  const nobody = await lookup({ phoneNumber: '9000011111' }, { query: '' })
  expect(nobody.found?.enrichment).toMatchObject({ available: false, reason: 'Nobody is known by this number' })
})

test.each([
  ['neither number nor call', {}],
  ['both', { phoneNumber: '9890123456', ucid: '1' }],
  ['no number', { phoneNumber: 'nobody' }],
  ['another type', { phoneNumber: 12 }],
])('rejects a look-up with %s', async (_, body) => {
  expect((await lookup(body)).status).toBe(400)
})

test('refuses to dial an invalid number, without a session, and for a member who is not an agent', async () => {
  const dial = (token: string, phoneNumber: string) => app.rest('POST', '/api/calls/dial', { token, body: { phoneNumber } })
  expect((await dial(agent.token, '12')).status).toBe(400)
  expect((await dial((await app.signIn('user@demo.example')).token, '9890123456')).status).toBe(403)
  const without = await tokenWithoutSession({ url: app.url, workspaceUrl: app.standIns.platform.workspaceUrl }, 'agent3@demo.example')
  expect((await dial(without, '9890123456')).body).toMatchObject({ reason: 'SESSION_GONE' })
})

test('rejects a missing reason and states and reasons that the account does not have', async () => {
  expect((await presence('NOT_READY')).body).toMatchObject({ data: { fields: [{ path: 'reason' }] } })
  expect((await presence('NOT_READY', 'Bored')).status).toBe(400)
  expect((await presence('SLEEPING', 'Lunch')).status).toBe(400)
})

const post = (path: string, body: string, contentType = 'application/x-www-form-urlencoded') =>
  fetch(app.url + path, { method: 'POST', headers: { 'content-type': contentType }, body })

test('rejects bad webhooks with 4xx, never 5xx, and logs neither the key nor the account key', async () => {
  const form = (data: unknown) => new URLSearchParams({ data: JSON.stringify(data) }).toString()
  const end = { monitorUCID: '31337', StartTime: '2025-01-15 10:00:00', Status: 'Answered', Apikey: 'guessed' }
  const refusals: [number, Promise<Response>][] = [
    [404, post('/hooks/telephony/ozonetel/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', form(end))],
    [404, post('/hooks/telephony/other/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', form(end))],
    [404, post('/hooks/x', form(end))],
    [401, post(key, form(end))],
    [401, post(key, form({ ...end, Apikey: undefined }))],
    [400, post(key, 'other=1')],
    [400, post(key, 'data={')],
    [400, post(key, '')],
    [400, post(key, '{"eventType":', 'application/json')],
    [400, post(key, '[]', 'application/json')],
    [401, post(key, JSON.stringify({ eventType: 'Call', username: 'somebody-else', data: {} }), 'application/json')],
    [413, post(key, `data=${'x'.repeat(5_000_000)}`)],
  ]
  for (const [status, answer] of refusals) expect((await answer).status).toBe(status)
  expect((await fetch(app.url + key)).status).toBe(405)
  expect(recordOf('31337')).toEqual({})
  const log = app.logged.join('\n')
  expect(log).not.toContain(key.split('/').at(-1))
  expect(log).not.toContain('guessed')
  expect(log).not.toContain('demo-telephony-key')
})

test('accepts the new key at once and the former one for a day, and lets only managers rotate keys', async () => {
  const live = JSON.stringify({ eventType: 'Other', username: 'demo-account', data: {} })
  const former = await rotateKey('exotel')
  const current = await rotateKey('exotel')
  const old = await rotateKey('ozonetel')
  for (const path of [key, old]) expect((await post(path, live, 'application/json')).status).toBe(200)
  expect(former).not.toBe(current)
  expect((await app.rest('POST', '/api/calls/callback-keys', { token: agent.token, body: { provider: 'ozonetel' } })).status).toBe(403)
  expect((await app.rest('POST', '/api/calls/callback-keys', { token: manager.token, body: { provider: 'nobody' } })).status).toBe(400)
  const listed = await app.rest('GET', '/api/calls/callback-keys', { token: manager.token })
  expect(JSON.stringify(listed.body)).not.toContain(old.split('/').at(-1))
  expect(
    z
      .array(z.object({ provider: z.string() }))
      .parse(listed.body)
      .map(({ provider }) => provider),
  ).toEqual(['ozonetel', 'exotel'])
})

test('describes the events as AsyncAPI', async () => {
  const { status, body } = await app.rest('GET', '/asyncapi.json')
  expect(status).toBe(200)
  expect(body).toMatchObject({
    asyncapi: '3.1.0',
    channels: { CallCompleted: { address: 'call.completed' }, CallMissed: {}, AgentState: {} },
  })
})
