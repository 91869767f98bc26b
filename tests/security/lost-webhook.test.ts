import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { createTestApp, type TestApp } from '../harness/app.ts'
import { createRunningClock, type TestClock } from '../harness/clock.ts'
import { waitFor } from '../harness/wait-for.ts'

/** The webhook with the end of a call is lost: the agent is free again as soon as the provider says anything about it. */

const minute = 60_000
const noRecords = { operation: 'fetchCdrByPagination', act: 'refuse', status: 503 } as const
const noMissedCalls = { operation: 'abandonCalls', act: 'refuse', status: 503 } as const

let clock: TestClock
let app: TestApp
let token: string
beforeEach(async () => {
  clock = createRunningClock()
  app = await createTestApp({ clock, receivesWebhooks: true })
  token = (await app.signIn('agent1@demo.example')).token
})
afterEach(() => app[Symbol.asyncDispose]())

const callSchema = z.object({ ucid: z.string(), phase: z.string(), endedAt: z.string().nullable() })
async function callOf(ucid: string, by = token) {
  const { body } = await app.rest('POST', '/api/calls/lookup', { token: by, body: { ucid } })
  return z.object({ call: callSchema }).parse(body).call
}
const phaseIs = (ucid: string, phase: string, by = token) => waitFor(async () => (await callOf(ucid, by)).phase === phase)
const act = (ucid: string, action: string) => app.rest('POST', `/api/calls/${ucid}/control`, { token, body: { action } })
const dispose = (ucid: string) =>
  app.rest('POST', `/api/calls/${ucid}/disposition`, { token, body: { disposition: 'Information Given', next: { state: 'READY' } } })
const dial = () => app.rest('POST', '/api/calls/dial', { token, body: { phoneNumber: '98765 43210' } })
const onACall = { status: 409, body: { detail: 'The agent is on a call: end it first' } }
const recordOf = (ucid: string) => app.standIns.platform.records('demo', 'call', { ucid: { eq: ucid } })[0] ?? {}
const liveCalls = async () => {
  const { token: manager } = await app.signIn('manager@demo.example')
  return JSON.stringify((await app.rest('GET', '/api/supervisor/overview', { token: manager })).body)
}
const pages = (text: string) => app.standIns.telephony.calls('fetchCdrByPagination').filter(({ body }) => body.includes(text))

/** A call that the agent has answered. */
async function answered(): Promise<string> {
  await waitFor(async () => (await app.rest('PUT', '/api/agents/me/state', { token, body: { state: 'READY' } })).status === 200)
  const { ucid } = app.standIns.telephony.ring({ from: '+919812345670', agentId: 'agent1' })
  await phaseIs(ucid, 'RINGING')
  app.standIns.telephony.answer({ ucid })
  await phaseIs(ucid, 'ANSWERED')
  return ucid
}

/** Its end reaches nobody. `late`: until the delivery works again. */
async function lostEnd(delivery: 'lost' | 'late' = 'lost'): Promise<string> {
  const ucid = await answered()
  app.standIns.telephony.accountMode({ delivery })
  clock.advance(90_000)
  app.standIns.telephony.hangUp({ ucid })
  return ucid
}

test('a call that the provider no longer knows ends with the first action on it', async () => {
  const { telephony } = app.standIns
  telephony.fault(noRecords)
  telephony.fault(noMissedCalls)
  const ucid = await lostEnd('late')
  const trueEnd = new Date(Math.floor((telephony.call({ ucid }).endedAt ?? 0) / 1_000) * 1_000).toISOString()
  clock.advance(minute)
  expect(await act(ucid, 'HOLD')).toMatchObject({ status: 404 })
  expect(await callOf(ucid)).toMatchObject({ phase: 'COMPLETED' })
  expect(await act(ucid, 'HOLD')).toMatchObject({ status: 409, body: { detail: 'The call has ended' } })
  expect(await dispose(ucid)).toMatchObject({ status: 200, body: { outcome: 'SAVED' } })
  expect(await dial()).toMatchObject({ status: 409, body: { detail: 'The agent is in wrap-up: set the state to READY first' } })
  expect(await app.rest('PUT', '/api/agents/me/state', { token, body: { state: 'READY' } })).toMatchObject({ status: 200 })
  const next = z.object({ ucid: z.string() }).parse((await dial()).body)
  // The webhooks arrive after all: the end is exact, and nothing happens twice.
  telephony.accountMode({ delivery: 'works' })
  await waitFor(async () => (await callOf(ucid)).endedAt === trueEnd)
  expect(await callOf(next.ucid)).toMatchObject({ phase: 'RINGING' })
  await waitFor(() => (clock.advance(250), recordOf(ucid)['endedAt'] === trueEnd))
  expect(recordOf(ucid)).toMatchObject({ status: 'COMPLETED', disposition: 'Information Given' })
  expect(JSON.stringify(await app.rest('GET', '/api/calls/missed?first=50', { token }))).not.toContain(ucid)
})

test('a recording pause and a disposition of an unknown call end it too', async () => {
  const { telephony } = app.standIns
  telephony.fault(noRecords)
  telephony.fault(noMissedCalls)
  const first = await lostEnd()
  clock.advance(minute)
  expect(await act(first, 'PAUSE_RECORDING')).toMatchObject({ status: 404 })
  expect(await callOf(first)).toMatchObject({ phase: 'COMPLETED' })
  expect(await dispose(first)).toMatchObject({ status: 200 })
  // The end of the wrap-up is lost too.
  clock.advance(minute)
  const { ucid: dialled } = z.object({ ucid: z.string() }).parse((await dial()).body)
  telephony.accountMode({ delivery: 'works' })
  telephony.hangUp({ ucid: dialled })
  const second = await lostEnd()
  const body = JSON.stringify({ status: 'Fail', message: `Invalid ucid [${second}] or did [9]` })
  telephony.fault({ operation: 'DispositionAPIV2', act: 'refuse', status: 200, body, times: 1 })
  expect(await dispose(second)).toMatchObject({ status: 404 })
  expect(await callOf(second)).toMatchObject({ phase: 'COMPLETED' })
})

test('an unknown agent, a provider that is down and a call that has just begun end nothing', async () => {
  const { telephony } = app.standIns
  const ucid = await answered()
  const notFound = JSON.stringify({ status: 'Error', message: 'Call not Found' })
  telephony.fault({ operation: 'CallControl_V4', act: 'refuse', status: 200, body: notFound, times: 1 })
  expect(await act(ucid, 'HOLD')).toMatchObject({ status: 404 })
  expect(await callOf(ucid)).toMatchObject({ phase: 'ANSWERED' })
  expect(await act(ucid, 'HOLD')).toMatchObject({ status: 200 })
  clock.advance(3 * minute)
  telephony.fault({ operation: 'CallControl_V4', act: 'refuse', status: 503, times: 1 })
  expect(await act(ucid, 'UNHOLD')).toMatchObject({ status: 503 })
  telephony.fault({ operation: 'CallControl_V4', act: 'cutAfter', times: 1 })
  expect((await act(ucid, 'UNHOLD')).status).toBeGreaterThan(500)
  const invalidAgent = JSON.stringify({ status: 'Fail', message: 'Invalid agent' })
  telephony.fault({ operation: 'DispositionAPIV2', act: 'refuse', status: 200, body: invalidAgent, times: 1 })
  expect(await dispose(ucid)).toMatchObject({ status: 409 })
  expect(await callOf(ucid)).toMatchObject({ phase: 'ANSWERED' })
})

test('the provider decides whether an agent can dial whose call may be over', async () => {
  const { telephony } = app.standIns
  telephony.fault(noRecords)
  telephony.fault(noMissedCalls)
  const ucid = await answered()
  expect(await dial()).toMatchObject(onACall)
  clock.advance(3 * minute)
  // In truth it goes on.
  expect(await dial()).toMatchObject({ status: 409, body: { detail: expect.stringContaining('not available') as unknown } })
  expect(await callOf(ucid)).toMatchObject({ phase: 'ANSWERED' })
  telephony.accountMode({ delivery: 'lost' })
  telephony.hangUp({ ucid })
  expect(await dispose(ucid)).toMatchObject({ status: 200 })
  const { ucid: next } = z.object({ ucid: z.string() }).parse((await dial()).body)
  expect(await callOf(ucid)).toMatchObject({ phase: 'COMPLETED' })
  expect(await callOf(next)).toMatchObject({ phase: 'RINGING' })
  expect(z.object({ call: callSchema }).parse((await app.rest('GET', '/api/calls/current', { token })).body).call.ucid).toBe(next)
})

test('when one agent asks, one report frees all whose calls have ended, and nobody in another workspace', async () => {
  const { telephony } = app.standIns
  const ucid = await answered()
  const others = ['agent2', 'agent3'].map((agentId) => telephony.ring({ from: '+919945012345', agentId }).ucid)
  const { token: acme } = await app.signIn('manager@acme.example')
  const theirs = telephony.ring({ account: 'acme-account', from: '+919945012345', agentId: 'agent1' }).ucid
  for (const other of [...others, theirs]) telephony.answer({ ucid: other })
  const { token: manager } = await app.signIn('manager@demo.example')
  for (const other of others) await phaseIs(other, 'ANSWERED', manager)
  await phaseIs(theirs, 'ANSWERED', acme)
  telephony.accountMode({ delivery: 'lost' })
  clock.advance(2 * minute)
  for (const each of [ucid, ...others]) telephony.hangUp({ ucid: each })
  // In the wrap-up after the call, at the provider: it refuses, and its records are read.
  expect(await dial()).toMatchObject({ status: 409 })
  const isOver = async (each: string) => (await callOf(each, manager)).phase === 'COMPLETED'
  const from = clock.now()
  await waitFor(async () => (clock.advance(5_000), (await Promise.all([ucid, ...others].map(isOver))).every(Boolean)))
  // One comparison may have begun before the ends.
  expect(pages('"userName":"demo-account"').length).toBeLessThanOrEqual(2 + Math.floor((clock.now() - from) / minute))
  expect(await callOf(theirs, acme)).toMatchObject({ phase: 'ANSWERED' })
})

test('a call that has lasted for hours ends when its record says so, and not before', async () => {
  const { telephony } = app.standIns
  const ended = await answered()
  const live = telephony.ring({ from: '+919945012345', agentId: 'agent2' }).ucid
  telephony.answer({ ucid: live })
  telephony.accountMode({ delivery: 'lost' })
  clock.advance(130 * minute)
  const before = pages('demo-account').length
  // Records exist only after the end.
  await waitFor(() => (clock.advance(10_000), pages('demo-account').length > before))
  telephony.hangUp({ ucid: ended })
  await waitFor(() => (clock.advance(30_000), recordOf(ended)['status'] === 'COMPLETED'))
  const { token: manager } = await app.signIn('manager@demo.example')
  expect(await callOf(live, manager)).toMatchObject({ phase: 'ANSWERED' })
  expect(await liveCalls()).toContain(live)
})
