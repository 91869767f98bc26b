import { request } from 'undici'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { telephonyAccounts } from '../../src/sandbox/accounts.ts'
import { startTelephony, type TelephonyStandIn } from '../../src/sandbox/telephony/telephony.ts'
import { createTestClock, type TestClock } from '../harness/clock.ts'
import { type Listener, startListener } from '../harness/listener.ts'
import { waitFor } from '../harness/wait-for.ts'

// The stand-in on its wire, as the vendor documents it: what an adapter must survive.
const { userName, apiKey, campaigns } = telephonyAccounts.demo
const did = campaigns[0].did.slice(1)
const text = (body: string): Record<string, unknown> => z.record(z.string(), z.unknown()).parse(JSON.parse(body))

let clock: TestClock
let provider: TelephonyStandIn
beforeEach(async () => {
  clock = createTestClock()
  provider = await startTelephony({ clock, endOfCallDelayMs: 300_000, callbackRetryDelaysMs: [1_000, 5_000] })
})
afterEach(() => provider[Symbol.asyncDispose]())

type Wire = { readonly method?: 'GET' | 'POST'; readonly headers?: Record<string, string>; readonly body?: Record<string, unknown> }
async function ask(
  path: string,
  { method = 'POST', headers = { apiKey }, body = {} }: Wire = {},
): Promise<{ status: number; body: string }> {
  const answer = await request(provider.url + path, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ userName, ...body }),
  })
  return { status: answer.statusCode, body: await answer.body.text() }
}
type Form = { readonly agentId?: string; readonly password?: string; readonly key?: string }
async function agentForm(
  action: string,
  { agentId = 'agent1', password = `demo-${agentId}-password`, key = apiKey }: Form = {},
): Promise<string> {
  const answer = await fetch(`${provider.url}/CAServices/AgentAuthenticationV2/index.php`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${agentId}:${password}`).toString('base64')}` },
    body: new URLSearchParams({ userName, apiKey: key, phoneNumber: '5231', action }),
  })
  return answer.text()
}
const changeState = (state: string, pauseReason?: string) =>
  ask('/ca_apis/changeAgentState', { body: { agentId: 'agent1', state, pauseReason } })
const dispose = (call: { ucid: string }, fields: Record<string, unknown> = {}) =>
  ask('/ca_apis/DispositionAPIV2', {
    body: { agentID: 'agent1', did, ucid: call.ucid, action: 'Set', disposition: 'Complaint', ...fields },
  })

describe('access', () => {
  test.each([
    [{}, 'Token Should Not be Null or Empty.'],
    [{ apiKey }, 'Token Should Not be Null or Empty.'],
    [{ authorization: 'Bearer nonsense' }, 'Invalid Token'],
  ])('in token mode refuses %o', async (headers, message) => {
    const answer = await ask('/ca_apis/changeAgentState', { headers })
    expect(answer).toMatchObject({ status: 401 })
    expect(text(answer.body)).toEqual({ status: 'false', message, data: null })
    provider.accountMode({ refusalStatus: 200 })
    expect(await ask('/ca_apis/changeAgentState', { headers })).toEqual({ ...answer, status: 200 })
  })

  test.each([
    [{}, {}, 'Api Key Should Not be Null or Empty.'],
    [{ apiKey: 'wrong' }, {}, 'Invalid User Details'],
    [{ apiKey }, { userName: 'nobody' }, 'Invalid User Details'],
    [{ apiKey }, { userName: '' }, 'Username Should Not be Null or Empty.'],
  ])('in key mode refuses %o %o', async (headers, body, message) => {
    provider.accountMode({ mode: 'apiKey' })
    expect(text((await ask('/ca_apis/changeAgentState', { headers, body })).body)).toMatchObject({ status: 'false', message })
  })

  test('a new token ends the one before it, a token ends by time, and ten are minted an hour', async () => {
    const mint = async (): Promise<string> =>
      z.object({ token: z.string() }).parse(JSON.parse((await ask('/ca_apis/CAToken/generateToken')).body)).token
    const messageWith = async (token: string): Promise<unknown> =>
      text((await ask('/ca_apis/abandonCalls', { method: 'GET', headers: { authorization: `Bearer ${token}` } })).body)['message']
    const [first, second] = [await mint(), await mint()]
    expect(await messageWith(first)).toBe('Invalid Token')
    expect(await messageWith(second)).toEqual([])
    clock.advance(30 * 60_000)
    expect(await messageWith(second)).toBe('Token Expired')
    for (let minted = 2; minted < 10; minted += 1) await mint()
    expect((await ask('/ca_apis/CAToken/generateToken')).status).toBe(429)
    clock.advance(31 * 60_000)
    await mint()
  })

  test('another verb is 405', async () => {
    expect((await ask('/ca_apis/abandonCalls')).status).toBe(405)
  })
})

describe('agents', () => {
  beforeEach(() => provider.accountMode({ mode: 'apiKey' }))

  test('sign in and out in the documented words', async () => {
    expect(text(await agentForm('login', { password: 'wrong' }))).toEqual({ status: 'error', message: 'Invalid Authentication' })
    expect(text(await agentForm('login', { key: 'wrong' }))).toEqual({ status: 'error', message: 'Invalid userName or apiKey' })
    expect(text(await agentForm('logout'))).toEqual({ status: 'error', message: 'Agent agent1 is not logged in' })
    expect(text(await agentForm('LOGIN'))).toEqual({ status: 'success', message: 'Agent agent1 logged in successfully' })
    expect(text(await agentForm('login'))).toEqual({ status: 'error', message: 'Agent has already logged in' })
    expect(text(await agentForm('login', { agentId: 'agent2' }))).toEqual({
      status: 'error',
      message: 'agent1 logged in with the number (5231)',
    })
    expect(text(await agentForm('logout'))).toEqual({ status: 'success', message: 'Agent agent1 logged out successfully' })
  })

  test('go from AUX to ready, into a call, into wrap-up and back', async () => {
    const status = () => provider.agent({ agentId: 'agent1' }).status
    expect(text((await changeState('Ready')).body)).toEqual({ status: 'error', message: 'Agent is not Logged In' })
    await agentForm('login')
    expect(status()).toBe('AUX')
    expect(provider.missCall({ from: '+919876543210' }).agentId).toBeNull()
    const ready = text((await changeState('Ready')).body)
    expect(text(z.string().parse(ready['message']))).toMatchObject({ agentStatus: 'READY' })
    const call = provider.ring({ from: '+919876543210' })
    expect([call.agentId, status()]).toEqual(['agent1', 'calling'])
    provider.answer(call)
    expect(status()).toBe('incall')
    expect(text((await changeState('Pause', 'Lunch')).body)).toEqual({
      status: 'error',
      Message: 'Agent agent1 is in BUSY state. You cant change to Pause state',
    })
    provider.hangUp(call)
    expect(status()).toBe('ACW')
    expect(text((await changeState('Pause', 'Lunch')).body)['Message']).toBe('Agent agent1 is in ACW state. You cant change to Pause state')
    expect(text((await changeState('Pause', 'Siesta')).body)).toEqual({ status: 'error', message: 'pauseReason is Invalid' })
    clock.advance(120_001)
    await waitFor(() => status() === 'IDLE')
    expect(provider.call(call).disposition).toBe('Wrap up time exceeded :120')
  })
})

describe('dispositions', () => {
  beforeEach(async () => {
    provider.accountMode({ mode: 'apiKey' })
    await agentForm('login')
    await changeState('Ready')
  })

  test('are queued in the call, saved after it, and refused when there is one', async () => {
    const call = provider.ring({ from: '+919876543210' })
    provider.answer(call)
    expect(text((await dispose(call)).body)).toEqual({ status: 'queued', message: 'Disposition Queued Successfully' })
    provider.hangUp(call)
    expect(text((await dispose(call)).body)).toEqual({ status: 'Fail', message: 'This call is already Disposed.' })
    const other = provider.inboundCall({ from: '+919876543210', agentId: 'agent1' })
    expect(text((await dispose(other, { autoRelease: 'true' })).body)).toEqual({
      status: 'Success',
      details: 'Disposition saved successfully',
    })
    expect(provider.agent({ agentId: 'agent1' }).status).toBe('IDLE')
  })

  test('are refused in the documented words', async () => {
    const call = provider.inboundCall({ from: '+919876543210' })
    const message = async (fields: Record<string, unknown>) => text((await dispose(call, fields)).body)['message']
    expect(await message({ agentID: 'agent9' })).toBe('Invalid agent')
    expect(await message({ disposition: '' })).toBe('Empty disposition code')
    expect(await message({ did: '911234567890' })).toBe(`Invalid ucid [${call.ucid}] or did [911234567890]`)
  })
})

test('a second call does not ring at an agent who has one', async () => {
  await agentForm('login')
  const call = provider.ring({ from: '+919876543210', agentId: 'agent1' })
  const second = () => provider.ring({ from: '+919876543211', agentId: 'agent1' })
  expect(second).toThrow('agent1 has a call')
  provider.answer(call)
  expect(second).toThrow('agent1 has a call')
  provider.hangUp(call)
  expect(second().agentId).toBe('agent1')
})

test('pausing a recording succeeds inside an error', async () => {
  provider.accountMode({ mode: 'apiKey' })
  const call = provider.ring({ from: '+919876543210', agentId: 'agent1' })
  provider.answer(call)
  const query = new URLSearchParams({ userName, apiKey, action: 'pause', ucid: call.ucid })
  const answer = text(await (await fetch(`${provider.url}/CAServices/Call/Record.php?${query}`)).text())
  expect(answer['status']).toBe('Error')
  expect(text(z.string().parse(answer['message']))).toMatchObject({ status: 'Success' })
  expect(provider.call(call).recording).toBe('paused')
})

describe('reports', () => {
  const day = { fromDate: '2025-01-15 00:00:00', toDate: '2025-01-15 23:59:59' }
  const cdr = (path = 'fetchCDRDetails', body: Record<string, unknown> = day) => ask(`/ca_reports/${path}`, { method: 'GET', body })
  beforeEach(() => provider.accountMode({ mode: 'apiKey' }))

  test('want a JSON body on a GET, and write identifiers as bare numbers', async () => {
    const { ucid } = provider.inboundCall({ from: '+919876543210', agentId: 'agent1' })
    const byQuery = await request(`${provider.url}/ca_reports/fetchCDRDetails?${new URLSearchParams({ userName, ...day })}`, {
      headers: { apiKey },
    })
    expect(await byQuery.body.json()).toMatchObject({ message: 'Invalid Json Pass Valid Json' })
    const { body } = await cdr()
    expect(body).toContain(`"UCID":${ucid}`)
    expect(text(body)).toMatchObject({ totalCount: 1 })
  })

  test('are given twice a minute, for one day of the last fifteen', async () => {
    expect((await cdr('fetchCDRDetails', { fromDate: '2025-01-14 00:00:00', toDate: day.toDate })).body).toContain('same day')
    expect((await cdr('fetchCDRDetails', { fromDate: '2024-12-30 00:00:00', toDate: '2024-12-30 23:00:00' })).body).toContain(
      'last 15 days',
    )
    expect((await cdr()).status).toBe(429)
    clock.advance(60_001)
    expect((await cdr()).status).toBe(200)
  })

  test('come in pages', async () => {
    for (let call = 0; call < 5; call += 1) provider.missCall({ from: '+919876543210' })
    const page = z.object({ details: z.array(z.unknown()), totalCount: z.number() })
    expect(page.parse(JSON.parse((await cdr('fetchCdrByPagination?pageNo=2&pageSize=3')).body))).toMatchObject({
      totalCount: 5,
      details: [{}, {}],
    })
  })

  test.each(['', '?pageNo=1', '?pageNo=1&pageSize=501', '?pageNo=0&pageSize=500', '?pageNo=x&pageSize=500'])(
    'come in no page %j',
    async (query) => {
      expect(text((await cdr(`fetchCdrByPagination${query}`)).body)).toMatchObject({ status: 'error' })
    },
  )
})

describe('callbacks', () => {
  let listener: Listener
  beforeEach(async () => {
    listener = await startListener()
    const { url } = listener
    provider.accountMode({ mode: 'apiKey', endOfCallUrl: `${url}/end` })
    const subscription = await fetch(`${provider.url}/events/subscribe`, {
      method: 'POST',
      headers: { api_key: apiKey, username: userName },
      body: JSON.stringify({ callEventsURL: `${url}/calls`, agentEventsURL: `${url}/agents` }),
    })
    if (!subscription.ok) throw new Error(await subscription.text())
    await agentForm('login')
    await changeState('Ready')
  })
  afterEach(() => listener[Symbol.asyncDispose]())
  type Received = { readonly path: string; readonly type: string; readonly body: string }
  const at = (path: string): readonly Received[] =>
    listener.received
      .filter((received) => received.path === path)
      .map(({ body, contentType }) => ({ path, type: contentType, body: body.toString() }))
  const endData = (callback: Received | undefined) => new URLSearchParams(callback?.body).get('data') ?? ''
  const actions = (path: string) =>
    at(path).map(({ body }) => z.object({ data: z.object({ action: z.string() }) }).parse(JSON.parse(body)).data.action)

  test('tell of a call and of its agent as it goes', async () => {
    const call = provider.ring({ from: '+919876543210' })
    provider.answer(call)
    provider.hangUp(call)
    await dispose(call, { autoRelease: 'true' })
    await waitFor(() => actions('/calls').length === 3 && actions('/agents').length === 8)
    expect(actions('/calls')).toEqual(['Calling', 'Answered', 'Disconnect'])
    expect(actions('/agents')).toEqual(['login', 'AUX', 'IDLE', 'calling', 'incall', 'ACW', 'release', 'IDLE'])
    expect(at('/calls')[0]?.body).toContain(`"monitor_ucid":${call.ucid}`)
    expect(at('/calls')[0]?.body).toContain('"caller_id":"09876543210"')
  })

  test('end a call minutes later, with its disposition, as form data with the key in clear', async () => {
    const call = provider.inboundCall({ from: '+919876543210', talkSeconds: 75 })
    await dispose(call)
    expect(at('/end')).toEqual([])
    clock.advance(300_001)
    await waitFor(() => at('/end').length === 1)
    expect(at('/end')[0]?.type).toBe('application/x-www-form-urlencoded')
    const data = endData(at('/end')[0])
    expect(data).toContain(`"monitorUCID":${call.ucid}`)
    expect(text(data)).toMatchObject({ Disposition: 'Complaint', Status: 'Answered', Duration: '00:01:15', Apikey: apiKey, UUI: 'None' })
  })

  test('come again until answered 2xx, in copies where the account has that habit, with Did in its spellings', async () => {
    provider.accountMode({ copies: 2 })
    listener.answerNext(500, 200, 200)
    for (let call = 0; call < 3; call += 1) provider.missCall({ from: '+919876543210' })
    provider.missCall({ from: '+919876543210' })
    clock.advance(300_001)
    await waitFor(() => at('/end').length >= 8)
    const spellings = new Set(at('/end').map((callback) => Object.keys(text(endData(callback))).find((key) => key.toLowerCase() === 'did')))
    expect(spellings).toEqual(new Set(['Did', 'DId', 'dId']))
    const failed = () => provider.callbacks().filter((callback) => !callback.done)
    expect(failed().length).toBeGreaterThan(0)
    clock.advance(1_001)
    await waitFor(() => failed().length === 0)
  })

  test('sent at once come again with a late disposition', async () => {
    provider.accountMode({ endOfCall: 'atOnce' })
    const call = provider.inboundCall({ from: '+919876543210' })
    await waitFor(() => at('/end').length === 1)
    expect(text(endData(at('/end')[0]))['Disposition']).toBe('None')
    await dispose(call)
    await waitFor(() => at('/end').length === 2)
    expect(text(endData(at('/end')[1]))).toMatchObject({ Disposition: 'Complaint', Status: 'Answered' })
  })
})

test('subscribing live events is refused with a wrong key, an unknown name, or without both addresses', async () => {
  const both = { callEventsURL: 'https://calls.example.com/a', agentEventsURL: 'https://calls.example.com/b' }
  const subscribe = async (headers: Record<string, string>, body: object): Promise<number> =>
    (await fetch(`${provider.url}/events/subscribe`, { method: 'POST', headers, body: JSON.stringify(body) })).status
  const own = { api_key: apiKey, username: userName }
  expect(await subscribe({ ...own, api_key: 'wrong' }, both)).toBe(401)
  expect(await subscribe({ ...own, username: 'nobody' }, both)).toBe(401)
  expect(await subscribe({ username: userName }, both)).toBe(401)
  for (const body of [{}, { callEventsURL: both.callEventsURL }, { ...both, agentEventsURL: 'no address' }]) {
    expect(await subscribe(own, body)).toBe(400)
  }
  expect(provider.liveEvents()).toEqual({ callEvents: null, agentEvents: null, subscriptions: 0 })
  expect(await subscribe(own, both)).toBe(200)
  expect(provider.liveEvents()).toMatchObject({ callEvents: both.callEventsURL, subscriptions: 1 })
})

test('commands are taken over the port too', async () => {
  const answer = await fetch(`${provider.url}/_sandbox/missCall`, { method: 'POST', body: JSON.stringify({ from: '+919876543210' }) })
  expect(await answer.json()).toMatchObject({ result: { agentId: null, did: campaigns[0].did } })
})
