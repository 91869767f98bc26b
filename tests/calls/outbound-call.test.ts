import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { indiaTimeOf } from '../../src/providers/telephony/ozonetel/wire.ts'
import { outboundAccounts } from '../../src/sandbox/accounts.ts'
import { createTestClock, type TestClock } from '../harness/clock.ts'
import { createOutboundDesk, type OutboundDesk } from '../harness/outbound-desk.ts'
import { waitFor } from '../harness/wait-for.ts'

/** A call of the second provider, through the handlers and the vendor's wire formats. */

const { sid, key, token, callerId } = outboundAccounts.demo

let desk: OutboundDesk
let manager: string
beforeAll(async () => {
  desk = await createOutboundDesk({ receivesWebhooks: true })
  manager = (await desk.signIn('manager@demo.example')).token
})
afterAll(() => desk[Symbol.asyncDispose]())

const missedSchema = z.object({
  missedCalls: z.object({ nodes: z.array(z.object({ ucid: z.string(), calledBackUcid: z.string().nullable() })) }),
})
async function missedCalls(waitingOnly: boolean) {
  const query = `{ missedCalls(waitingOnly: ${waitingOnly}) { nodes { ucid calledBackUcid } } }`
  return missedSchema.parse((await desk.graphql(query, { token: manager })).data).missedCalls.nodes
}

const statusOf = (ucid: string) => desk.record(ucid)['status']
const lookUp = async (ucid: string) => (await desk.rest('POST', '/api/calls/lookup', { token: desk.agent.token, body: { ucid } })).body
const isPhase = (ucid: string, phase: string) => waitFor(async () => JSON.stringify(await lookUp(ucid)).includes(`"phase":"${phase}"`))
const tryToDial = (phoneNumber: string) =>
  desk.rest('POST', '/api/calls/dial', {
    token: desk.agent.token,
    body: { phoneNumber, via: 'OUTBOUND', agentPhoneNumber: '98450 12345' },
  })

/** The agent answers, the customer does not. */
async function customerDoesNotAnswer(phoneNumber: string): Promise<string> {
  const { ucid } = await desk.dial(phoneNumber)
  desk.standIns.outbound.answerByAgent({ callId: ucid })
  desk.standIns.outbound.hangUp({ callId: ucid })
  await isPhase(ucid, 'MISSED')
  return ucid
}

async function customerAnswers(phoneNumber: string): Promise<string> {
  const { ucid } = await desk.dial(phoneNumber)
  desk.standIns.outbound.answer({ callId: ucid })
  await isPhase(ucid, 'ANSWERED')
  desk.standIns.outbound.hangUp({ callId: ucid })
  await isPhase(ucid, 'COMPLETED')
  return ucid
}

test('leaves a missed call in the list until the customer answers a callback', async () => {
  const missed = desk.standIns.telephony.missCall({ from: '+919812345670' })
  await waitFor(async () => (await missedCalls(true)).some(({ ucid }) => ucid === missed.ucid))
  const unanswered = await customerDoesNotAnswer('98123 45670')
  // The vendor calls this completed: the agent has answered.
  expect(desk.standIns.outbound.call({ callId: unanswered }).status).toBe('completed')
  expect(await missedCalls(true)).toMatchObject([{ ucid: missed.ucid }])
  const answered = await customerAnswers('98123 45670')
  await waitFor(async () => (await missedCalls(true)).length === 0)
  expect(await missedCalls(false)).toEqual([{ ucid: missed.ucid, calledBackUcid: answered }])
  await waitFor(() => statusOf(unanswered) === 'MISSED' && statusOf(answered) === 'COMPLETED')
})

test('does not call the customer reached when perhaps only the agent has answered', async () => {
  const missed = desk.standIns.telephony.missCall({ from: '+919812345671' })
  await waitFor(async () => (await missedCalls(true)).some(({ ucid }) => ucid === missed.ucid))
  const { ucid } = await desk.dial('98123 45671')
  const { callback } = desk.standIns.outbound.call({ callId: ucid })
  const DateUpdated = '2026-01-15 14:30:20'
  const answered = { CallSid: ucid, EventType: 'answered', Status: 'in-progress', To: '09812345671', DateUpdated }
  const body = JSON.stringify(answered)
  const headers = { 'content-type': 'application/json' }
  expect((await fetch(callback?.url ?? '', { method: 'POST', headers, body })).status).toBe(200)
  await isPhase(ucid, 'ANSWERED')
  desk.standIns.outbound.hangUp({ callId: ucid })
  await isPhase(ucid, 'MISSED')
  expect(await missedCalls(true)).toMatchObject([{ ucid: missed.ucid }])
})

test('takes repeated webhooks in any order as one call', async () => {
  const ucid = await customerAnswers('98765 43210')
  const phrase = 'wants the repeated room'
  expect((await desk.dispose(ucid, { disposition: 'Information Given', notes: phrase })).status).toBe(200)
  const record = await waitFor(() => statusOf(ucid) === 'COMPLETED' && desk.record(ucid)['notes'] === phrase && desk.record(ucid))
  const own = desk.standIns.outbound.callbacks().filter(({ body }) => body.includes(ucid))
  expect(own.length).toBe(2)
  for (const { url, body, contentType } of [...own, ...own.toReversed()]) {
    expect((await fetch(url, { method: 'POST', headers: { 'content-type': contentType }, body })).status).toBe(200)
  }
  const prompts = () => desk.standIns.models.calls().filter(({ body }) => body.includes(phrase) && body.includes('earlierCalls'))
  await waitFor(() => prompts().length > 0)
  // A later call shows that nothing of the earlier one is left to do.
  const later = await customerAnswers('98765 43210')
  await waitFor(() => statusOf(later) === 'COMPLETED')
  expect(desk.record(ucid)).toEqual(record)
  expect(prompts()).toHaveLength(1)
})

test('reads the form in parts that the vendor sends if no other is asked for', async () => {
  const { outbound } = desk.standIns
  const { callback } = outbound.call({ callId: (await desk.dial('98765 43210')).ucid })
  const body = new URLSearchParams({ From: '09845012345', To: '09812345672', CallerId: callerId, StatusCallback: callback?.url ?? '' })
  body.set('StatusCallbackEvents[0]', 'terminal')
  const headers = { authorization: `Basic ${Buffer.from(`${key}:${token}`).toString('base64')}` }
  const address = `${outbound.url}/v1/Accounts/${sid}/Calls/connect.json`
  expect((await fetch(address, { method: 'POST', headers, body })).status).toBe(200)
  const [ucid = '', own = ''] = outbound.callIds().toReversed()
  outbound.answer({ callId: ucid })
  outbound.hangUp({ callId: ucid })
  await waitFor(() => statusOf(ucid) === 'COMPLETED')
  expect(outbound.callbacks().find(({ body }) => body.includes(ucid))).toMatchObject({
    contentType: expect.stringMatching(/^multipart/) as unknown,
  })
  expect(desk.record(ucid)).toMatchObject({ direction: 'OUTBOUND', did: '+918069876590' })
  outbound.hangUp({ callId: own })
  await isPhase(own, 'MISSED')
})

test('attributes a call whose webhooks come before the answer to the dial', async () => {
  const { outbound } = desk.standIns
  const release = outbound.holdAnswers('connect.json')
  const known = outbound.callIds().length
  const dialling = desk.dial('98765 43210')
  const ucid = await waitFor(() => outbound.callIds()[known])
  expect(await tryToDial('98765 43211')).toMatchObject({
    status: 409,
    body: { detail: 'Another call of the agent is being made: wait for its result' },
  })
  outbound.answer({ callId: ucid })
  outbound.hangUp({ callId: ucid })
  const own = () => outbound.callbacks().filter(({ body }) => body.includes(ucid))
  await waitFor(() => own().length === 2 && own().every(({ done }) => done))
  release()
  expect(await dialling).toMatchObject({ ucid })
  await isPhase(ucid, 'COMPLETED')
  expect(await desk.dispose(ucid, { disposition: 'Information Given' })).toMatchObject({ status: 200 })
  const shown = { status: 'COMPLETED', did: '+918069876590', agentId: desk.agent.agentId, disposition: 'Information Given' }
  await waitFor(() => desk.record(ucid)['disposition'] !== '')
  expect(desk.record(ucid)).toMatchObject(shown)
})

test('attributes a call to its agent if the answer to the dial was lost', async () => {
  const { outbound } = desk.standIns
  const known = outbound.callIds().length
  outbound.fault({ operation: 'connect.json', act: 'cutAfter', times: 1 })
  expect(await tryToDial('98765 43210')).toMatchObject({ status: 503 })
  const ucid = outbound.callIds()[known] ?? ''
  outbound.answer({ callId: ucid })
  outbound.hangUp({ callId: ucid })
  await waitFor(() => statusOf(ucid) === 'COMPLETED')
  expect(desk.record(ucid)).toMatchObject({ agentId: desk.agent.agentId, did: '+918069876590' })
})

test('keeps the calls of two workspaces apart', async () => {
  const other = await desk.signIn('agent1@acme.example')
  const [mine, theirs] = [await desk.dial('98765 43210'), await desk.dial('98765 43210', other)]
  expect(await tryToDial('98765 43210')).toMatchObject({ status: 409, body: { detail: 'The agent is on a call: end it first' } })
  desk.standIns.outbound.answer({ callId: theirs.ucid })
  desk.standIns.outbound.hangUp({ callId: theirs.ucid })
  await waitFor(() => desk.record(theirs.ucid, 'acme')['status'] === 'COMPLETED')
  expect(desk.record(theirs.ucid, 'acme')).toMatchObject({ did: '+912269876690' })
  expect([desk.record(theirs.ucid), desk.record(mine.ucid, 'acme')]).toEqual([{}, {}])
  expect(await lookUp(mine.ucid)).toMatchObject({ call: { phase: 'RINGING' } })
  expect(await lookUp(theirs.ucid)).toMatchObject({ status: 404 })
  desk.standIns.outbound.hangUp({ callId: mine.ucid })
  await isPhase(mine.ucid, 'MISSED')
})

test('analyses the recording, which needs the credentials of the second provider', async () => {
  const ucid = await customerAnswers('98765 43210')
  await waitFor(() => statusOf(ucid) === 'COMPLETED')
  desk.standIns.speech.forgetCalls()
  const body = { callId: ucid, waitSeconds: 20 }
  const analysed = await desk.rest('POST', '/api/recordings/analyze', { token: desk.agent.token, body })
  expect(analysed.status).toBe(200)
  expect(z.object({ utterances: z.array(z.unknown()) }).parse(analysed.body).utterances.length).toBeGreaterThan(0)
  // The service has downloaded the audio: the speech provider has no credentials.
  const [request] = desk.standIns.speech.calls('listen')
  expect(request?.headers['content-type']).toMatch(/^audio\//)
})

/** Records are written when nothing has changed for a second: the clock goes on meanwhile. */
async function waitWhile(clock: TestClock, isDone: () => boolean): Promise<void> {
  await waitFor(() => (clock.advance(250), isDone()))
}

test('asks the provider if the webhook with the end of a call is lost', async () => {
  const clock = createTestClock()
  // No webhook reaches this service.
  await using lost = await createOutboundDesk({ clock, environment: { PUBLIC_URL: 'http://127.0.0.1:1' } })
  const { outbound, telephony } = lost.standIns
  const { ucid } = await lost.dial('98765 43210')
  outbound.answer({ callId: ucid })
  clock.advance(30_000)
  outbound.hangUp({ callId: ucid })
  // The agent is free at once: the provider is asked before the next call.
  const next = await lost.dial('98765 43211')
  const busy = await lost.rest('POST', '/api/calls/dial', {
    token: lost.agent.token,
    body: { phoneNumber: '98765 43210', via: 'OUTBOUND' },
  })
  expect(busy).toMatchObject({ status: 409, body: { detail: 'The agent is on a call: end it first' } })
  outbound.answerByAgent({ callId: next.ucid })
  outbound.hangUp({ callId: next.ucid })
  // The end comes before the durations: it is asked again who has answered.
  const details = { Status: 'completed', EndTime: indiaTimeOf(new Date(clock.now()).toISOString()), Details: null }
  const operation = `${next.ucid}.json`
  outbound.fault({ operation, act: 'refuse', status: 200, body: JSON.stringify({ Call: details }), times: 1 })
  clock.advance(61_000)
  const isWritten = () => lost.record(ucid)['status'] === 'COMPLETED' && lost.record(next.ucid)['status'] === 'MISSED'
  await waitWhile(clock, isWritten)
  expect(lost.record(ucid)).toMatchObject({ durationSeconds: 30 })
  expect(JSON.stringify(lost.record(ucid)['recording'])).toContain(ucid)
  clock.advance(3 * 60_000)
  await waitFor(() => outbound.calls(operation).length === 2)
  // The comparison of a whole period may be due meanwhile; nobody asks the other provider for this call.
  expect(JSON.stringify(telephony.calls('fetchC'))).not.toContain(ucid)
})

test('frees the agent after the longest time of a call if nobody knows its end', async () => {
  const clock = createTestClock()
  await using lost = await createOutboundDesk({ clock, environment: { PUBLIC_URL: 'http://127.0.0.1:1' } })
  const { outbound } = lost.standIns
  const { ucid } = await lost.dial('98765 43210')
  outbound.fault({ operation: `${ucid}.json`, act: 'refuse', status: 404 })
  clock.advance(61_000)
  await waitFor(() => outbound.calls(`${ucid}.json`).length > 0)
  expect(lost.record(ucid)).toMatchObject({ status: 'RINGING' })
  clock.advance(4 * 3_600_000 + 5 * 60_000)
  await waitWhile(clock, () => lost.record(ucid)['status'] === 'MISSED')
})

test('finds the end of a call of which only the answer was reported', async () => {
  const clock = createTestClock()
  await using lost = await createOutboundDesk({ clock, environment: { PUBLIC_URL: 'http://127.0.0.1:1' } })
  const { outbound } = lost.standIns
  // The answer to the dial is lost, so that only the webhook says that there is a call.
  outbound.fault({ operation: 'connect.json', act: 'cutAfter', times: 1 })
  const body = { phoneNumber: '98765 43210', via: 'OUTBOUND', agentPhoneNumber: '98450 12345' }
  expect(await lost.rest('POST', '/api/calls/dial', { token: lost.agent.token, body })).toMatchObject({ status: 503 })
  const ucid = outbound.callIds()[0] ?? ''
  outbound.answer({ callId: ucid })
  const { callback } = outbound.call({ callId: ucid })
  const status = { CallSid: ucid, EventType: 'answered', Status: 'in-progress', To: '09876543210', DateUpdated: '2025-01-15 14:30:00' }
  const headers = { 'content-type': 'application/json' }
  const answered = await fetch(lost.url + new URL(callback?.url ?? '').pathname, { method: 'POST', headers, body: JSON.stringify(status) })
  expect(answered.status).toBe(200)
  await waitWhile(clock, () => lost.record(ucid)['status'] === 'ANSWERED')
  outbound.hangUp({ callId: ucid })
  // Details are not final before they have an end.
  const details = JSON.stringify({ Call: { Sid: ucid, Status: 'completed', EndTime: null, Details: null } })
  outbound.fault({ operation: `${ucid}.json`, act: 'refuse', status: 200, body: details })
  clock.advance(61_000)
  await waitFor(() => outbound.calls(`${ucid}.json`).length > 0)
  outbound.clearFaults()
  expect(lost.record(ucid)).toMatchObject({ status: 'ANSWERED' })
  clock.advance(5 * 60_000)
  await waitWhile(clock, () => lost.record(ucid)['status'] === 'COMPLETED')
})

test('ends a call that the second provider does not know, but not because of a gateway in between', async () => {
  const clock = createTestClock()
  await using lost = await createOutboundDesk({ clock, environment: { PUBLIC_URL: 'http://127.0.0.1:1' } })
  const { outbound } = lost.standIns
  const { ucid } = await lost.dial('98765 43210')
  const dialAgain = async () =>
    lost.rest('POST', '/api/calls/dial', {
      token: lost.agent.token,
      body: { phoneNumber: '98765 43211', via: 'OUTBOUND', agentPhoneNumber: '98450 12345' },
    })
  const unknown = JSON.stringify({ RestException: { Status: 404, Message: 'Call not found', Code: 'NOT_FOUND' } })
  outbound.fault({ operation: `${ucid}.json`, act: 'refuse', status: 404, body: unknown })
  expect(await dialAgain()).toMatchObject({ status: 409 })
  clock.advance(6 * 60_000)
  expect(await dialAgain()).toMatchObject({ status: 200, body: { provider: 'exotel' } })
})
