import { afterAll, beforeAll, expect, test } from 'vitest'
import { addAgentActivity } from '../../src/features/calls/agent-state/agent-state-store.ts'
import { factsOf } from '../../src/features/calls/state/call-facts.ts'
import { enrichCall } from '../../src/features/calls/screen-pop/enrich-call.ts'
import { lookUpCall } from '../../src/features/calls/screen-pop/look-up-call.ts'
import { readScreenPop, writeScreenPop } from '../../src/features/calls/screen-pop/recent-screen-pops.ts'
import { readControls } from '../../src/features/calls/state/call-state-store.ts'
import { controlCall } from '../../src/features/calls/control/control-call.ts'
import { dialOnce } from '../../src/features/calls/state/dial-once.ts'
import { placeCall } from '../../src/features/calls/dialling/place-call.ts'
import { trackAgent } from '../../src/features/calls/tracking/track-agent.ts'
import { agentTopic, updateCall } from '../../src/features/calls/state/update-call.ts'
import { writeRecords } from '../../src/features/calls/records/write-records.ts'
import { readAgent } from '../../src/features/sessions/read-agent.ts'
import { isoMoment } from '../../src/kernel/clock.ts'
import { AppError } from '../../src/kernel/errors.ts'
import { hashOf, newId } from '../../src/kernel/ids.ts'
import type { CallRecords } from '../../src/ports/call-records.ts'
import type { Store } from '../../src/ports/store.ts'
import { type CallsDesk, createCallsDesk } from '../harness/calls-desk.ts'
import { createTestClock } from '../harness/clock.ts'
import { doDue } from '../harness/do-due.ts'

let desk: CallsDesk
beforeAll(async () => {
  desk = await createCallsDesk()
})
afterAll(() => desk[Symbol.asyncDispose]())

const unavailable = () => Promise.reject(new AppError('STORE_UNAVAILABLE'))
/** Ports whose clock is ahead, so that queued records are due. */
const ports = (changes: Partial<Store> = {}) => ({
  ...desk.callPorts,
  clock: { now: () => Date.now() + 2_000 },
  store: { ...desk.store, ...changes },
})

async function reportCall(): Promise<string> {
  const ucid = newId()
  const facts = { direction: 'INBOUND', phoneNumber: '+919000000900', startedAt: new Date().toISOString() } as const
  const call = { workspaceId: desk.workspaceId, ucid }
  await updateCall(desk.callPorts, call, factsOf(facts, { source: 'LIVE', receivedAt: Date.now() }))
  return ucid
}
const recordsOf = (ucid: string) => desk.standIns.platform.records('demo', 'call', { ucid: { eq: ucid } })

test('reports the written records although the lease could not be released', async () => {
  const ucid = await reportCall()
  expect(await doDue(writeRecords, ports({ compareAndDelete: unavailable }))).toBe(1)
  expect(recordsOf(ucid)).toHaveLength(1)
  await desk.store.delete(`due-work-lease:${desk.workspaceId}:call-records-queued`)
})

test('leaves the records to the instance that holds the lease', async () => {
  const ucid = await reportCall()
  const key = `due-work-lease:${desk.workspaceId}:call-records-queued`
  await desk.store.setIfAbsent(key, 'another instance', { ttlMs: 15_000 })
  expect(await doDue(writeRecords, ports())).toBe(0)
  expect(recordsOf(ucid)).toHaveLength(0)
  await desk.store.delete(key)
  expect(await doDue(writeRecords, ports())).toBe(1)
  expect(recordsOf(ucid)).toHaveLength(1)
})

test('returns a call that was made although its result could not be stored, and leaves its key taken', async () => {
  const dialled = { ucid: '1', callId: '2', phoneNumber: '+919000000901', provider: 'ozonetel' }
  const member = { workspaceId: desk.workspaceId, memberId: newId() }
  const once = dialOnce(ports({ set: unavailable }), { member, idempotencyKey: 'once' }, async () => dialled)
  expect(await once).toEqual(dialled)
  // A repetition waits for the result of the first call, and makes no second one.
  expect(await desk.store.get(`dial:${member.workspaceId}:${member.memberId}:${hashOf('once')}`)).toContain('DIALLING')
})

test('says why there is no call although the store fails as well', async () => {
  const dialWith = (reason: 'WRONG_STATE' | 'DEADLINE_PASSED') =>
    dialOnce(
      ports({ compareAndDelete: unavailable, set: unavailable }),
      { member: { workspaceId: desk.workspaceId, memberId: newId() }, idempotencyKey: 'once' },
      () => Promise.reject(new AppError(reason)),
    )
  for (const reason of ['WRONG_STATE', 'DEADLINE_PASSED'] as const) await expect(dialWith(reason)).rejects.toMatchObject({ reason })
})

test('two agents whose clients choose the same idempotency key make a call each', async () => {
  const dialAs = (memberId: string) =>
    dialOnce(desk.callPorts, { member: { workspaceId: desk.workspaceId, memberId }, idempotencyKey: 'same' }, async () => ({
      ucid: memberId,
      callId: newId(),
      phoneNumber: '+919000000902',
      provider: 'ozonetel',
    }))
  const [first, second] = [newId(), newId()]
  expect([(await dialAs(first)).ucid, (await dialAs(second)).ucid, (await dialAs(first)).ucid]).toEqual([first, second, first])
})

test('each agent has a screen pop of their own, and an enrichment of what they may read themselves', async () => {
  const agents = await Promise.all(['agent1', 'agent2'].map((name) => desk.signIn(`${name}@demo.example`)))
  const asked = desk.standIns.models.calls().length
  for (const agent of [...agents, ...agents]) {
    const call = await lookUpCall(desk.callPorts, agent, { phoneNumber: '+919876543210' })
    expect(await enrichCall(desk.callPorts, agent, call)).toMatchObject({ available: true })
  }
  expect(desk.standIns.models.calls().length - asked).toBe(2)
  const [first, second] = agents.map(({ principal }) => principal)
  if (!first || !second) throw new Error('two agents have signed in')
  for (const [index, member] of [first, second].entries()) {
    await writeScreenPop(desk.callPorts, member, { phoneNumber: null, ucid: String(index) })
  }
  expect(await readScreenPop(desk.callPorts, first)).toMatchObject({ ucid: '0' })
})

test('a control that the provider refuses leaves the call as it was', async () => {
  const agent = await desk.signIn('agent1@demo.example')
  const { ucid } = desk.standIns.telephony.ring({ from: '+919000000903', agentId: 'agent1' })
  desk.standIns.telephony.answer({ ucid })
  const now = new Date().toISOString()
  const facts = { direction: 'INBOUND', phoneNumber: '+919000000903', agentId: 'agent1', startedAt: now, answeredAt: now } as const
  await updateCall(desk.callPorts, { workspaceId: desk.workspaceId, ucid }, factsOf(facts, { source: 'LIVE', receivedAt: Date.now() }))
  const controls = () => readControls(desk.callPorts, { workspaceId: desk.workspaceId, ucid })
  for (const action of ['HOLD', 'MUTE', 'CONFERENCE', 'PAUSE_RECORDING'] as const) {
    const before = await controls()
    desk.standIns.telephony.fault({ act: 'refuse', status: 503, times: 1 })
    const act = () => controlCall(desk.callPorts, agent, { ucid, action, phoneNumber: action === 'CONFERENCE' ? '+919000000904' : null })
    await expect(act()).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' })
    expect(await controls()).toEqual(before)
    await act()
    expect(await controls()).not.toEqual(before)
  }
  desk.standIns.telephony.hangUp({ ucid })
})

test('notifies live streams of an agent state before the platform has answered with the agent record', async () => {
  const agentId = newId()
  const lookup = Promise.withResolvers<null>()
  const notified = Promise.withResolvers<string>()
  using _ = desk.callPorts.notifications.subscribe(agentTopic, ({ payload }) => notified.resolve(payload))
  const agentDirectory = { ...desk.callPorts.agentDirectory, recordOf: () => lookup.promise }
  const origin = { workspaceId: desk.workspaceId, provider: 'ozonetel', receivedAt: Date.now() }
  const update = { about: 'AGENT', agentId, state: 'READY', reason: null, ucid: null, at: new Date().toISOString() } as const
  const tracking = trackAgent({ ...desk.callPorts, agentDirectory }, origin, update)
  expect(await notified.promise).toBe(agentId)
  lookup.resolve(null)
  await tracking
})

test('writes a changed record after a second, and one that the platform did not take after five more', async () => {
  const clock = createTestClock(new Date().toISOString())
  const key = { workspaceId: newId(), ucid: newId() }
  let tries = 0
  let isAway = true
  const writeMany: CallRecords['writeMany'] = async ({ workspaceId }) => {
    if (workspaceId !== key.workspaceId) return
    tries += 1
    if (isAway) throw new AppError('PROVIDER_UNAVAILABLE')
  }
  const own = { ...desk.callPorts, clock, callRecords: { ...desk.callPorts.callRecords, writeMany } }
  const startedAt = isoMoment(clock.now())
  await updateCall(own, key, factsOf({ direction: 'INBOUND', startedAt }, { source: 'LIVE', receivedAt: clock.now() }))
  const triesAfter = async (ms: number): Promise<number> => {
    clock.advance(ms)
    await doDue(writeRecords, own)
    return tries
  }
  expect([await triesAfter(999), await triesAfter(1)]).toEqual([0, 1])
  isAway = false
  expect([await triesAfter(4_999), await triesAfter(1), await triesAfter(60_000)]).toEqual([1, 2, 2])
})

test('lets an agent dial whose wrap-up was reported four hours ago, and not a moment earlier', async () => {
  const actor = await desk.signIn('agent1@demo.example')
  const agent = await readAgent(desk.callPorts, actor)
  if (agent === null) throw new Error('not an agent')
  const { workspaceId } = desk
  const telephony = await desk.configuration.read(workspaceId, 'telephony')
  const provider = await desk.telephonyOf(workspaceId)
  const telephonyOf = async () => ({ ...provider, dial: async () => ({ ucid: 'made' }) })
  const since = isoMoment(Date.now())
  const activity = { state: 'WRAP_UP', reason: null, since, receivedAt: Date.parse(since) } as const
  await addAgentActivity(desk.callPorts, { workspaceId, agentId: agent.providerAgentId }, activity)
  const call = { workspaceId, agent, signedInAt: since, telephony, phoneNumber: '+919876543210', leadId: null, agentPhoneNumber: null }
  const dialAfter = (ms: number) =>
    placeCall({ ...desk.callPorts, telephonyOf, clock: { now: () => Date.parse(since) + ms } }, call, 'AUTO')
  await expect(dialAfter(4 * 3_600_000 - 1)).rejects.toMatchObject({ reason: 'WRONG_STATE' })
  expect(await dialAfter(4 * 3_600_000)).toMatchObject({ ucid: 'made' })
})
