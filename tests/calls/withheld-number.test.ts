import { afterAll, beforeAll, expect, test } from 'vitest'
import { isoMoment } from '../../src/kernel/clock.ts'
import { createTestApp, type TestApp, type TestSignIn } from '../harness/app.ts'
import { waitFor } from '../harness/wait-for.ts'

let app: TestApp
let agent: TestSignIn
beforeAll(async () => {
  app = await createTestApp({ receivesWebhooks: true })
  agent = await app.signIn('agent1@demo.example')
})
afterAll(() => app[Symbol.asyncDispose]())

const control = (ucid: string, action: string, phoneNumber?: string) =>
  app.rest('POST', `/api/calls/${ucid}/control`, { token: agent.token, body: { action, ...(phoneNumber && { phoneNumber }) } })

async function answeredCall(): Promise<string> {
  await app.rest('PUT', '/api/agents/me/state', { token: agent.token, body: { state: 'READY' } })
  const { ucid } = app.standIns.telephony.ring({ from: 'anonymous', agentId: 'agent1' })
  app.standIns.telephony.answer({ ucid })
  await waitFor(async () => {
    const { body } = await app.rest('POST', '/api/calls/lookup', { token: agent.token, body: { ucid } })
    return JSON.stringify(body).includes('"phase":"ANSWERED"')
  })
  return ucid
}

test('controls a call with a withheld number to its end', async () => {
  const ucid = await answeredCall()
  const state = () => app.standIns.telephony.call({ ucid })
  for (const [action, shown] of [
    ['HOLD', { held: true }],
    ['UNHOLD', { held: false }],
    ['MUTE', { muted: true }],
    ['UNMUTE', { muted: false }],
    ['PAUSE_RECORDING', { recording: 'paused' }],
    ['RESUME_RECORDING', { recording: 'on' }],
    ['CONFERENCE', { conference: [{ number: '09820098200' }] }],
    ['KICK', { conference: [] }],
  ] as const) {
    const party = action === 'CONFERENCE' || action === 'KICK' ? '+919820098200' : undefined
    expect(await control(ucid, action, party), action).toMatchObject({ status: 200 })
    expect(state(), action).toMatchObject(shown)
  }
  expect(await control(ucid, 'HANG_UP')).toMatchObject({ status: 200 })
  expect(state()).toMatchObject({ phase: 'ended', hangupBy: 'AgentHangup' })
  const body = { disposition: 'Information Given', notes: 'gave no number', next: { state: 'READY' } }
  expect(await app.rest('POST', `/api/calls/${ucid}/disposition`, { token: agent.token, body })).toMatchObject({ status: 200 })
})

test('says that a callback needs a number', async () => {
  const ucid = await answeredCall()
  expect(await control(ucid, 'HANG_UP')).toMatchObject({ status: 200 })
  const body = { disposition: 'Call Back Later', callBackAt: isoMoment(Date.now() + 86_400_000), next: { state: 'READY' } }
  const refused = await app.rest('POST', `/api/calls/${ucid}/disposition`, { token: agent.token, body })
  expect(refused).toMatchObject({ status: 400, body: { data: { fields: [{ path: 'callBackAt' }] } } })
  expect(JSON.stringify(refused.body)).toContain('withheld')
  const { callBackAt: _, ...without } = body
  expect(await app.rest('POST', `/api/calls/${ucid}/disposition`, { token: agent.token, body: without })).toMatchObject({ status: 200 })
})

test("a callback for a lead goes to the lead's number; without one it is refused", async () => {
  const leadOf = (name: string) => String(app.standIns.platform.records('demo', 'lead', { name: { eq: name } })[0]?.['id'])
  const ucid = await answeredCall()
  expect(await control(ucid, 'HANG_UP')).toMatchObject({ status: 200 })
  const path = `/api/calls/${ucid}/disposition`
  const callBackAt = isoMoment(Date.now() + 86_400_000)
  const send = (body: object) => app.rest('POST', path, { token: agent.token, body: { disposition: 'Call Back Later', ...body } })
  const nobody = await app.graphql('mutation { createLead(data: { name: "Without a number" }) { id } }', { token: agent.token })
  expect(nobody.errors).toBeUndefined()
  const refused = await send({ callBackAt, leadId: leadOf('Without a number') })
  expect(refused).toMatchObject({ status: 400, body: { data: { fields: [{ path: 'callBackAt' }] } } })
  const leadId = leadOf('Rahul Verma')
  expect(await send({ callBackAt, leadId })).toMatchObject({ status: 200 })
  const worklist = async () => JSON.stringify((await app.rest('GET', '/api/calls/worklist?includeLater=true', { token: agent.token })).body)
  await waitFor(async () => (await worklist()).includes(`"at":"${callBackAt}"`))
  const tasks = () => app.standIns.platform.records('demo', 'task', { title: { eq: 'Call back Rahul Verma' }, dueAt: { eq: callBackAt } })
  await waitFor(() => tasks().length === 1)
  // A correction that names no lead moves the same callback; one without a callback removes it.
  const later = isoMoment(Date.now() + 2 * 86_400_000)
  expect(await send({ callBackAt: later })).toMatchObject({ status: 200 })
  await waitFor(async () => (await worklist()).includes(`"at":"${later}"`))
  expect(await worklist()).not.toContain(`"at":"${callBackAt}"`)
  expect(await send({ notes: 'no callback' })).toMatchObject({ status: 200 })
  await waitFor(async () => !(await worklist()).includes(`"at":"${later}"`))
})
