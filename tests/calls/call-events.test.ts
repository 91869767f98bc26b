import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
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

const notices = 'subscription { agentNoticeEvents { id kind managerName message state reason worklistEntryId } }'
const noticeSchema = z.array(z.looseObject({ id: z.string(), kind: z.string(), managerId: z.string(), message: z.string().nullable() }))
const noticesOf = async ({ token }: TestSignIn) => noticeSchema.parse((await app.rest('GET', '/api/agents/me/notices', { token })).body)
const confirm = ({ token }: TestSignIn, ids: readonly string[]) =>
  app.rest('POST', '/api/agents/me/notices/confirm', { token, body: { ids } })
const order = (agentId: string | null, body: unknown, { token } = manager) =>
  app.rest('PUT', `/api/agents/${agentId}/state`, { token, body })
const audited = async (action: string) => {
  const { body } = await app.rest('GET', `/api/audit?action=${action}`, { token: manager.token })
  return z.object({ entries: z.array(z.unknown()) }).parse(body).entries
}

test('a manager changes the state of an agent, who is shown who did it and why; it is audited with names', async () => {
  const [own, other, state] = await Promise.all([
    subscribe(notices, agent2.token),
    subscribe(notices, agent1.token),
    subscribe(agents, agent2.token),
  ])
  const changed = await order(agent2.agentId, { state: 'NOT_READY', reason: 'Meeting', message: 'Team meeting at ten' })
  expect(changed).toMatchObject({ status: 200, body: { agentId: agent2.agentId, providerAgentId: 'agent2', state: 'NOT_READY' } })
  await waitFor(() => own.text.includes('Team meeting at ten'))
  expect(own.text).toContain('"kind":"STATE_CHANGED","managerName":"Nandini Menon","message":"Team meeting at ten","state":"NOT_READY"')
  await waitFor(() => state.text.includes('"state":"NOT_READY","reason":"Meeting"'))
  expect(app.standIns.telephony.agent({ agentId: 'agent2' }).status).toBe('pause')
  expect(other.text).not.toContain('Team meeting')
  const entry = { actor: { name: 'Nandini Menon' }, targetId: agent2.agentId, targetName: 'Ravi Kumar' }
  expect(await audited('agent.stateChanged')).toMatchObject([
    { ...entry, details: [{ value: 'NOT_READY' }, { value: 'Meeting' }, { value: 'Team meeting at ten' }] },
  ])
  for (const stream of [own, other, state]) stream.leave()
})

test('only managers change states of others, with a reason of the list, of agents of their workspace who have a session', async () => {
  const ready = { state: 'READY' }
  expect((await order(agent2.agentId, ready, agent1)).status).toBe(403)
  expect(await order(agent2.agentId, { state: 'NOT_READY', reason: 'Boredom' })).toMatchObject({
    status: 400,
    body: { data: { fields: [{ path: 'reason' }] } },
  })
  const elsewhere = await app.signIn('manager@acme.example')
  expect(await order(agent2.agentId, ready, elsewhere)).toMatchObject({ status: 404 })
  expect(await order('3f0c9a52-6d1e-4c4b-9a77-0b5d2e8f1c64', ready)).toMatchObject({ status: 404 })
  expect(await audited('agent.stateChanged')).toHaveLength(1)
  const stream = await subscribe(notices, (await app.signIn('user@demo.example')).token)
  await waitFor(() => stream.ended)
  expect(stream.text).toContain('FORBIDDEN')
})

test('the refusal of the provider is a clear error, and nothing else happens', async () => {
  await confirm(
    agent1,
    (await noticesOf(agent1)).map(({ id }) => id),
  )
  expect((await order(agent1.agentId, { state: 'READY' })).status).toBe(200)
  const before = await noticesOf(agent1)
  const { ucid } = app.standIns.telephony.ring({ from: '+919812345671', agentId: 'agent1' })
  app.standIns.telephony.answer({ ucid })
  const onCall = await order(agent1.agentId, { state: 'NOT_READY', reason: 'Lunch', message: 'Go to lunch' })
  expect(onCall).toMatchObject({ status: 409, body: { reason: 'WRONG_STATE', detail: 'The agent is on a call' } })
  app.standIns.telephony.hangUp({ ucid })
  const inWrapUp = await order(agent1.agentId, { state: 'NOT_READY', reason: 'Lunch', message: 'Go to lunch' })
  expect(inWrapUp).toMatchObject({ status: 409, body: { reason: 'WRONG_STATE', detail: 'The agent is still wrapping up a call' } })
  app.standIns.telephony.fault({ operation: 'changeAgentState', act: 'refuse' })
  expect((await order(agent1.agentId, { state: 'READY' })).status).toBeGreaterThanOrEqual(500)
  app.standIns.telephony.clearFaults()
  expect(await noticesOf(agent1)).toEqual(before)
  expect(await audited('agent.stateChanged')).toHaveLength(2)
})

test('two orders at once are carried out one after the other, and both are audited', async () => {
  const answers = await Promise.all([
    order(agent2.agentId, { state: 'READY', message: 'one' }),
    order(agent2.agentId, { state: 'NOT_READY', reason: 'Training', message: 'other' }),
  ])
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  const [last] = z
    .array(z.object({ details: z.array(z.object({ value: z.string().nullable() })) }))
    .parse(await audited('agent.stateChanged'))
  const { status } = app.standIns.telephony.agent({ agentId: 'agent2' })
  expect(status).toBe(last?.details[0]?.value === 'READY' ? 'IDLE' : 'pause')
  const messages = (await noticesOf(agent2)).map(({ message }) => message).slice(-2)
  expect(new Set(messages)).toEqual(new Set(['one', 'other']))
  expect(messages.at(-1)).toBe(last?.details[2]?.value)
})

test('notices wait until the agent has confirmed them, also over the end of the session by a manager', async () => {
  const agent3 = await app.signIn('agent3@demo.example')
  const path = `/api/sessions/${agent3.agentId}`
  const ending = await subscribe(notices, agent3.token)
  const [first, second] = await Promise.all(
    ['Your shift is over', 'twice'].map((reason) => app.rest('DELETE', path, { token: manager.token, body: { reason } })),
  )
  expect([first?.status, second?.status]).toContain(200)
  await waitFor(() => ending.text.includes('SESSION_ENDED'))
  ending.leave()
  const again = await app.signIn('agent3@demo.example')
  const waiting = await noticesOf(again)
  expect(waiting).toMatchObject([{ kind: 'SESSION_ENDED', managerId: manager.memberId }])
  const stream = await subscribe(notices, again.token)
  await waitFor(() => stream.text.includes('SESSION_ENDED'))
  const ids = waiting.map(({ id }) => id)
  expect((await confirm(agent2, ids)).status).toBe(200)
  expect(await noticesOf(again)).toEqual(waiting)
  expect(await confirm(again, ids)).toMatchObject({ status: 200, body: [] })
  expect(await noticesOf(again)).toEqual([])
  await order(again.agentId, { state: 'READY', message: 'Welcome back' })
  await waitFor(() => stream.text.includes('Welcome back'))
  expect(stream.text.split('SESSION_ENDED')).toHaveLength(2)
  stream.leave()
})

test('what an agent types about a call survives a reload, is shown to nobody else, and ends with the disposition', async () => {
  const { ucid } = app.standIns.telephony.ring({ from: '+919812345672', agentId: 'agent2' })
  app.standIns.telephony.answer({ ucid })
  const draftOf = async ({ token }: TestSignIn) => {
    const { body } = await app.rest('POST', '/api/calls/lookup?enrich=false', { token, body: { ucid } })
    return z.object({ draftNotes: z.object({ notes: z.string() }).nullable() }).safeParse(body).data?.draftNotes
  }
  const save = (notes: string, { token } = agent2) => app.rest('PUT', `/api/calls/${ucid}/notes`, { token, body: { notes } })
  await waitFor(async () => (await save('Asks for')).status === 200)
  expect(await save('Asks for Dr. Rao')).toMatchObject({ status: 200, body: { ucid, notes: 'Asks for Dr. Rao' } })
  expect((await save('Mine', agent1)).status).toBe(403)
  const { data } = await app.graphql('{ currentCall { draftNotes { notes savedAt } } }', { token: agent2.token })
  expect(data).toMatchObject({ currentCall: { draftNotes: { notes: 'Asks for Dr. Rao' } } })
  expect(await draftOf(manager)).toBeNull()
  await save('')
  expect(await draftOf(agent2)).toBeNull()
  await save('Wants a visit')
  app.standIns.telephony.hangUp({ ucid })
  const body = { disposition: 'Information Given', notes: 'Wants a visit' }
  await waitFor(async () => (await app.rest('POST', `/api/calls/${ucid}/disposition`, { token: agent2.token, body })).status === 200)
  expect(await draftOf(agent2)).toBeNull()
})
