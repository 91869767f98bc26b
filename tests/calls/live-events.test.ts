import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { subscribeLiveEvents } from '../../src/features/calls/live-events/subscribe-live-events.ts'
import { createPublicAddress } from '../../src/kernel/public-address.ts'
import { telephonyAccounts } from '../../src/sandbox/accounts.ts'
import { createTestApp, type TestApp, type TestSignIn } from '../harness/app.ts'
import { ownPublicUrl } from '../harness/connect-telephony.ts'
import { createCallsDesk } from '../harness/calls-desk.ts'
import type { TestClock } from '../harness/clock.ts'
import { waitFor } from '../harness/wait-for.ts'

const operation = 'POST /events/subscribe'
const minute = 60_000
const day = 24 * 60 * minute

/** Goes on, and can be moved ahead. */
let clock: TestClock
let app: TestApp
let manager: TestSignIn
beforeEach(async () => {
  let aheadMs = 0
  clock = { now: () => Date.now() + aheadMs, advance: (ms) => void (aheadMs += ms) }
  app = await createTestApp({ clock, environment: ownPublicUrl })
  manager = await app.signIn('manager@demo.example')
  await waitFor(() => urlOf('demo') !== null && urlOf('acme') !== null)
})
afterEach(() => app[Symbol.asyncDispose]())

const urlOf = (workspace: 'demo' | 'acme') =>
  app.standIns.telephony.liveEvents({ account: telephonyAccounts[workspace].userName }).callEvents
const requests = () => app.standIns.telephony.calls(operation)
const viewSchema = z.object({
  status: z.string(),
  subscribedAt: z.string().nullable(),
  lastEventAt: z.string().nullable(),
  problem: z.string().nullable(),
  nextTryAt: z.string().nullable(),
})
const liveEvents = async (token = manager.token) => viewSchema.parse((await app.rest('GET', '/api/calls/live-events', { token })).body)
const checkSchema = z.object({ name: z.string(), ok: z.boolean(), found: z.string(), advice: z.string().nullable() })
async function check(body: object = {}) {
  const tested = await app.rest('POST', '/api/config/telephony/test', { token: manager.token, body })
  return z
    .object({ checks: z.array(checkSchema) })
    .parse(tested.body)
    .checks.find(({ name }) => name === 'telephony.liveEvents')
}
const healthSchema = z.object({ parts: z.object({ liveEvents: z.object({ state: z.string(), reason: z.string().optional() }) }) })
const health = async () => healthSchema.parse((await app.rest('GET', '/health')).body).parts.liveEvents
const save = (provider: object, token = manager.token) => app.rest('PUT', '/api/config/telephony', { token, body: { provider } })
const post = (url: string | null, body: object) =>
  fetch(url ?? '', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
const agentEvent = {
  eventType: 'Agent',
  eventTime: '2026-01-15 10:00:00',
  username: telephonyAccounts.demo.userName,
  data: { action: 'login', agentId: 'agent1' },
}

test('subscribes each account once at the start; the connection test shows it, and when the last event came', async () => {
  const seen = requests().map(({ headers, body }) => ({
    key: headers['api_key'],
    name: headers['username'],
    body: body.includes(app.url),
  }))
  expect(seen.toSorted((a, b) => String(a.name).localeCompare(String(b.name)))).toEqual([
    { key: telephonyAccounts.acme.apiKey, name: telephonyAccounts.acme.userName, body: true },
    { key: telephonyAccounts.demo.apiKey, name: telephonyAccounts.demo.userName, body: true },
  ])
  await waitFor(async () => (await liveEvents()).status === 'SUBSCRIBED')
  expect(await liveEvents()).toMatchObject({ lastEventAt: null, problem: null, nextTryAt: null })
  expect(await check()).toMatchObject({ ok: true, advice: expect.stringContaining('Sign an agent in') as unknown })
  const agent = await app.signIn('agent1@demo.example')
  const { lastEventAt } = await waitFor(async () => {
    const view = await liveEvents()
    return view.lastEventAt !== null && view
  })
  expect(await check()).toMatchObject({
    ok: true,
    found: expect.stringMatching(/Subscribed at .+The last event came at /) as unknown,
    advice: null,
  })
  expect(Date.parse(lastEventAt ?? '')).toBeLessThanOrEqual(clock.now())
  expect((await app.rest('GET', '/api/calls/live-events', { token: agent.token })).status).toBe(403)
  expect(requests()).toHaveLength(2)
  expect(app.logged.join('\n')).not.toContain(urlOf('demo')?.split('/').at(-1))
})

test('subscribes again after a quarter of an hour with the same address, if the provider has forgotten it', async () => {
  const before = urlOf('demo')
  clock.advance(15 * minute)
  await waitFor(() => requests().length === 4)
  expect(urlOf('demo')).toBe(before)
})

test('a new webhook key gives a new address; the one before is valid for another day', async () => {
  const before = urlOf('demo')
  await app.rest('POST', '/api/calls/callback-keys', { token: manager.token, body: { provider: 'ozonetel' } })
  clock.advance(5_000)
  await waitFor(() => urlOf('demo') !== before)
  await waitFor(async () => (await liveEvents()).status === 'SUBSCRIBED')
  for (const url of [before, urlOf('demo')]) expect((await post(url, agentEvent)).status).toBe(200)
  clock.advance(day + minute)
  expect((await post(before, agentEvent)).status).toBe(404)
  expect((await post(urlOf('demo'), agentEvent)).status).toBe(200)
})

test('after an outage it subscribes by itself; until then it shows the failure and waits longer each time', async () => {
  const { telephony } = app.standIns
  telephony.fault({ operation, act: 'refuse', status: 503 })
  await app.rest('POST', '/api/calls/callback-keys', { token: manager.token, body: { provider: 'ozonetel' } })
  clock.advance(5_000)
  const failureAfter = (moment: number) =>
    waitFor(async () => {
      const { status, problem, nextTryAt } = await liveEvents()
      const nextTry = Date.parse(nextTryAt ?? '')
      return status === 'FAILED' && nextTry > moment && { problem, pauseMs: nextTry - clock.now(), nextTry }
    })
  const first = await failureAfter(0)
  expect(first.problem).toMatch(/does not take subscriptions at the moment \(status 503\)/)
  expect(first.pauseMs).toBeLessThanOrEqual(5_000)
  clock.advance(5_000)
  const second = await failureAfter(first.nextTry)
  expect(second.pauseMs).toBeGreaterThan(5_000)
  expect(await check()).toMatchObject({ ok: false, found: expect.stringContaining('The subscription failed') as unknown })
  expect(app.logged.join('')).toContain('live-events.not-subscribed')
  telephony.clearFaults()
  await waitFor(async () => {
    const { status, nextTryAt } = await liveEvents()
    if (nextTryAt !== null) clock.advance(Math.max(0, Date.parse(nextTryAt) - clock.now()))
    return status === 'SUBSCRIBED'
  })
  expect(await check()).toMatchObject({ ok: true })
})

test('a lost answer does no harm: the next try gives the same address', async () => {
  const before = urlOf('demo')
  app.standIns.telephony.fault({ operation, act: 'cutAfter' })
  clock.advance(15 * minute)
  await waitFor(async () => (await liveEvents()).status === 'FAILED')
  app.standIns.telephony.clearFaults()
  clock.advance(minute)
  await waitFor(async () => (await liveEvents()).status === 'SUBSCRIBED')
  expect(urlOf('demo')).toBe(before)
})

test('a wrong key is shown, in /health too, and the corrected one is subscribed at once', async () => {
  clock.advance(5_000)
  expect((await save({ apiKey: 'wrong' })).status).toBe(200)
  const { problem } = await waitFor(async () => {
    const view = await liveEvents()
    return view.status === 'FAILED' && view
  })
  expect(problem).toMatch(/refuses the account/)
  const shown = await waitFor(async () => {
    const part = await health()
    return part.state === 'degraded' && part
  })
  expect(shown.reason).toMatch(/^demo gets no live events of calls: .*refuses the account/)
  clock.advance(5_000)
  expect((await save({ apiKey: telephonyAccounts.demo.apiKey })).status).toBe(200)
  await waitFor(async () => (await liveEvents()).status === 'SUBSCRIBED')
})

test('an account serves one workspace; another workspace that names it gets a message, and the account when it is free', async () => {
  const { userName: account, apiKey } = telephonyAccounts.demo
  const other = await app.signIn('manager@acme.example')
  const before = urlOf('demo')
  clock.advance(5_000)
  expect((await save({ account, apiKey }, other.token)).status).toBe(200)
  const { problem } = await waitFor(async () => {
    const view = await liveEvents(other.token)
    return view.status === 'FAILED' && view
  })
  expect(problem).toMatch(/Another workspace/)
  expect(urlOf('demo')).toBe(before)
  expect((await app.rest('PUT', '/api/config/telephony', { token: manager.token, body: { provider: null } })).status).toBe(200)
  expect(await liveEvents()).toMatchObject({ status: 'NOT_CONFIGURED' })
  clock.advance(minute)
  await waitFor(async () => (await liveEvents(other.token)).status === 'SUBSCRIBED')
  expect(urlOf('demo')).not.toBe(before)
})

test('values that are not saved change nothing', async () => {
  const count = requests().length
  const { apiKey, userName: account } = telephonyAccounts.acme
  expect(await check({ provider: { account, apiKey } })).toMatchObject({
    ok: true,
    found: expect.stringContaining('as soon as') as unknown,
  })
  expect(requests()).toHaveLength(count)
})

test('a restart does not subscribe again without need', async () => {
  await using desk = await createCallsDesk()
  const subscribed = () => desk.standIns.telephony.calls(operation).length
  const instance = { ...desk.callPorts, publicAddress: createPublicAddress('https://calls.example.com') }
  await subscribeLiveEvents(instance, desk.workspaceId)
  await subscribeLiveEvents({ ...instance }, desk.workspaceId)
  await Promise.all([1, 2, 3].map(() => subscribeLiveEvents({ ...instance }, desk.workspaceId, true)))
  expect(subscribed()).toBe(1)
  expect(desk.standIns.telephony.liveEvents().callEvents).toMatch(/^https:\/\/calls\.example\.com\/hooks\/telephony\/ozonetel\//)
})

test('a provider without live events gets no request', async () => {
  await using desk = await createCallsDesk()
  const telephonyOf = async (workspaceId: string) => ({ ...(await desk.telephonyOf(workspaceId)), capabilities: new Set<never>() })
  const publicAddress = createPublicAddress('https://calls.example.com')
  await subscribeLiveEvents({ ...desk.callPorts, telephonyOf, publicAddress }, desk.workspaceId)
  expect(desk.standIns.telephony.calls(operation)).toEqual([])
})

test('without a public address the log and the connection test say so', async () => {
  await using hidden = await createTestApp()
  const { token } = await hidden.signIn('manager@demo.example')
  const { body } = await hidden.rest('POST', '/api/config/telephony/test', { token, body: {} })
  expect(body).toMatchObject({ ok: false })
  expect(JSON.stringify(body)).toContain('Set PUBLIC_URL')
  expect(hidden.logged.join('')).toContain('live-events.no-public-address')
  expect(hidden.standIns.telephony.calls(operation)).toEqual([])
})
