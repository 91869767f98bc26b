import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp, type TestSignIn } from '../harness/app.ts'
import { sampleOf } from '../harness/metrics-text.ts'
import { subscribe as subscribeAt } from '../harness/subscribe.ts'
import { waitFor } from '../harness/wait-for.ts'

let app: TestApp
let manager: TestSignIn
let agent1: TestSignIn
let agent2: TestSignIn
beforeAll(async () => {
  app = await createTestApp({ receivesWebhooks: true })
  app.standIns.telephony.accountMode({ mode: 'token' })
  manager = await app.signIn('manager@demo.example')
  agent1 = await app.signIn('agent1@demo.example')
  agent2 = await app.signIn('agent2@demo.example')
})
afterAll(() => app[Symbol.asyncDispose]())

const subscribe = (query: string, token: string) => subscribeAt(app.url, { query, token })
const calls = 'subscription { callEvents { kind call { ucid phase providerAgentId controls { held } } } }'
const agents = 'subscription { agentStates { providerAgentId agentId state reason } }'
const callText = (ucid: string, phase: string) => `"ucid":"${ucid}","phase":"${phase}"`

test('streams an agent their own calls, a manager all calls, and nobody the calls of another agent', async () => {
  const [own, other, all] = await Promise.all([agent1, agent2, manager].map(({ token }) => subscribe(calls, token)))
  const { ucid } = app.standIns.telephony.ring({ from: '+919812345670', agentId: 'agent1' })
  await waitFor(() => own?.text.includes(callText(ucid, 'RINGING')))
  app.standIns.telephony.answer({ ucid })
  await waitFor(() => own?.text.includes(callText(ucid, 'ANSWERED')))
  await app.rest('POST', `/api/calls/${ucid}/control`, { token: agent1.token, body: { action: 'HOLD' } })
  await waitFor(() => own?.text.includes('"held":true'))
  const late = await subscribe(calls, agent1.token)
  await waitFor(() => late.text.includes(`"kind":"SNAPSHOT","call":{${callText(ucid, 'ANSWERED')}`))
  app.standIns.telephony.hangUp({ ucid })
  for (const stream of [own, all, late]) await waitFor(() => stream?.text.includes(callText(ucid, 'COMPLETED')))
  expect(other?.text).not.toContain(ucid)
  // Only the first event of the ringing call, in the agent's own stream.
  expect(sampleOf(await (await fetch(`${app.url}/metrics`)).text(), 'sidecar_screen_pop_duration_seconds_count')).toBe(1)
  for (const stream of [own, other, all, late]) stream?.leave()
})

test('streams the present states of agents first, then their changes; an agent gets only their own', async () => {
  const own = await subscribe(agents, agent1.token)
  await waitFor(() => own.text.includes('"providerAgentId":"agent1"'))
  await app.rest('PUT', '/api/agents/me/state', { token: agent2.token, body: { state: 'READY' } })
  const stream = await subscribe(agents, manager.token)
  await waitFor(() => stream.text.includes('"providerAgentId":"agent2"'))
  const change = await app.rest('PUT', '/api/agents/me/state', { token: agent2.token, body: { state: 'NOT_READY', reason: 'Training' } })
  expect(change.status).toBe(200)
  await waitFor(() => stream.text.includes('"state":"NOT_READY","reason":"Training"'))
  expect(stream.text).toContain(`"agentId":"${String(agent2.agentId)}"`)
  expect(own.text).not.toContain('agent2')
  stream.leave()
  own.leave()
})

test('opens no stream without a token, or for a member who is not an agent', async () => {
  const user = await app.signIn('user@demo.example')
  for (const token of ['nonsense', user.token]) {
    const stream = await subscribe(calls, token)
    await waitFor(() => stream.ended)
    expect(stream.text).toMatch(/UNAUTHENTICATED|FORBIDDEN/)
    expect(stream.text).not.toContain('"ucid"')
  }
})
