import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp, type TestSignIn } from '../harness/app.ts'
import { waitFor } from '../harness/wait-for.ts'

let app: TestApp
let agent: TestSignIn
beforeAll(async () => {
  app = await createTestApp({ receivesWebhooks: true })
  agent = await app.signIn('agent1@demo.example')
}, 60_000)
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

test('controls a call with a withheld number to its end', { timeout: 60_000 }, async () => {
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

test('says that a callback needs a number', { timeout: 60_000 }, async () => {
  const ucid = await answeredCall()
  expect(await control(ucid, 'HANG_UP')).toMatchObject({ status: 200 })
  const body = { disposition: 'Call Back Later', callBackAt: '2031-01-02T09:00:00.000Z', next: { state: 'READY' } }
  const refused = await app.rest('POST', `/api/calls/${ucid}/disposition`, { token: agent.token, body })
  expect(refused).toMatchObject({ status: 400, body: { data: { fields: [{ path: 'callBackAt' }] } } })
  expect(JSON.stringify(refused.body)).toContain('withheld')
  const { callBackAt: _, ...without } = body
  expect(await app.rest('POST', `/api/calls/${ucid}/disposition`, { token: agent.token, body: without })).toMatchObject({ status: 200 })
})
