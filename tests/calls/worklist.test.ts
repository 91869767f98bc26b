import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { createTestApp, type TestApp, type TestSignIn } from '../harness/app.ts'
import { subscribeElsewhere } from '../harness/connect-telephony.ts'
import { type Subscribed, subscribe } from '../harness/subscribe.ts'
import { waitFor } from '../harness/wait-for.ts'

let app: TestApp
let agent: TestSignIn
let other: TestSignIn
let manager: TestSignIn
let webhookUrl: string
let liveEventsUrl: string
let aheadMs = 0

beforeAll(async () => {
  app = await createTestApp({ clock: { now: () => Date.now() + aheadMs }, receivesWebhooks: true })
  app.standIns.telephony.accountMode({ mode: 'token' })
  manager = await app.signIn('manager@demo.example')
  agent = await app.signIn('agent1@demo.example')
  other = await app.signIn('agent2@demo.example')
  const former = app.standIns.telephony.liveEvents().callEvents
  const { body } = await app.rest('POST', '/api/calls/callback-keys', { token: manager.token, body: { provider: 'ozonetel' } })
  aheadMs += 5_000
  liveEventsUrl = await waitFor(() => {
    const { callEvents } = app.standIns.telephony.liveEvents()
    return callEvents !== former && callEvents
  })
  webhookUrl = `${app.url}${z.object({ path: z.string() }).parse(body).path}`
  await app.rest('PUT', '/api/config/telephony', { token: manager.token, body: { claimMinutes: 1 } })
})
beforeEach(async () => {
  app.standIns.telephony.accountMode({ endOfCallUrl: webhookUrl, delivery: 'works' })
  if (app.standIns.telephony.liveEvents().callEvents !== liveEventsUrl) await subscribeElsewhere(app.standIns.telephony, liveEventsUrl)
})
afterAll(() => app[Symbol.asyncDispose]())

const entrySchema = z.looseObject({
  id: z.string(),
  phoneNumber: z.string(),
  status: z.string(),
  dueAt: z.string(),
  missedCount: z.number(),
  firstMissedAt: z.string().nullable(),
  lastMissedAt: z.string().nullable(),
  callbacks: z.array(z.object({ ucid: z.string(), at: z.string(), taskId: z.string() })),
  tries: z.number(),
  claim: z.looseObject({ agentId: z.string(), agentName: z.string(), until: z.string().nullable() }).nullable(),
  assignee: z.looseObject({ agentId: z.string().nullable(), memberId: z.string() }).nullable(),
})
type Entry = z.output<typeof entrySchema>

async function worklist(query = '', token = agent.token): Promise<readonly Entry[]> {
  const { status, body } = await app.rest('GET', `/api/calls/worklist${query}`, { token })
  expect(status).toBe(200)
  return z.array(entrySchema).parse(body)
}

const entryOf = async (phoneNumber: string, query = '') => (await worklist(query)).find((entry) => entry.phoneNumber === phoneNumber)
const listed = (phoneNumber: string) => waitFor(() => entryOf(phoneNumber), { what: `${phoneNumber} in the worklist` })
const gone = (phoneNumber: string) => waitFor(async () => !(await entryOf(phoneNumber)))
const claim = (id: string, { token }: TestSignIn) => app.rest('POST', `/api/calls/worklist/${id}/claim`, { token })
const giveBack = (id: string, { token }: TestSignIn) => app.rest('DELETE', `/api/calls/worklist/${id}/claim`, { token })
const finish = (id: string, { token }: TestSignIn, outcome = 'NOT_NEEDED') =>
  app.rest('POST', `/api/calls/worklist/${id}/done`, { token, body: { outcome } })
const dial = (phoneNumber: string, { token }: TestSignIn, more: Readonly<Record<string, unknown>> = {}) =>
  app.rest('POST', '/api/calls/dial', { token, body: { phoneNumber, ...more } })
const ucidOf = (body: unknown) => z.object({ ucid: z.string() }).parse(body).ucid

async function miss(phoneNumber: string): Promise<Entry> {
  app.standIns.telephony.missCall({ from: phoneNumber })
  return listed(phoneNumber)
}

/** Brings an agent from a call that has ended back to calls. */
async function free({ token }: TestSignIn, ucid: string): Promise<void> {
  const body = { disposition: 'Information Given', next: { state: 'READY' } }
  await waitFor(async () => (await app.rest('POST', `/api/calls/${ucid}/disposition`, { token, body })).status === 200)
  await waitFor(async () => (await app.rest('PUT', '/api/agents/me/state', { token, body: { state: 'READY' } })).status === 200)
}

const phaseOf = async (ucid: string) => {
  const { body } = await app.rest('POST', '/api/calls/lookup?enrich=false', { token: manager.token, body: { ucid } })
  return z.object({ call: z.object({ phase: z.string() }) }).safeParse(body).data?.call.phase
}

test('groups the missed calls of a number into one entry, for all agents of the workspace and no other', async () => {
  const from = '+919811100001'
  await miss(from)
  app.standIns.telephony.missCall({ from })
  const entry = await waitFor(async () => ((await entryOf(from))?.missedCount === 2 ? entryOf(from) : null))
  expect(entry).toMatchObject({ status: 'OPEN', claim: null, tries: 0, callbacks: [] })
  expect((entry.firstMissedAt ?? '9') <= (entry.lastMissedAt ?? '')).toBe(true)
  expect(entry.dueAt).toBe(entry.firstMissedAt)
  expect((await worklist('', other.token)).map(({ id }) => id)).toContain(entry.id)
  const elsewhere = await app.signIn('manager@acme.example')
  expect(await worklist('', elsewhere.token)).toEqual([])
  expect((await claim(entry.id, elsewhere)).status).not.toBe(200)
  expect((await claim('x'.repeat(500), agent)).status).toBe(400)
  const user = await app.signIn('user@demo.example')
  expect((await app.rest('GET', '/api/calls/worklist', { token: user.token })).status).toBe(403)
})

test('lets exactly one of two agents claim each of twenty people, however they hurry', async () => {
  const numbers = Array.from({ length: 20 }, (_, index) => `+9198222000${String(index).padStart(2, '0')}`)
  for (const from of numbers) app.standIns.telephony.missCall({ from })
  const entries = await waitFor(async () => {
    const found = (await worklist('?first=200')).filter(({ phoneNumber }) => numbers.includes(phoneNumber))
    return found.length === numbers.length ? found : null
  })
  const answers = await Promise.all(entries.map(({ id }) => Promise.all([claim(id, agent), claim(id, other)])))
  for (const both of answers) {
    expect(both.map(({ status }) => status).toSorted((low, high) => low - high)).toEqual([200, 409])
    const won = entrySchema.parse(both.find(({ status }) => status === 200)?.body)
    const lost = both.find(({ status }) => status === 409)?.body
    expect(lost).toMatchObject({ reason: 'ALREADY_CLAIMED', data: { claimedBy: { agentId: won.claim?.agentId }, until: won.claim?.until } })
    expect(JSON.stringify(lost)).toContain(won.claim?.agentName ?? 'nobody')
  }
  await Promise.all(entries.map(({ id }) => finish(id, manager)))
})

test('dialling claims the person; who was not reached stays with a counted try, who was reached goes', async () => {
  const from = '+919811100003'
  const { id } = await miss(from)
  const changes: Subscribed = await subscribe(app.url, {
    query: 'subscription { worklistChanges { kind entry { phoneNumber status tries closed { outcome ucid } } } }',
    token: other.token,
  })
  await waitFor(() => changes.text.includes(from))
  const before = app.standIns.telephony.calls('AgentManualDial').length
  const first = ucidOf((await dial(from, agent)).body)
  expect(await dial(from, other)).toMatchObject({ status: 409, body: { reason: 'ALREADY_CLAIMED', data: { until: null } } })
  expect((await claim(id, other)).status).toBe(409)
  expect((await finish(id, other)).status).toBe(409)
  expect((await giveBack(id, agent)).body).toMatchObject({ reason: 'WRONG_STATE' })
  expect(app.standIns.telephony.calls('AgentManualDial').length).toBe(before + 1)
  app.standIns.telephony.hangUp({ ucid: first })
  await waitFor(async () => (await entryOf(from))?.tries === 1)
  expect(await entryOf(from)).toMatchObject({ status: 'CLAIMED', missedCount: 1 })
  expect((await giveBack(id, agent)).status).toBe(200)
  expect(await entryOf(from)).toMatchObject({ status: 'OPEN', claim: null })
  const second = ucidOf((await dial(from, other)).body)
  await gone(from)
  await waitFor(() => changes.text.includes(`"outcome":"REACHED","ucid":"${second}"`))
  changes.leave()
  const missed = await app.rest('GET', '/api/calls/missed?waitingOnly=false', { token: agent.token })
  expect(JSON.stringify(missed.body)).toContain(`"calledBackUcid":"${second}"`)
  await waitFor(async () => (await phaseOf(second)) === 'COMPLETED')
  await free(other, second)
  await free(agent, first)
})

test('lets one of two agents who dial the same person at once make the call', async () => {
  const from = '+919811100004'
  await miss(from)
  const before = app.standIns.telephony.calls('AgentManualDial').length
  const answers = await Promise.all([dial(from, agent), dial(from, other)])
  expect(answers.map(({ status }) => status).toSorted((low, high) => low - high)).toEqual([200, 409])
  expect(app.standIns.telephony.calls('AgentManualDial').length).toBe(before + 1)
  const winner = answers[0]?.status === 200 ? agent : other
  const ucid = ucidOf(answers.find(({ status }) => status === 200)?.body)
  await gone(from)
  await waitFor(async () => (await phaseOf(ucid)) === 'COMPLETED')
  await free(winner, ucid)
})

test('gives the claim back if the provider makes no call', async () => {
  const from = '+919811100005'
  const { id } = await miss(from)
  const refused = await dial(from, agent, { via: 'OUTBOUND', agentPhoneNumber: null })
  expect(refused.status).not.toBe(200)
  expect(await entryOf(from)).toMatchObject({ status: 'OPEN' })
  expect((await claim(id, other)).status).toBe(200)
  expect((await finish(id, other)).status).toBe(200)
})

test('ends an unworked claim by its time, but not while its call is in progress', async () => {
  const from = '+919811100006'
  const { id } = await miss(from)
  expect((await claim(id, agent)).status).toBe(200)
  expect((await claim(id, other)).status).toBe(409)
  aheadMs += 61_000
  expect((await claim(id, other)).status).toBe(200)
  expect((await giveBack(id, other)).status).toBe(200)
  // The service does not learn how this call goes on, whatever it subscribes; nobody's phone rings for ten minutes.
  app.standIns.telephony.accountMode({ delivery: 'lost' })
  const ucid = ucidOf((await dial(from, agent)).body)
  // It must not go on during the next tests.
  app.standIns.telephony.hangUp({ ucid })
  aheadMs += 61_000
  expect(await claim(id, other)).toMatchObject({ status: 409, body: { reason: 'ALREADY_CLAIMED', data: { until: null } } })
  expect(await dial(from, other, { overrideClaim: true })).toMatchObject({ status: 403 })
  aheadMs += 10 * 60_000
  expect((await claim(id, other)).status).toBe(200)
  await free(agent, ucid)
  expect((await finish(id, manager)).status).toBe(200)
})

test('closes an entry when the person calls again and is answered, also if the missed call is reported later', async () => {
  const from = '+919811100007'
  await miss(from)
  // A call that begins now: one that is played at once began before the missed call, and its record may arrive first.
  const answered = app.standIns.telephony.ring({ from, agentId: 'agent1' })
  app.standIns.telephony.answer({ ucid: answered.ucid })
  app.standIns.telephony.hangUp({ ucid: answered.ucid })
  await gone(from)
  await free(agent, answered.ucid)
  // Without the provider's record, a missed call counts only after some seconds.
  app.standIns.telephony.accountMode({ endOfCallUrl: null })
  const late = '+919811100017'
  const { ucid } = app.standIns.telephony.missCall({ from: late })
  const second = app.standIns.telephony.ring({ from: late, agentId: 'agent1' })
  app.standIns.telephony.answer({ ucid: second.ucid })
  await waitFor(async () => (await phaseOf(second.ucid)) === 'ANSWERED')
  const all = () => app.rest('GET', '/api/calls/missed?waitingOnly=false', { token: agent.token })
  const item = await waitFor(async () =>
    z
      .array(z.looseObject({ ucid: z.string(), calledBackUcid: z.string().nullable() }))
      .parse((await all()).body)
      .find((call) => call.ucid === ucid),
  )
  expect(item.calledBackUcid).toBe(second.ucid)
  expect(await entryOf(late)).toBeUndefined()
  app.standIns.telephony.hangUp({ ucid: second.ucid })
  await free(agent, second.ucid)
})

test('closes an entry with an outcome, once, and takes its missed calls out of those that wait', async () => {
  const from = '+919811100008'
  const { id } = await miss(from)
  const closed = await finish(id, agent, 'WRONG_NUMBER')
  expect(closed).toMatchObject({ status: 200, body: { status: 'CLOSED', closed: { outcome: 'WRONG_NUMBER', agentId: agent.agentId } } })
  expect((await finish(id, other, 'GAVE_UP')).body).toMatchObject({ closed: { outcome: 'WRONG_NUMBER' } })
  expect(await entryOf(from)).toBeUndefined()
  expect((await claim(id, agent)).body).toMatchObject({ reason: 'WRONG_STATE' })
  const waiting = await app.rest('GET', '/api/calls/missed', { token: agent.token })
  expect(JSON.stringify(waiting.body)).not.toContain(from)
  const audit = await app.rest('GET', '/api/audit', { token: manager.token })
  expect(JSON.stringify(audit.body)).toContain('worklist.finished')
  // The next missed call opens it again, without what happened before.
  expect(await miss(from)).toMatchObject({ id, status: 'OPEN', missedCount: 1, tries: 0 })
  await finish(id, agent)
})

test('an agent moves a person to another time, unless another agent has them', async () => {
  const from = '+919811100019'
  const { id } = await miss(from)
  const dueAt = new Date(Date.now() + aheadMs + 3_600_000).toISOString()
  const schedule = ({ token }: TestSignIn, body: object = { dueAt }) => app.rest('PUT', `/api/calls/worklist/${id}/due`, { token, body })
  await claim(id, agent)
  expect(await schedule(other)).toMatchObject({
    status: 409,
    body: { reason: 'ALREADY_CLAIMED', data: { claimedBy: { name: 'Asha Menon' } } },
  })
  expect(await schedule(agent)).toMatchObject({ status: 200, body: { status: 'CLAIMED', dueAt } })
  await giveBack(id, agent)
  const past = { dueAt: '2020-01-01T00:00:00.000Z' }
  expect(await schedule(other, past)).toMatchObject({ status: 400, body: { data: { fields: [{ path: 'dueAt' }] } } })
  expect((await schedule(other)).status).toBe(200)
  const assign = (agentId: unknown) => app.rest('PUT', `/api/calls/worklist/${id}/assignee`, { token: manager.token, body: { agentId } })
  const [record] = app.standIns.platform.records('demo', 'agent', { workspaceMemberId: { eq: other.memberId } })
  expect((await assign(record?.['id'])).status).toBe(200)
  expect(await schedule(agent)).toMatchObject({
    status: 403,
    body: { reason: 'ROLE_MISSING', detail: expect.stringContaining('is assigned to Ravi Kumar') as unknown },
  })
  expect((await schedule(other)).status).toBe(200)
  expect((await schedule(manager)).status).toBe(200)
  const audit = await app.rest('GET', `/api/audit?targetId=${id}&action=worklist.scheduled`, { token: manager.token })
  expect(audit.body).toMatchObject({
    entries: [
      { actor: { name: 'Nandini Menon' } },
      { actor: { name: 'Ravi Kumar' } },
      { actor: { name: 'Ravi Kumar' } },
      { actor: { name: 'Asha Menon' } },
    ],
  })
  await finish(id, manager)
})

test('lets managers assign people to active agents, set due times, end and override claims, and audits it', async () => {
  const from = '+919811100009'
  const { id } = await miss(from)
  const put = (part: string, body: unknown, { token }: TestSignIn = manager) =>
    app.rest('PUT', `/api/calls/worklist/${id}/${part}`, { token, body })
  expect((await put('assignee', { agentId: other.agentId }, agent)).status).toBe(403)
  const agentRecord = app.standIns.platform.records('demo', 'agent', { workspaceMemberId: { eq: other.memberId } })[0]
  const assigned = await put('assignee', { agentId: agentRecord?.['id'] })
  expect(assigned).toMatchObject({ status: 200, body: { assignee: { memberId: other.memberId } } })
  for (const agentId of ['3f0c9a52-6d1e-4c4b-9a77-0b5d2e8f1c64', 'nobody']) {
    expect(await put('assignee', { agentId })).toMatchObject({ status: 400, body: { data: { fields: [{ path: 'agentId' }] } } })
  }
  const dueAt = new Date(Date.now() + aheadMs + 3_600_000).toISOString()
  expect((await put('due', { dueAt })).body).toMatchObject({ dueAt })
  expect(await entryOf(from)).toBeUndefined()
  expect(await entryOf(from, '?includeLater=true')).toMatchObject({ dueAt })
  for (const wrong of ['2020-01-01T00:00:00.000Z', '2099-01-01T00:00:00.000Z'])
    expect((await put('due', { dueAt: wrong })).status).toBe(400)
  await claim(id, agent)
  expect((await giveBack(id, other)).status).toBe(409)
  expect((await giveBack(id, manager)).status).toBe(200)
  const audit = JSON.stringify((await app.rest('GET', '/api/audit', { token: manager.token })).body)
  for (const action of ['worklist.assigned', 'worklist.scheduled', 'worklist.claimEnded']) expect(audit).toContain(action)
  expect(audit).not.toContain(from)
  // Names of the staff at that time; of the person only the end of the number.
  const inAudit = { actor: { name: 'Nandini Menon' }, targetId: id, targetName: 'number ending in 0009' }
  const { body: ofEntry } = await app.rest('GET', `/api/audit?targetId=${id}`, { token: manager.token })
  const factsOf = (value: unknown): unknown => expect.arrayContaining([expect.objectContaining({ value })])
  expect(ofEntry).toMatchObject({
    entries: [
      { ...inAudit, action: 'worklist.claimEnded', details: factsOf('Asha Menon') },
      { ...inAudit, action: 'worklist.scheduled' },
      { ...inAudit, action: 'worklist.assigned', details: factsOf(agentRecord?.['name']) },
    ],
  })
  expect((await put('assignee', { agentId: null })).body).toMatchObject({ assignee: null })
  await finish(id, manager)
  expect((await put('due', { dueAt })).body).toMatchObject({ reason: 'WRONG_STATE' })
})

test('lets a manager dial a person whom another agent has claimed, if they say so, and audits it', async () => {
  const body = { agent: { providerAgentId: 'agent5', sipExtension: '1399' } }
  expect((await app.rest('PUT', `/api/team/members/${manager.memberId}`, { token: manager.token, body })).status).toBe(200)
  const supervisor = await app.signIn('manager@demo.example')
  const from = '+919811100010'
  const { id } = await miss(from)
  await claim(id, agent)
  const call = { via: 'OUTBOUND', agentPhoneNumber: '98450 12345' }
  expect(await dial(from, supervisor, call)).toMatchObject({ status: 409, body: { reason: 'ALREADY_CLAIMED' } })
  expect(await dial(from, supervisor, { ...call, overrideClaim: true })).toMatchObject({ status: 200 })
  expect(await entryOf(from)).toMatchObject({ claim: { until: null } })
  expect((await claim(id, agent)).status).toBe(409)
  expect(JSON.stringify((await app.rest('GET', '/api/audit', { token: manager.token })).body)).toContain('worklist.claimOverridden')
})

test('a manager gives a claimed person to another agent, or back to all; who gets or loses them gets a notice', async () => {
  const from = '+919811100011'
  const { id } = await miss(from)
  const [missed] = z
    .array(z.object({ phoneNumber: z.string().nullable(), worklistEntryId: z.string().nullable() }))
    .parse((await app.rest('GET', '/api/calls/missed', { token: manager.token })).body)
  expect(missed).toEqual({ phoneNumber: from, worklistEntryId: id })
  const assign = (body: unknown) => app.rest('PUT', `/api/calls/worklist/${id}/assignee`, { token: manager.token, body })
  const noticesOf = async ({ token }: TestSignIn) => {
    const { body } = await app.rest('GET', '/api/agents/me/notices', { token })
    const found = z.array(z.object({ kind: z.string(), message: z.string().nullable(), worklistEntryId: z.string() })).parse(body)
    return found.filter(({ worklistEntryId }) => worklistEntryId === id).map(({ kind, message }) => `${kind}: ${message}`)
  }
  await claim(id, agent)
  expect((await assign({ agentId: other.agentId })).body).toMatchObject({ status: 'CLAIMED', assignee: { memberId: other.memberId } })
  expect((await claim(id, other)).status).toBe(409)
  const moved = await assign({ agentId: other.agentId, endClaim: true, message: 'You know her' })
  expect(moved).toMatchObject({ status: 200, body: { status: 'OPEN', claim: null, assignee: { memberId: other.memberId } } })
  expect((await claim(id, other)).status).toBe(200)
  // The claim of the agent to whom the person is assigned stays.
  expect((await assign({ agentId: other.agentId, endClaim: true })).body).toMatchObject({ status: 'CLAIMED' })
  const ucid = ucidOf((await dial(from, other)).body)
  expect(await assign({ agentId: agent.agentId, endClaim: true, message: 'Take over' })).toMatchObject({
    status: 409,
    body: { reason: 'WRONG_STATE' },
  })
  expect(await entryOf(from)).toMatchObject({ assignee: { memberId: other.memberId } })
  app.standIns.telephony.hangUp({ ucid })
  await waitFor(async () => (await entryOf(from))?.tries === 1)
  expect((await assign({ agentId: null, endClaim: true, message: 'Back to all' })).body).toMatchObject({ status: 'OPEN', assignee: null })
  await free(other, ucid)
  await claim(id, agent)
  const body = { message: 'Not now' }
  expect((await app.rest('DELETE', `/api/calls/worklist/${id}/claim`, { token: manager.token, body })).status).toBe(200)
  expect(await noticesOf(agent)).toEqual(['CLAIM_ENDED: You know her', 'CLAIM_ENDED: Not now'])
  expect(await noticesOf(other)).toEqual(['PERSON_ASSIGNED: null', 'CLAIM_ENDED: Back to all'])
  const audit = JSON.stringify((await app.rest('GET', `/api/audit?targetId=${id}&action=worklist.assigned`, { token: manager.token })).body)
  for (const text of ['You know her', 'Back to all', 'formerAgentName']) expect(audit).toContain(text)
  expect(audit).not.toContain('Take over')
  await finish(id, manager)
})
