import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { telephonyAccounts } from '../../src/sandbox/accounts.ts'
import { createTestApp, type TestApp, type TestSignIn } from '../harness/app.ts'

/** The outcome codes and not-ready reasons that an agent may choose, and the errors that list them. */

let app: TestApp
let agent: TestSignIn
let manager: TestSignIn
beforeAll(async () => {
  app = await createTestApp()
  manager = await app.signIn('manager@demo.example')
  agent = await app.signIn('agent1@demo.example')
})
afterEach(() => configure({ dispositions: [], notReadyReasons: [] }))
afterAll(() => app[Symbol.asyncDispose]())

const configure = (body: unknown) => app.rest('PUT', '/api/config/telephony', { token: manager.token, body })
const readSettings = (token: string) => app.rest('GET', '/api/calls/settings', { token })
const dispose = (ucid: string, body: unknown) => app.rest('POST', `/api/calls/${ucid}/disposition`, { token: agent.token, body })
const setState = (body: unknown) => app.rest('PUT', '/api/agents/me/state', { token: agent.token, body })
const endedCall = () => app.standIns.telephony.inboundCall({ from: '+919876543210', agentId: 'agent1' }).ucid
const refusal = (field: Readonly<Record<string, unknown>>) => ({
  status: 400,
  body: { code: 'BAD_USER_INPUT', data: { fields: [field] } },
})

test('agents read the dispositions and not-ready reasons that a manager has listed', async () => {
  expect(await readSettings(agent.token)).toMatchObject({ status: 200, body: { dispositions: [], notReadyReasons: [] } })
  const lists = { dispositions: ['Information Given', 'Complaint'], notReadyReasons: ['Lunch', 'Training'] }
  expect(await configure(lists)).toMatchObject({ status: 200 })
  expect((await readSettings(agent.token)).body).toMatchObject(lists)
  const query = '{ callSettings { dispositions notReadyReasons capabilities } }'
  const { data } = await app.graphql(query, { token: agent.token })
  expect(data).toMatchObject({ callSettings: lists })
  expect(JSON.stringify(data)).toContain('"HOLD"')
  const user = await app.signIn('user@demo.example')
  expect(await readSettings(user.token)).toMatchObject({ status: 403 })
})

test('a workspace without a telephony provider has no capabilities, and does not see the lists of another', async () => {
  await configure({ dispositions: ['Complaint'] })
  const other = await app.signIn('agent1@acme.example')
  const otherManager = await app.signIn('manager@acme.example')
  await app.rest('PUT', '/api/config/telephony', { token: otherManager.token, body: { provider: null } })
  expect(await readSettings(other.token)).toMatchObject({ status: 200, body: { dispositions: [], notReadyReasons: [], capabilities: [] } })
})

test('both lists have limits', async () => {
  const many = Array.from({ length: 201 }, (_, index) => `Code ${index}`)
  for (const list of ['dispositions', 'notReadyReasons']) {
    expect(await configure({ [list]: many })).toMatchObject({ status: 400 })
    expect(await configure({ [list]: ['x'.repeat(101)] })).toMatchObject({ status: 400 })
    expect(await configure({ [list]: ['Twice', 'Twice'] })).toMatchObject({ status: 400 })
  }
})

test('a disposition that is not listed is refused with the allowed ones', async () => {
  const ucid = endedCall()
  const allowed = ['Information Given', 'Complaint']
  await configure({ dispositions: allowed })
  for (const disposition of ['Wrong Number', '', '   ']) {
    expect(await dispose(ucid, { disposition })).toMatchObject(refusal({ path: 'disposition', allowed }))
  }
  expect(app.standIns.telephony.call({ ucid }).disposition).toBe('')
})

test("a disposition that only the provider refuses is refused with the account's other ones", async () => {
  const ucid = endedCall()
  await configure({ dispositions: ['Information Given', 'Not at the provider'] })
  const answer = await dispose(ucid, { disposition: 'Not at the provider' })
  expect(answer).toMatchObject(refusal({ path: 'disposition', allowed: ['Information Given'] }))
  await configure({ dispositions: [] })
  expect(await dispose(ucid, { disposition: 'Not at the provider' })).toMatchObject(refusal({ path: 'disposition' }))
})

test('a not-ready reason that is missing, not listed, or refused by the provider is refused with the allowed ones', async () => {
  const ucid = endedCall()
  const disposition = 'Information Given'
  await configure({ notReadyReasons: ['Lunch', 'Nap'] })
  for (const reason of [undefined, '', 'Boredom']) {
    const allowed = ['Lunch', 'Nap']
    expect(await setState({ state: 'NOT_READY', reason })).toMatchObject(refusal({ path: 'reason', allowed }))
    const next = { state: 'NOT_READY', reason }
    expect(await dispose(ucid, { disposition, next })).toMatchObject(refusal({ path: 'next.reason', allowed }))
  }
  const nap = { state: 'NOT_READY', reason: 'Nap' }
  expect(await setState(nap)).toMatchObject(refusal({ path: 'reason', allowed: ['Lunch'] }))
  expect(await dispose(ucid, { disposition, next: nap })).toMatchObject(refusal({ path: 'next.reason', allowed: ['Lunch'] }))
  await configure({ notReadyReasons: [] })
  expect(await setState(nap)).toMatchObject(refusal({ path: 'reason' }))
})

test('texts of a disposition have limits', async () => {
  const ucid = endedCall()
  const disposition = 'Information Given'
  expect(await dispose(ucid, { disposition: 'x'.repeat(101) })).toMatchObject(refusal({ path: 'disposition' }))
  expect(await dispose(ucid, { disposition, notes: 'x'.repeat(8_001) })).toMatchObject(refusal({ path: 'notes' }))
  expect(await dispose('1'.repeat(101), { disposition })).toMatchObject(refusal({ path: 'ucid' }))
})

test('the sandbox that a person starts lists what its telephony account knows', async () => {
  await using demo = await createTestApp({ withDemo: true })
  const { token } = await demo.signIn('agent1@demo.example')
  const { dispositions, pauseReasons } = telephonyAccounts.demo
  expect(await demo.rest('GET', '/api/calls/settings', { token })).toMatchObject({ body: { dispositions, notReadyReasons: pauseReasons } })
})
