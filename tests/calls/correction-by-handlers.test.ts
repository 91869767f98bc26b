import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { isoMoment } from '../../src/kernel/clock.ts'
import { taskIdOf } from '../../src/features/calls/worklist-entries/task-queue.ts'
import { createTestApp, type TestApp, type TestSignIn } from '../harness/app.ts'
import { waitFor } from '../harness/wait-for.ts'

/** Corrects dispositions through GraphQL and REST, with the provider's webhooks, down to the platform's record and the lead's insight. */

let app: TestApp
let agent: TestSignIn
let manager: TestSignIn
let clockAheadMs = 0
beforeAll(async () => {
  app = await createTestApp({ receivesWebhooks: true, clock: { now: () => Date.now() + clockAheadMs } })
  manager = await app.signIn('manager@demo.example')
  agent = await app.signIn('agent1@demo.example')
})
afterAll(() => app[Symbol.asyncDispose]())

const dispose = (ucid: string, body: unknown, token = agent.token) => app.rest('POST', `/api/calls/${ucid}/disposition`, { token, body })
const lookUp = async (body: unknown) => (await app.rest('POST', '/api/calls/lookup?enrich=false', { token: agent.token, body })).body
const recordOf = (ucid: string) => app.standIns.platform.records('demo', 'call', { ucid: { eq: ucid } })[0] ?? {}
const inDays = (days: number): string => isoMoment(Date.now() + clockAheadMs + days * 86_400_000)
const receiptSchema = z.object({ eventId: z.string(), supersedes: z.string().nullable(), disposition: z.string() })

/** A call that has ended, with its agent in wrap-up; its provider has reported both. */
async function callInWrapUp(from: string): Promise<string> {
  // The provider's times are whole seconds: what came before is earlier than the call.
  clockAheadMs += 5_000
  const { ucid } = app.standIns.telephony.ring({ from, agentId: 'agent1' })
  app.standIns.telephony.answer({ ucid })
  clockAheadMs += 60_000
  app.standIns.telephony.hangUp({ ucid })
  await waitFor(async () => JSON.stringify(await lookUp({ ucid })).includes('"phase":"COMPLETED"'))
  clockAheadMs += 5_000
  return ucid
}

async function becomeReady(): Promise<void> {
  clockAheadMs += 5_000
  expect((await app.rest('PUT', '/api/agents/me/state', { token: agent.token, body: { state: 'READY' } })).status).toBe(200)
}

const mutation = `mutation ($input: DispositionInput!) {
  submitDisposition(input: $input) { ucid disposition outcome eventId supersedes }
}`

test('a correction reaches the call, the platform, the callbacks, and the lead', async () => {
  const from = '+919812345670'
  const ucid = await callInWrapUp(from)
  const callBackAt = inDays(1)
  const original = receiptSchema.parse((await dispose(ucid, { disposition: 'Call Back Later', notes: 'Busy', callBackAt })).body)
  const lookUpSchema = z.object({ openItems: z.array(z.object({ kind: z.string(), dueAt: z.string().nullable() })) })
  const callbacks = async () => lookUpSchema.parse(await lookUp({ phoneNumber: from })).openItems.filter(({ kind }) => kind === 'CALL_BACK')
  expect(await callbacks()).toMatchObject([{ dueAt: callBackAt }])
  const later = inDays(60)
  const moved = await dispose(ucid, { disposition: 'Call Back Later', callBackAt: later })
  expect(moved).toMatchObject({ status: 200, body: { supersedes: original.eventId } })
  expect(await callbacks()).toMatchObject([{ dueAt: later }])
  const id = taskIdOf({ workspaceId: app.standIns.platform.workspaceIdOf('demo'), ucid })
  const tasks = () => app.standIns.platform.records('demo', 'task', { id: { eq: id } })
  await waitFor(() => tasks()[0]?.['dueAt'] === later, { what: 'the later time of the task' })
  const phrase = 'has found a doctor near the old bridge'
  const corrected = await app.graphql(mutation, {
    token: agent.token,
    variables: { input: { ucid, disposition: 'Not Interested', notes: phrase } },
  })
  const { eventId } = receiptSchema.parse(moved.body)
  expect(corrected.data).toMatchObject({
    submitDisposition: { disposition: 'Not Interested', outcome: 'ALREADY_DISPOSED', supersedes: eventId },
  })
  expect(await callbacks()).toEqual([])
  await waitFor(() => tasks()[0]?.['status'] === 'DONE', { what: 'the completed task' })
  const entries = z.array(z.object({ callbacks: z.array(z.unknown()) }))
  const worklist = async () => entries.parse((await app.rest('GET', '/api/calls/worklist?includeLater=true', { token: agent.token })).body)
  expect((await worklist()).flatMap((entry) => entry.callbacks)).toEqual([])
  expect(await lookUp({ ucid })).toMatchObject({ call: { disposition: 'Not Interested' } })
  // The provider's record of the whole call comes after the correction and says the first disposition.
  const isWhole = () => /"primaryLinkUrl":"http/.test(JSON.stringify(recordOf(ucid)['recording']))
  await waitFor(() => isWhole() && recordOf(ucid)['disposition'] === 'Not Interested', { what: 'the corrected record' })
  expect(recordOf(ucid)).toMatchObject({ notes: phrase })
  expect(app.standIns.telephony.call({ ucid }).disposition).toBe('Call Back Later')
  const lead = () => app.standIns.platform.records('demo', 'lead', { name: { eq: 'Rahul Verma' } })[0] ?? {}
  await waitFor(() => String(lead()['aiSummary']).includes(phrase))
  // The provider takes no state with a second disposition.
  expect(app.standIns.telephony.agent({ agentId: 'agent1' })).toMatchObject({ status: 'ACW' })
  expect(await dispose(ucid, { disposition: 'Complaint', callBackAt, next: { state: 'READY' } })).toMatchObject({ status: 200 })
  expect(app.standIns.telephony.agent({ agentId: 'agent1' })).toMatchObject({ status: 'IDLE' })
  await waitFor(() => tasks()[0]?.['status'] === 'TODO', { what: 'the open task' })
  expect(tasks()).toMatchObject([{ dueAt: callBackAt }])
  expect((await worklist()).flatMap((entry) => entry.callbacks)).toMatchObject([{ at: callBackAt }])
})

test('a callback is in the future; one that was scheduled is accepted again when it is past', async () => {
  const ucid = await callInWrapUp('+919812345671')
  const callBack = (callBackAt: string, more: object = {}) => dispose(ucid, { disposition: 'Call Back Later', callBackAt, ...more })
  const refused = {
    status: 400,
    body: { data: { fields: [{ path: 'callBackAt', message: expect.stringContaining('in the future') as unknown }] } },
  }
  for (const days of [-1, -1 / 24 / 10, 366]) expect(await callBack(inDays(days))).toMatchObject(refused)
  // A client's clock may be some minutes behind.
  const callBackAt = inDays(-4 / 24 / 60)
  expect(await callBack(callBackAt)).toMatchObject({ status: 200 })
  clockAheadMs += 90_000
  expect(await callBack(callBackAt)).toMatchObject({ status: 200, body: { supersedes: null } })
  expect(await callBack(callBackAt, { notes: 'Was busy' })).toMatchObject({ status: 200 })
  expect(await callBack(inDays(-1))).toMatchObject(refused)
  expect(await dispose(ucid, { disposition: 'Complaint', next: { state: 'READY' } })).toMatchObject({ status: 200 })
})

test('after READY a correction is refused plainly, and the same one is answered as before', async () => {
  const ucid = await callInWrapUp('+919876543210')
  const body = { disposition: 'Information Given', notes: 'Fees' }
  const first = await dispose(ucid, body)
  await becomeReady()
  const refused = await dispose(ucid, { disposition: 'Complaint' })
  expect(refused).toMatchObject({ status: 409, body: { code: 'CONFLICT', reason: 'WRONG_STATE', retryable: false } })
  expect(JSON.stringify(refused.body)).toContain('note to the lead')
  expect(await dispose(ucid, body)).toMatchObject({ status: 200, body: first.body })
})

test('a disposition with READY ends the wrap-up, so nothing corrects it', async () => {
  const ucid = await callInWrapUp('+919876543210')
  await dispose(ucid, { disposition: 'Information Given', next: { state: 'READY' } })
  const overview = async () => JSON.stringify((await app.rest('GET', '/api/supervisor/overview', { token: manager.token })).body)
  await waitFor(async () => (await overview()).includes('"state":"READY"'))
  expect(await dispose(ucid, { disposition: 'Complaint' })).toMatchObject({ status: 409, body: { reason: 'WRONG_STATE' } })
})

test('only the agent of the call or a manager corrects it', async () => {
  const ucid = await callInWrapUp('+919876543210')
  expect((await dispose(ucid, { disposition: 'Information Given' })).status).toBe(200)
  const other = await app.signIn('agent2@demo.example')
  expect(await dispose(ucid, { disposition: 'Complaint' }, other.token)).toMatchObject({ status: 403, body: { reason: 'NOT_YOURS' } })
  expect(await lookUp({ ucid })).toMatchObject({ call: { disposition: 'Information Given' } })
  // Also without an agent record.
  expect(await dispose(ucid, { disposition: 'Complaint' }, manager.token)).toMatchObject({ status: 200 })
  expect(await lookUp({ ucid })).toMatchObject({ call: { disposition: 'Complaint', providerAgentId: 'agent1' } })
  await becomeReady()
})

test('what the desk sent because the wrap-up ended is corrected after it, for ten minutes', async () => {
  const ucid = await callInWrapUp('+919812345673')
  const sent = receiptSchema.parse((await dispose(ucid, { disposition: 'Information Given', automatic: true })).body)
  // Another page, which has not seen it.
  const unseen = await dispose(ucid, { disposition: 'Complaint', automatic: true })
  expect(unseen).toMatchObject({ status: 409, body: { reason: 'CHANGED_MEANWHILE', data: { disposition: 'Information Given' } } })
  await becomeReady()
  const corrected = await dispose(ucid, { disposition: 'Not Interested' })
  expect(corrected).toMatchObject({ status: 200, body: { supersedes: sent.eventId } })
  // A person has corrected it: that is their outcome.
  expect(await dispose(ucid, { disposition: 'Complaint' })).toMatchObject({ status: 409, body: { reason: 'WRONG_STATE' } })
  const other = await callInWrapUp('+919812345674')
  await dispose(other, { disposition: 'Information Given', automatic: true })
  clockAheadMs += 601_000
  expect(await dispose(other, { disposition: 'Not Interested' })).toMatchObject({ status: 409, body: { reason: 'WRONG_STATE' } })
})

test('what was typed about a call without an outcome is in its record when the wrap-up ends', async () => {
  const ucid = await callInWrapUp('+919812345675')
  const typed = await app.rest('PUT', `/api/calls/${ucid}/notes`, { token: agent.token, body: { notes: 'Asked for **Dr Rao**' } })
  expect(typed.status).toBe(200)
  await becomeReady()
  const notesOf = () => JSON.stringify(recordOf(ucid)['notes'] ?? null)
  await waitFor(() => notesOf().includes('Dr Rao'), { what: 'the notes in the record of the call' })
  expect(await lookUp({ ucid })).toMatchObject({ call: { disposition: null }, draftNotes: { notes: 'Asked for **Dr Rao**' } })
  expect(await dispose(ucid, { disposition: 'Information Given', notes: 'Dr Rao is on leave' })).toMatchObject({ status: 200 })
  await waitFor(() => notesOf().includes('on leave'), { what: 'the notes of the outcome' })
})
