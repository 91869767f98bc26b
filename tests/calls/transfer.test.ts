import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createTestApp, type TestApp, type TestSignIn } from '../harness/app.ts'
import { waitFor } from '../harness/wait-for.ts'

const customer = '+919812345670'
const specialist = '+919845012345'
const dialled = '09845012345'
const control = 'CallControl_V4'

let app: TestApp
let manager: TestSignIn
let agent: TestSignIn
let token: string
beforeAll(async () => {
  app = await createTestApp({ receivesWebhooks: true })
  manager = await app.signIn('manager@demo.example')
  agent = await app.signIn('agent1@demo.example')
  token = agent.token
})
afterAll(() => app[Symbol.asyncDispose]())

const transferSchema = z.object({ status: z.string(), target: z.string(), to: z.string().nullable(), endedAt: z.string().nullable() })
const callSchema = z.object({
  ucid: z.string(),
  phase: z.string(),
  controls: z.object({ held: z.boolean(), parties: z.array(z.string()) }),
  transfer: transferSchema.nullable(),
})
const currentSchema = z.object({ call: callSchema.nullable() })

const start = (ucid: string, body: object = { phoneNumber: '98450 12345' }, by = token) =>
  app.rest('POST', `/api/calls/${ucid}/transfer`, { token: by, body })
const complete = (ucid: string) => app.rest('POST', `/api/calls/${ucid}/transfer/complete`, { token })
const cancel = (ucid: string) => app.rest('POST', `/api/calls/${ucid}/transfer/cancel`, { token })
const act = (ucid: string, body: object) => app.rest('POST', `/api/calls/${ucid}/control`, { token, body })
const dispose = (ucid: string) =>
  app.rest('POST', `/api/calls/${ucid}/disposition`, { token, body: { disposition: 'Information Given', next: { state: 'READY' } } })
/** What a page shows after a reload. */
const current = async () => currentSchema.parse((await app.rest('GET', '/api/calls/current', { token })).body).call
const provided = (ucid: string) => app.standIns.telephony.call({ ucid })
const parties = (ucid: string) => provided(ucid).conference.map(({ number }) => number)
const phaseIs = (ucid: string, phase: string) =>
  waitFor(async () => {
    const call = await current()
    return call?.ucid === ucid && call.phase === phase
  })

async function ringing(): Promise<string> {
  await waitFor(async () => (await app.rest('PUT', '/api/agents/me/state', { token, body: { state: 'READY' } })).status === 200)
  const { ucid } = app.standIns.telephony.ring({ from: customer, agentId: 'agent1' })
  await phaseIs(ucid, 'RINGING')
  return ucid
}
async function answered(): Promise<string> {
  const ucid = await ringing()
  app.standIns.telephony.answer({ ucid })
  await phaseIs(ucid, 'ANSWERED')
  return ucid
}
async function endAndDispose(ucid: string): Promise<void> {
  if (provided(ucid).phase !== 'ended') app.standIns.telephony.hangUp({ ucid })
  expect(await dispose(ucid)).toMatchObject({ status: 200 })
  await waitFor(() => app.standIns.telephony.agent({ agentId: 'agent1' }).status === 'IDLE')
}

test('connects the customer with a third party, and the agent wraps up while they talk', async () => {
  const ucid = await answered()
  const started = callSchema.parse((await start(ucid)).body)
  expect(started).toMatchObject({ controls: { held: true, parties: [specialist] }, transfer: { status: 'IN_PROGRESS', to: specialist } })
  expect(parties(ucid)).toEqual([dialled])
  expect(provided(ucid).held).toBe(true)
  // The page is reloaded in between.
  expect(await current()).toMatchObject({ ucid, transfer: { status: 'IN_PROGRESS', target: 'NUMBER', to: specialist } })
  app.standIns.telephony.answerParty({ ucid, number: dialled })
  expect(await act(ucid, { action: 'UNHOLD' })).toMatchObject({ status: 200 })
  expect(callSchema.parse((await complete(ucid)).body)).toMatchObject({ phase: 'ANSWERED', transfer: { status: 'COMPLETED' } })
  expect(provided(ucid)).toMatchObject({ phase: 'talking', held: false, agentLeft: true })
  expect(await complete(ucid)).toMatchObject({ status: 200, body: { transfer: { status: 'COMPLETED', to: specialist } } })
  expect(await cancel(ucid)).toMatchObject({ status: 409 })
  expect(await start(ucid)).toMatchObject({ status: 409, body: { detail: 'The call was transferred already' } })
  expect(await act(ucid, { action: 'HOLD' })).toMatchObject({ status: 409 })
  // The agent still has the call on the screen, and ends the wrap-up before the call ends.
  expect(await current()).toMatchObject({ ucid, phase: 'ANSWERED', transfer: { status: 'COMPLETED' } })
  expect(await dispose(ucid)).toMatchObject({ status: 200, body: { outcome: 'SAVED' } })
  const next = await answered()
  await endAndDispose(next)
  app.standIns.telephony.hangUp({ ucid })
  await waitFor(async () => {
    const { body } = await app.rest('POST', '/api/calls/lookup', { token, body: { ucid } })
    const { call } = currentSchema.parse(body)
    return call?.phase === 'COMPLETED' && call.transfer?.status === 'COMPLETED'
  })
  const { body: audit } = await app.rest('GET', '/api/audit', { token: manager.token })
  expect(JSON.stringify(audit)).toContain('call.transferred')
  expect(JSON.stringify(audit)).not.toContain('9845012345')
})

test('calls the third party once, however often and at the same time it is asked', async () => {
  const ucid = await answered()
  const answers = await Promise.all([1, 2, 3, 4].map(() => start(ucid)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(await start(ucid, { phoneNumber: specialist })).toMatchObject({ status: 200 })
  expect(await act(ucid, { action: 'CONFERENCE', phoneNumber: specialist })).toMatchObject({ status: 200 })
  expect(parties(ucid)).toEqual([dialled])
  expect(await start(ucid, { phoneNumber: '98200 98200' })).toMatchObject({ status: 409 })
  expect(await act(ucid, { action: 'HANG_UP' })).toMatchObject({ status: 409 })
  expect(await act(ucid, { action: 'KICK', phoneNumber: specialist })).toMatchObject({ status: 409 })
  expect(parties(ucid)).toEqual([dialled])
  expect(await cancel(ucid)).toMatchObject({ status: 200 })
  await endAndDispose(ucid)
})

test('goes back to the customer if the third party does not answer, and can be started again', async () => {
  const ucid = await answered()
  const idempotent = { phoneNumber: specialist, idempotencyKey: 'first' }
  expect(await start(ucid, idempotent)).toMatchObject({ status: 200 })
  app.standIns.telephony.dropParty({ ucid, number: dialled })
  const cancelled = { status: 200, body: { controls: { held: false, parties: [] }, transfer: { status: 'CANCELLED' } } }
  expect(await cancel(ucid)).toMatchObject(cancelled)
  expect(provided(ucid)).toMatchObject({ held: false, phase: 'talking' })
  expect(await cancel(ucid)).toMatchObject(cancelled)
  expect(await complete(ucid)).toMatchObject({ status: 409 })
  // A late repetition of the first request.
  expect(await start(ucid, idempotent)).toMatchObject(cancelled)
  expect(parties(ucid)).toEqual([])
  expect(await start(ucid, { ...idempotent, phoneNumber: '98200 98200' })).toMatchObject({ status: 400 })
  expect(await start(ucid)).toMatchObject({ status: 200, body: { transfer: { status: 'IN_PROGRESS' } } })
  expect(parties(ucid)).toEqual([dialled])
  expect(await cancel(ucid)).toMatchObject(cancelled)
  expect(parties(ucid)).toEqual([])
  await endAndDispose(ucid)
})

test('ends with the call if the customer hangs up, and can still drop the third party', async () => {
  const ucid = await answered()
  expect(await start(ucid)).toMatchObject({ status: 200 })
  app.standIns.telephony.hangUp({ ucid })
  await phaseIs(ucid, 'COMPLETED')
  expect(await current()).toMatchObject({ transfer: { status: 'CALL_ENDED' } })
  expect(await complete(ucid)).toMatchObject({ status: 409, body: { detail: 'The call has ended' } })
  expect(await cancel(ucid)).toMatchObject({ status: 200, body: { transfer: { status: 'CANCELLED' } } })
  expect(await start(ucid)).toMatchObject({ status: 409, body: { detail: 'The call has ended' } })
  await endAndDispose(ucid)
})

test('refuses what cannot be transferred, and says why', async () => {
  const ucid = await ringing()
  expect(await start(ucid)).toMatchObject({ status: 409, body: { detail: 'The call has not been answered yet' } })
  expect(await complete(ucid)).toMatchObject({ status: 409 })
  app.standIns.telephony.answer({ ucid })
  await phaseIs(ucid, 'ANSWERED')
  for (const body of [{}, { phoneNumber: '12' }, { phoneNumber: customer }, { phoneNumber: specialist, queue: 'Billing' }, { queue: '' }]) {
    expect(await start(ucid, body), JSON.stringify(body)).toMatchObject({ status: 400 })
  }
  for (const body of [{ providerAgentId: 'agent2' }, { queue: 'Billing' }]) {
    expect(await start(ucid, body), JSON.stringify(body)).toMatchObject({ status: 409, body: { reason: 'NOT_SUPPORTED' } })
  }
  const other = await app.signIn('agent2@demo.example')
  expect(await start(ucid, { phoneNumber: specialist }, other.token)).toMatchObject({ status: 403, body: { reason: 'NOT_YOURS' } })
  expect(await complete(ucid)).toMatchObject({ status: 409 })
  expect(await cancel(ucid)).toMatchObject({ status: 409 })
  expect(provided(ucid)).toMatchObject({ held: false, conference: [] })
  await endAndDispose(ucid)
})

test('does not call twice after a lost answer, and can be cancelled', async () => {
  const ucid = await answered()
  const body = { phoneNumber: specialist, holdCustomer: false }
  app.standIns.telephony.fault({ operation: control, act: 'cutAfter', times: 1 })
  expect(await start(ucid, body)).toMatchObject({ status: 504, body: { reason: 'DEADLINE_PASSED' } })
  expect(await current()).toMatchObject({ transfer: { status: 'DIALLING' }, controls: { parties: [specialist] } })
  expect(await start(ucid, body)).toMatchObject({ status: 504 })
  expect(parties(ucid)).toEqual([dialled])
  expect(await cancel(ucid)).toMatchObject({ status: 200 })
  expect(parties(ucid)).toEqual([])
  await endAndDispose(ucid)
})

test('leaves once if the answer to leaving was lost', async () => {
  const ucid = await answered()
  expect(await start(ucid, { phoneNumber: specialist, holdCustomer: false })).toMatchObject({ status: 200 })
  app.standIns.telephony.answerParty({ ucid, number: dialled })
  app.standIns.telephony.fault({ operation: control, act: 'cutAfter', times: 1 })
  expect((await complete(ucid)).status).toBe(503)
  // The agent may have left: without the third party, the customer would be alone.
  expect(await cancel(ucid)).toMatchObject({ status: 409 })
  expect(await complete(ucid)).toMatchObject({ status: 200, body: { transfer: { status: 'COMPLETED' } } })
  expect(provided(ucid)).toMatchObject({ agentLeft: true, phase: 'talking' })
  await endAndDispose(ucid)
})

test('takes the customer off hold if the provider refuses the third party', async () => {
  const ucid = await answered()
  const refusal = JSON.stringify({ status: 'Error', message: 'Please pass valid Conference number' })
  app.standIns.telephony.fault({ operation: control, act: 'refuse', status: 200, body: refusal, skip: 1, times: 1 })
  expect(await start(ucid)).toMatchObject({ status: 400 })
  expect(provided(ucid)).toMatchObject({ held: false, conference: [] })
  expect(await current()).toMatchObject({ transfer: null, controls: { held: false, parties: [] } })
  await endAndDispose(ucid)
})

test('hangs up everybody when the agent hangs up a conference', async () => {
  const ucid = await answered()
  expect(await act(ucid, { action: 'CONFERENCE', phoneNumber: specialist })).toMatchObject({ status: 200 })
  app.standIns.telephony.answerParty({ ucid, number: dialled })
  expect(await act(ucid, { action: 'HANG_UP' })).toMatchObject({ status: 200 })
  expect(provided(ucid)).toMatchObject({ phase: 'ended', agentLeft: false })
  await endAndDispose(ucid)
})

test('completes with a third party who is in the conference already', async () => {
  const ucid = await answered()
  expect(await act(ucid, { action: 'CONFERENCE', phoneNumber: specialist })).toMatchObject({ status: 200 })
  app.standIns.telephony.answerParty({ ucid, number: dialled })
  expect(await start(ucid)).toMatchObject({ status: 200, body: { transfer: { status: 'IN_PROGRESS' }, controls: { held: false } } })
  expect(parties(ucid)).toEqual([dialled])
  expect(await complete(ucid)).toMatchObject({ status: 200 })
  expect(provided(ucid).agentLeft).toBe(true)
  await endAndDispose(ucid)
})

test("shows a transfer in the provider's own user interface", async () => {
  const ucid = await answered()
  app.standIns.telephony.transferAtPanel({ ucid, type: 'Phone', to: dialled })
  await endAndDispose(ucid)
  await waitFor(async () => {
    const { body } = await app.rest('POST', '/api/calls/lookup', { token, body: { ucid } })
    expect(currentSchema.parse(body).call?.transfer).toMatchObject({ status: 'COMPLETED', target: 'NUMBER', to: specialist })
    return true
  })
})
