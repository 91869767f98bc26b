import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createRunningClock } from '../harness/clock.ts'
import { createTestApp, type TestApp, type TestSignIn } from '../harness/app.ts'
import { subscribe } from '../harness/subscribe.ts'
import { type OverviewAnswer, overviewSchema } from '../harness/supervision.ts'
import { waitFor } from '../harness/wait-for.ts'

/** Early afternoon in the clinic: no day ends during a test. */
const clock = createRunningClock()
let app: TestApp
let manager: TestSignIn
let agent: TestSignIn
let user: TestSignIn
beforeAll(async () => {
  app = await createTestApp({ clock, receivesWebhooks: true })
  app.standIns.telephony.accountMode({ mode: 'token' })
  manager = await app.signIn('manager@demo.example')
  agent = await app.signIn('agent1@demo.example')
  user = await app.signIn('user@demo.example')
})
afterAll(() => app[Symbol.asyncDispose]())

const overview = async (token = manager.token): Promise<OverviewAnswer> => {
  const { status, body } = await app.rest('GET', '/api/supervisor/overview', { token })
  expect(status).toBe(200)
  return overviewSchema.parse(body)
}

test('shows a call while it rings, is answered and ends; counts it once, also if its disposition comes later', async () => {
  await app.rest('PUT', '/api/agents/me/state', { token: agent.token, body: { state: 'READY' } })
  // The provider reports the sign-in at the same time.
  const before = await waitFor(async () => {
    const seen = await overview()
    expect(seen.agents).toMatchObject([{ providerAgentId: 'agent1', state: 'READY', signedInAt: agent.lockedAt }])
    return seen
  })
  expect(before.callsNow).toMatchObject({ ringing: 0, onCall: 0, waiting: 0, longestWaitSince: null, calls: [] })
  const { ucid } = app.standIns.telephony.ring({ from: '+919812345670', agentId: 'agent1' })
  const ringing = await waitFor(async () => {
    const seen = await overview()
    return seen.callsNow.ringing === 1 ? seen : null
  })
  expect(ringing.callsNow.calls).toMatchObject([{ ucid, phase: 'RINGING', agentId: agent.agentId, phoneNumber: '+919812345670' }])
  expect(ringing.callsNow).toMatchObject({ waiting: 1, longestWaitSince: ringing.callsNow.calls[0]?.since })
  expect(ringing.callsNow.byAgent).toMatchObject([{ agentId: agent.agentId, ringing: 1, onCall: 0 }])
  app.standIns.telephony.answer({ ucid })
  const talking = await waitFor(async () => {
    const seen = await overview()
    return seen.callsNow.onCall === 1 && seen.agents[0]?.state === 'ON_CALL' ? seen : null
  })
  const { calls, answered, offered, answeredInTime, missed, answeredInbound } = talking.today.total
  expect({ calls, answered, offered, answeredInTime }).toEqual({
    calls: before.today.total.calls + 1,
    answered: before.today.total.answered + 1,
    offered: before.today.total.offered + 1,
    answeredInTime: before.today.total.answeredInTime + 1,
  })
  expect(talking.today.serviceLevelSeconds).toBe(20)
  expect(talking.today.total.serviceLevel).toBe(answeredInTime / (answeredInbound + missed))
  // The provider's times are whole seconds: the call must not end in the second in which it began.
  clock.advance(1_100)
  app.standIns.telephony.hangUp({ ucid })
  await waitFor(async () => (await overview()).callsNow.onCall === 0)
  const undisposed = await overview()
  expect(undisposed.today.total.answered).toBe(before.today.total.answered + 1)
  expect(undisposed.today.byDisposition.find(({ disposition }) => disposition === 'Complaint')).toBeUndefined()
  const body = { disposition: 'Complaint', next: { state: 'READY' } }
  expect((await app.rest('POST', `/api/calls/${ucid}/disposition`, { token: agent.token, body })).status).toBe(200)
  const after = await waitFor(async () => {
    const seen = await overview()
    const isWrappedUp = seen.agents[0]?.state === 'READY' && seen.today.total.averageWrapUpSeconds !== null
    return isWrappedUp && seen.today.byCampaign.some(({ campaignName }) => campaignName !== null) ? seen : null
  })
  expect(after.today.byDisposition.find(({ disposition }) => disposition === 'Complaint')?.counts).toMatchObject({
    calls: 1,
    answered: 1,
  })
  expect(after.today.total).toMatchObject({ calls: before.today.total.calls + 1, answered: before.today.total.answered + 1 })
  const own = after.today.byAgent.find(({ agentId }) => agentId === agent.agentId)
  expect(own?.agentName).toBe(after.agents[0]?.agentName)
  expect(own?.counts.answered).toBe(1)
  const sum = (rows: readonly { readonly counts: { readonly calls: number } }[]) => rows.reduce((all, { counts }) => all + counts.calls, 0)
  const { byAgent, byCampaign, byDisposition, byHour, total } = after.today
  expect([byAgent, byCampaign, byDisposition, byHour].map(sum)).toEqual([total.calls, total.calls, total.calls, total.calls])
})

test('a missed call waits until the caller is called back', async () => {
  const before = await overview()
  const { ucid } = app.standIns.telephony.missCall({ from: '+919945012345' })
  const missed = await waitFor(async () => {
    const seen = await overview()
    return seen.missedWaiting.count > before.missedWaiting.count ? seen : null
  })
  expect(missed.missedWaiting.calls[0]).toMatchObject({ ucid, phoneNumber: '+919945012345' })
  // Nobody has looked the caller up, and the lead is there nevertheless.
  const [lead] = app.standIns.platform.records('demo', 'lead', { phones: { primaryPhoneNumber: { eq: '9945012345' } } })
  await waitFor(async () => (await overview()).missedWaiting.calls[0]?.['leadId'] === lead?.['id'])
  expect(missed.today.total.missed).toBe(before.today.total.missed + 1)
  const dialled = await app.rest('POST', '/api/calls/dial', { token: agent.token, body: { phoneNumber: '+919945012345' } })
  expect(dialled.status).toBe(200)
  await waitFor(async () => (await overview()).missedWaiting.count === before.missedWaiting.count)
  expect((await overview()).today.total.missed).toBe(before.today.total.missed + 1)
})

test("shows the doctors' free slots of the directory, counted by the clinic's day", async () => {
  const seen = await waitFor(async () => {
    const now = await overview()
    return now.freeSlots.length > 0 ? now : null
  })
  const { body } = await app.rest('GET', '/api/doctors', { token: manager.token })
  const directory = z
    .object({
      doctors: z.array(z.looseObject({ name: z.string(), active: z.boolean() })),
      slots: z.array(z.looseObject({ state: z.string() })),
    })
    .parse(body)
  const free = directory.slots.filter(({ state }) => state === 'FREE').length
  expect(seen.freeSlots.reduce((all, { total }) => all + total, 0)).toBeLessThanOrEqual(free)
  expect(seen.freeSlots.every(({ today, total, nextStartsAt }) => today <= total && (nextStartsAt ?? '') > seen.at)).toBe(true)
  const names = new Set(directory.doctors.map(({ name }) => name))
  expect(seen.freeSlots.every(({ doctorName }) => names.has(doctorName))).toBe(true)
})

test('reading the overview sends no request to the platform', async () => {
  const key = `Bearer ${app.standIns.platform.apiKeyOf('demo')}`
  // What the service does by itself, such as writing the records of earlier calls, comes to an end.
  await waitFor(async () => {
    app.standIns.platform.forgetCalls()
    for (let read = 0; read < 20; read += 1) await overview()
    const sent = app.standIns.platform.calls().filter(({ headers }) => headers.authorization === key)
    expect(sent.filter(({ operation }) => /call|agent/i.test(operation))).toEqual([])
    return true
  })
})

test('rejects agents, users and anonymous clients, by REST, query and subscription', async () => {
  for (const token of [agent.token, user.token]) {
    expect((await app.rest('GET', '/api/supervisor/overview', { token })).status).toBe(403)
    const answer = await app.graphql('{ supervision { at } }', { token })
    expect(answer.errors?.[0]?.extensions).toMatchObject({ code: 'FORBIDDEN' })
    const stream = await subscribe(app.url, { query: 'subscription { supervisionUpdates { at } }', token })
    await waitFor(() => stream.ended)
    expect(stream.text).toContain('FORBIDDEN')
  }
  expect((await app.rest('GET', '/api/supervisor/overview')).status).toBe(401)
})

test('shows nothing of another workspace', async () => {
  const other = await app.signIn('manager@acme.example')
  const seen = await overview(other.token)
  const own = await overview()
  expect(own.today.total.calls).toBeGreaterThan(0)
  expect(seen.today.total.calls).toBe(0)
  expect(seen.agents).toEqual([])
  expect(seen.missedWaiting).toEqual({ count: 0, oldestAt: null, calls: [] })
  expect(JSON.stringify(seen)).not.toContain('agent1')
})

const updates = 'subscription { supervisionUpdates { callsNow { ringing } today { total { calls } } } }'

test('the subscription sends the current overview, then changes, at most once a second', async () => {
  const streams = await Promise.all([1, 2].map(() => subscribe(app.url, { query: updates, token: manager.token })))
  const came = (index: number): number => streams[index]?.text.match(/"supervisionUpdates"/g)?.length ?? 0
  await waitFor(() => came(0) > 0 && came(1) > 0)
  const first = [came(0), came(1)]
  const before = (await overview()).today.total.calls
  const startedAt = performance.now()
  for (let round = 0; round < 8; round += 1) app.standIns.telephony.missCall({ from: `+91994501240${round}` })
  await waitFor(() => streams.every(({ text }) => text.includes(`"calls":${before + 8}`)))
  const seconds = (performance.now() - startedAt) / 1_000
  for (const index of [0, 1]) expect(came(index) - (first[index] ?? 0)).toBeLessThanOrEqual(1 + Math.ceil(seconds))
  for (const stream of streams) stream.leave()
})

test('a change during a slow first read is sent after that read', async () => {
  await using slow = await createTestApp({ clock, receivesWebhooks: true })
  slow.standIns.telephony.accountMode({ mode: 'token' })
  const { token } = await slow.signIn('manager@demo.example')
  await slow.signIn('agent1@demo.example')
  slow.standIns.platform.fault({ operation: 'doctors', act: 'answer', delayMs: 5_000 })
  const stream = await subscribe(slow.url, { query: updates, token })
  slow.standIns.telephony.ring({ from: '+919812345670', agentId: 'agent1' })
  await waitFor(() => stream.text.includes('"ringing":1'))
  expect(stream.ended).toBe(false)
  stream.leave()
})

test('shows an agent once whose ID at the provider changed while they were signed in, and frees the former one', async () => {
  const before = await app.signIn('agent2@demo.example')
  const change = { agent: { providerAgentId: 'agent2-new' } }
  expect((await app.rest('PUT', `/api/team/members/${before.memberId}`, { token: manager.token, body: change })).status).toBe(200)
  const after = await app.signIn('agent2@demo.example')
  const own = await waitFor(async () => {
    const rows = (await overview()).agents.filter(({ agentId }) => agentId === after.agentId)
    return rows.length === 1 && rows
  })
  expect(own).toMatchObject([{ providerAgentId: 'agent2-new', signedInAt: after.lockedAt }])
  expect(app.standIns.telephony.agent({ agentId: 'agent2' }).status).toBe('loggedOut')
  const body = { lockedAt: before.lockedAt }
  expect(await app.rest('POST', '/auth/heartbeat', { token: before.token, body })).toMatchObject({
    body: { data: { endedBy: 'TAKE_OVER' } },
  })
})
