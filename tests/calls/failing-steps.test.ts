import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Actor } from '../../src/access/actor.ts'
import { readAgentState } from '../../src/features/calls/agent-state/agent-state-store.ts'
import { factsOf } from '../../src/features/calls/state/call-facts.ts'
import type { CallPorts } from '../../src/features/calls/state/call-ports.ts'
import { possibleActions } from '../../src/features/calls/state/call-provider.ts'
import { addCallFacts, readCall, readControls, writeControls } from '../../src/features/calls/state/call-state-store.ts'
import {
  checkLater,
  checkOutboundCallNow,
  checkOutboundCalls,
  openOutboundCalls,
} from '../../src/features/calls/tracking/check-outbound-calls.ts'
import { confirmLater, confirmMissedCalls } from '../../src/features/calls/missed-calls/confirm-missed-calls.ts'
import { controlCall } from '../../src/features/calls/control/control-call.ts'
import { dial, type DialInput } from '../../src/features/calls/dialling/dial.ts'
import { dialOnce } from '../../src/features/calls/state/dial-once.ts'
import { enrichCall } from '../../src/features/calls/screen-pop/enrich-call.ts'
import { createCallWebhookPath } from '../../src/features/calls/webhook-store/webhook-keys.ts'
import { lookUpCall } from '../../src/features/calls/screen-pop/look-up-call.ts'
import { addMissedCall, countWaitingCalls } from '../../src/features/calls/missed-calls/missed-call-store.ts'
import { readCurrentCall } from '../../src/features/calls/screen-pop/read-current-call.ts'
import { receiveWebhook } from '../../src/features/calls/webhooks/receive-webhook.ts'
import { readScreenPop, writeScreenPop } from '../../src/features/calls/screen-pop/recent-screen-pops.ts'
import { setAgentState } from '../../src/features/calls/agent-state/set-agent-state.ts'
import { trackAgent } from '../../src/features/calls/tracking/track-agent.ts'
import { claimEntry } from '../../src/features/calls/worklist/claim-entry.ts'
import { entryIdOf, readEntry } from '../../src/features/calls/worklist-entries/entry-store.ts'
import { readNotices } from '../../src/features/sessions/agent-notices.ts'
import { takeLock } from '../../src/features/sessions/session-lock.ts'
import { writeSessionRecord } from '../../src/features/sessions/session-records.ts'
import { isoMoment } from '../../src/kernel/clock.ts'
import { AppError, type ErrorReason } from '../../src/kernel/errors.ts'
import { newId } from '../../src/kernel/ids.ts'
import type { Configuration } from '../../src/ports/configuration/configuration.ts'
import { maxOutboundCallMs, type OutboundTelephony } from '../../src/ports/outbound-telephony.ts'
import type { Store } from '../../src/ports/store.ts'
import type { Telephony } from '../../src/ports/telephony.ts'
import { type CallsDesk, createCallsDesk } from '../harness/calls-desk.ts'
import { createTestClock } from '../harness/clock.ts'
import { failingStore } from '../harness/failing-store.ts'
import { doDue } from '../harness/do-due.ts'

/** What is left of a call, and what an agent is told, when one of the steps of a use case fails. */

let desk: CallsDesk
let agent: Actor
let telephony: Telephony
beforeAll(async () => {
  desk = await createCallsDesk()
  agent = await desk.signIn('agent1@demo.example')
  telephony = await desk.telephonyOf(desk.workspaceId)
  const { workspaceId, memberId } = agent.principal
  const agentKey = { workspaceId, providerAgentId: 'agent1' }
  const lockedAt = isoMoment(Date.now())
  await takeLock(desk.store, { agentKey, lock: { memberId, ip: '::1', lockedAt } })
  const record = { agentId: 'r1', agentName: 'Agent', memberId, lockedAt, credentials: null, isOver: false, takenOverBy: null }
  await writeSessionRecord({ store: desk.store, sessionBox: desk.callPorts.sessionBox }, agentKey, record)
})
afterAll(() => desk[Symbol.asyncDispose]())

const failing = (reason: ErrorReason) => () => Promise.reject(new AppError(reason))
const callKey = (ucid: string) => ({ workspaceId: desk.workspaceId, ucid })
const live = () => ({ source: 'LIVE', receivedAt: Date.now() }) as const

/** The second provider, and what it says of its calls. */
const outbound: OutboundTelephony = {
  capabilities: new Set(),
  dial: async () => ({ callId: newId(), callerId: '+918041234567', startedAt: null }),
  endedCall: async () => null,
  recording: () => Promise.reject(new Error('not used here')),
}
const withOutbound = (): Pick<CallPorts, 'configuration' | 'outboundTelephonyOf'> => {
  const configuration: Configuration = {
    async read(workspaceId, section) {
      const values = await desk.configuration.read(workspaceId, section)
      return 'outbound' in values ? { ...values, outbound: { id: 'second' } } : values
    },
  }
  return { configuration, outboundTelephonyOf: async () => outbound }
}

/** Dials while the store fails at these keys, as soon as the call is placed. */
async function dialWhileAway(area: string, input: Partial<DialInput> = {}, changes: Partial<CallPorts> = {}) {
  let isPlaced = false
  const ucid = newId()
  const placed = <Result>(result: Result): Result => {
    isPlaced = true
    return result
  }
  const store = failingStore(desk.store, (key) => isPlaced && area !== '' && key.startsWith(area))
  const ports = {
    ...desk.callPorts,
    ...withOutbound(),
    telephonyOf: async () => ({ ...telephony, dial: async () => placed({ ucid }) }),
    outboundTelephonyOf: async () => ({
      ...outbound,
      dial: async () => placed({ callId: ucid, callerId: '+918041234567', startedAt: null }),
    }),
    ...changes,
    store,
  }
  const dialled = await dial(ports, agent, { phoneNumber: '+919811500001', agentPhoneNumber: '9845012345', ...input })
  // The agent is free for the next call.
  await addCallFacts(desk.callPorts, callKey(ucid), factsOf({ answered: false, endedAt: isoMoment(Date.now()) }, live()))
  return { dialled, ucid }
}

const miss = (phoneNumber: string) => {
  const call = { ucid: newId(), phoneNumber, did: null, campaignName: null, leadId: null, at: isoMoment(Date.now()) }
  return addMissedCall(desk.callPorts, desk.workspaceId, call)
}
const entryOf = (phoneNumber: string) =>
  readEntry(desk.callPorts, { workspaceId: desk.workspaceId, id: entryIdOf(desk.workspaceId, phoneNumber) })

test.each(['call:', 'screen-pop:', 'worklist-entry:', 'outbound-calls-open'])(
  'a call that was made is no error although nothing can be stored at %s',
  async (area) => {
    const phoneNumber = '+919811500002'
    await miss(phoneNumber)
    const { dialled, ucid } = await dialWhileAway(area, { phoneNumber, via: area === 'outbound-calls-open' ? 'OUTBOUND' : 'TELEPHONY' })
    expect(dialled).toMatchObject({ ucid, phoneNumber })
  },
)

test('a call is stored, shown and claimed when the agent gets its id; its record may be written later', async () => {
  const phoneNumber = '+919811500003'
  await miss(phoneNumber)
  const leadId = String(desk.standIns.platform.records('demo', 'lead', {})[0]?.['id'])
  const callRecords = { ...desk.callPorts.callRecords, write: failing('PROVIDER_UNAVAILABLE') }
  const { dialled, ucid } = await dialWhileAway('', { phoneNumber, leadId }, { callRecords })
  expect(dialled).toMatchObject({ ucid, provider: 'ozonetel' })
  expect(await readCall(desk.callPorts, callKey(ucid))).toMatchObject({
    direction: 'OUTBOUND',
    phoneNumber,
    leadId,
    agentId: 'agent1',
  })
  expect(await readScreenPop(desk.callPorts, agent.principal)).toMatchObject({ ucid })
  expect(await entryOf(phoneNumber)).toMatchObject({ claim: { memberId: agent.principal.memberId, ucid } })
})

test('nobody gets the person while a call rings that could not be stored', async () => {
  const phoneNumber = '+919811500007'
  await miss(phoneNumber)
  const { ucid } = await dialWhileAway('call:', { phoneNumber, via: 'TELEPHONY' })
  const claim = (await entryOf(phoneNumber))?.claim
  expect(claim).toMatchObject({ memberId: agent.principal.memberId, ucid: null })
  expect(claim?.dialsUntil, ucid).not.toBeNull()
})

test('the claim goes if no call was made, stays if one may have been made, and its own failure hides nothing', async () => {
  let tried = 0
  const claimAfter = async (reason: ErrorReason, area = '') => {
    const phoneNumber = `+9198115010${10 + tried++}`
    await miss(phoneNumber)
    let isAsked = false
    const store = failingStore(desk.store, (key) => isAsked && area !== '' && key.startsWith(area))
    const refuse = async (): Promise<never> => {
      isAsked = true
      throw new AppError(reason)
    }
    const ports = { ...desk.callPorts, store, telephonyOf: async () => ({ ...telephony, dial: refuse }) }
    await expect(dial(ports, agent, { phoneNumber })).rejects.toMatchObject({ reason })
    return (await entryOf(phoneNumber))?.claim ?? null
  }
  expect(await claimAfter('PROVIDER_REFUSED')).toBeNull()
  expect(await claimAfter('DEADLINE_PASSED')).not.toBeNull()
  expect(await claimAfter('PROVIDER_ANSWER_INVALID')).not.toBeNull()
  expect(await claimAfter('PROVIDER_REFUSED', 'worklist-entry:')).not.toBeNull()
})

test('an agent gets a notice that a manager overrode the claim, and it is audited, only if the call may have been made', async () => {
  const phoneNumber = '+919811500030'
  await miss(phoneNumber)
  const other = await desk.signIn('agent2@demo.example')
  const id = entryIdOf(desk.workspaceId, phoneNumber)
  const claimed = (await claimEntry(desk.callPorts, other, id)).claim
  const manager = { ...agent, principal: { ...agent.principal, role: 'MANAGER' as const } }
  const found = async () => [
    (await readNotices(desk.callPorts, other.principal)).map(({ kind }) => kind),
    (await desk.callPorts.audit.read(desk.workspaceId, { limit: 10 })).map(({ action }) => action),
  ]
  const override = (reason: ErrorReason) => {
    const ports = { ...desk.callPorts, telephonyOf: async () => ({ ...telephony, dial: failing(reason) }) }
    return expect(dial(ports, manager, { phoneNumber, overrideClaim: true })).rejects.toMatchObject({ reason })
  }
  await override('PROVIDER_REFUSED')
  expect(await found()).toEqual([[], []])
  expect((await entryOf(phoneNumber))?.claim).toEqual(claimed)
  await override('DEADLINE_PASSED')
  expect(await found()).toEqual([['CLAIM_ENDED'], ['worklist.claimOverridden']])
})

test('a claim that a manager overrode is announced too if the store failed when it was to be put back', async () => {
  const phoneNumber = '+919811500031'
  await miss(phoneNumber)
  const other = await desk.signIn('agent2@demo.example')
  const id = entryIdOf(desk.workspaceId, phoneNumber)
  await claimEntry(desk.callPorts, other, id)
  const manager = { ...agent, principal: { ...agent.principal, role: 'MANAGER' as const } }
  const before = (await readNotices(desk.callPorts, other.principal)).length
  let failures = 0
  const store = failingStore(desk.store, (key) => key.startsWith('worklist-entry:') && failures > 0 && failures-- > 0)
  const refuse = async (): Promise<never> => {
    failures = 1
    throw new AppError('PROVIDER_REFUSED')
  }
  const ports = { ...desk.callPorts, store, telephonyOf: async () => ({ ...telephony, dial: refuse }) }
  await expect(dial(ports, manager, { phoneNumber, overrideClaim: true })).rejects.toMatchObject({ reason: 'PROVIDER_REFUSED' })
  expect((await entryOf(phoneNumber))?.claim).toMatchObject({ memberId: manager.principal.memberId })
  const notices = await readNotices(desk.callPorts, other.principal)
  expect(notices.slice(before)).toMatchObject([{ kind: 'CLAIM_ENDED', worklistEntryId: id }])
  expect(await desk.callPorts.audit.read(desk.workspaceId, { limit: 1 })).toMatchObject([{ action: 'worklist.claimOverridden' }])
})

test('after a refusal the key of a call is free again; after a lost answer it tells so', async () => {
  const once = (idempotencyKey: string, reason: ErrorReason | null) =>
    dialOnce(desk.callPorts, { member: agent.principal, idempotencyKey }, async () => {
      if (reason !== null) throw new AppError(reason)
      return { ucid: idempotencyKey, callId: 'c', phoneNumber: '+919811500004', provider: 'ozonetel' }
    })
  await expect(once('refused', 'WRONG_STATE')).rejects.toMatchObject({ reason: 'WRONG_STATE' })
  expect(await once('refused', null)).toMatchObject({ ucid: 'refused' })
  // A repetition gets the first result, whatever would happen now.
  expect(await once('refused', 'WRONG_STATE')).toMatchObject({ ucid: 'refused' })
  await expect(once('lost', 'DEADLINE_PASSED')).rejects.toMatchObject({ reason: 'DEADLINE_PASSED' })
  await expect(once('lost', null)).rejects.toThrow('the call may have been made')
})

test('a second call is refused while one is being made, and a key belongs to one number', async () => {
  const placing = Promise.withResolvers<{ ucid: string }>()
  const ports = { ...desk.callPorts, telephonyOf: async () => ({ ...telephony, dial: () => (begun.resolve(), placing.promise) }) }
  const begun = Promise.withResolvers<void>()
  const first = dial(ports, agent, { phoneNumber: '+919811500005', idempotencyKey: 'one number' })
  await begun.promise
  await expect(dial(ports, agent, { phoneNumber: '+919811500006' })).rejects.toMatchObject({ reason: 'WRONG_STATE' })
  const ucid = newId()
  placing.resolve({ ucid })
  expect(await first).toMatchObject({ ucid })
  await addCallFacts(desk.callPorts, callKey(ucid), factsOf({ answered: false, endedAt: isoMoment(Date.now()) }, live()))
  await expect(dial(ports, agent, { phoneNumber: '+919811500006', idempotencyKey: 'one number' })).rejects.toMatchObject({
    reason: 'INVALID_INPUT',
  })
  await expect(dial(ports, agent, { phoneNumber: '+919811500006', overrideClaim: true })).rejects.toMatchObject({ reason: 'ROLE_MISSING' })
})

test('the summary of a call says why there is none, and does not need its cache', async () => {
  const call = await lookUpCall(desk.callPorts, agent, { phoneNumber: '+919876543210' })
  const model = await desk.languageModelOf(desk.workspaceId)
  const enrich = (changes: Partial<CallPorts>) => enrichCall({ ...desk.callPorts, ...changes }, agent, call)
  const withError = (thrown: Error) => {
    const structured = async (): Promise<never> => {
      throw thrown
    }
    return enrich({ languageModelOf: async () => ({ ...model, structured }) })
  }
  const reasonFor = async (error: Error) => ({ ...(await withError(error)) })
  expect(await reasonFor(new AppError('DEADLINE_PASSED'))).toEqual({
    available: false,
    reason: 'The language model took longer than 4 seconds',
  })
  expect(await reasonFor(new AppError('PROVIDER_UNAVAILABLE'))).toEqual({ available: false, reason: 'The language model is not available' })
  expect(await reasonFor(new AppError('NOT_CONFIGURED', { detail: 'Choose a model' }))).toEqual({
    available: false,
    reason: 'Choose a model',
  })
  expect(await reasonFor(new AppError('PROVIDER_REFUSED', { detail: 'The content filter refused' }))).toEqual({
    available: false,
    reason: 'The content filter refused',
  })
  expect(await reasonFor(new Error('x'))).toEqual({ available: false, reason: 'It could not be made' })
  const unwritable: Store = { ...desk.store, set: failing('STORE_UNAVAILABLE') }
  expect(await enrich({ store: unwritable })).toMatchObject({ available: true })
  const asked = desk.standIns.models.calls().length
  expect(await enrich({})).toMatchObject({ available: true })
  expect(await withError(new Error('not asked again'))).toMatchObject({ available: true })
  expect(desk.standIns.models.calls().length).toBe(asked + 1)
  const unknown = (candidates: typeof call.candidates) => enrichCall(desk.callPorts, agent, { ...call, lead: null, candidates })
  const [one] = call.candidates
  if (!one) throw new Error('the lead has this number')
  for (const candidates of [[], [one]]) expect(await unknown(candidates)).toMatchObject({ reason: 'Nobody is known by this number' })
  expect(await unknown([one, one])).toMatchObject({ reason: 'Several leads have this number' })
})

test('a screen pop whose call is gone shows nothing; an outage is an error', async () => {
  await writeScreenPop(desk.callPorts, agent.principal, { phoneNumber: null, ucid: 'gone' })
  expect(await readCurrentCall(desk.callPorts, agent)).toBeNull()
  const away = { ...desk.callPorts, callRecords: { ...desk.callPorts.callRecords, byUcid: failing('PROVIDER_UNAVAILABLE') } }
  await expect(readCurrentCall(away, agent)).rejects.toMatchObject({ reason: 'PROVIDER_UNAVAILABLE' })
})

test('a missed call that cannot be published is tried again after half a minute, and holds up no other', async () => {
  const clock = createTestClock(isoMoment(Date.now()))
  const published: string[] = []
  let isAway = true
  const publish: CallPorts['bus']['publish'] = async (event) => {
    if (!('ucid' in event) || (isAway && event.ucid === 'first')) throw new AppError('STORE_UNAVAILABLE')
    published.push(event.ucid ?? '')
  }
  const ports = { ...desk.callPorts, clock, bus: { ...desk.bus, publish } }
  for (const ucid of ['first', 'second', 'answered']) {
    const facts = { phoneNumber: '+919811500007', startedAt: isoMoment(clock.now()), endedAt: isoMoment(clock.now()) }
    await addCallFacts(ports, callKey(ucid), factsOf({ ...facts, ...(ucid === 'answered' && { answered: true }) }, live()))
    await confirmLater(ports, callKey(ucid))
  }
  const waiting = async () => (await countWaitingCalls(desk.callPorts, desk.workspaceId)).count
  const before = await waiting()
  const confirmedAfter = async (ms: number): Promise<number> => {
    clock.advance(ms)
    return doDue(confirmMissedCalls, ports)
  }
  expect([await confirmedAfter(4_999), await confirmedAfter(1), published]).toEqual([0, 2, ['second']])
  isAway = false
  expect([await confirmedAfter(29_999), await confirmedAfter(1), await confirmedAfter(60_000)]).toEqual([0, 1, 0])
  expect(published).toEqual(['second', 'first'])
  expect(await waiting()).toBeGreaterThanOrEqual(before)
})

test('an agent state that cannot be published is an error, after which its webhook is processed again', async () => {
  const bus = { ...desk.bus, publish: failing('STORE_UNAVAILABLE') }
  const origin = { workspaceId: desk.workspaceId, provider: 'ozonetel', receivedAt: Date.now() }
  const update = { about: 'AGENT', agentId: 'agent9', state: 'READY', reason: null, ucid: null, at: isoMoment(Date.now()) } as const
  await expect(trackAgent({ ...desk.callPorts, bus }, origin, update)).rejects.toMatchObject({ reason: 'STORE_UNAVAILABLE' })
  // Without the platform, the event has the id of the provider.
  const agentDirectory = { ...desk.callPorts.agentDirectory, recordOf: failing('PROVIDER_UNAVAILABLE') }
  const published: unknown[] = []
  const recording = { ...desk.bus, publish: async (event: unknown) => void published.push(event) }
  await trackAgent({ ...desk.callPorts, agentDirectory, bus: recording }, origin, update)
  expect(published).toMatchObject([{ type: 'agent.state', agentId: 'agent9' }])
  const silent = { ...telephony, setState: async () => {} }
  const ports = { ...desk.callPorts, telephonyOf: async () => silent }
  await expect(setAgentState({ ...ports, bus }, agent, { state: 'READY' })).rejects.toMatchObject({ reason: 'STORE_UNAVAILABLE' })
  expect(await setAgentState(ports, agent, { state: 'READY' })).toMatchObject({ activity: { state: 'READY' } })
  expect(await readAgentState(desk.callPorts, { workspaceId: desk.workspaceId, agentId: 'agent1' })).toMatchObject({ state: 'READY' })
  const stranger = await desk.signIn('agent2@demo.example')
  await expect(setAgentState(ports, stranger, { state: 'READY' })).rejects.toMatchObject({ reason: 'SESSION_GONE' })
  const refusing = { ...desk.callPorts, telephonyOf: async () => ({ ...telephony, setState: failing('PROVIDER_UNAVAILABLE') }) }
  await expect(setAgentState(refusing, agent, { state: 'READY' })).rejects.toMatchObject({ reason: 'PROVIDER_UNAVAILABLE' })
})

test('hanging up ends the call although a party has left it already, but not if the provider is away', async () => {
  const ucid = newId()
  const now = isoMoment(Date.now())
  const facts = {
    phoneNumber: '+919811500008',
    did: '+918041234567',
    agentId: 'agent1',
    startedAt: now,
    answeredAt: now,
    provider: 'ozonetel',
  }
  await addCallFacts(desk.callPorts, callKey(ucid), factsOf(facts, live()))
  const parties = ['+919811500011', '+919811500012']
  await writeControls(desk.callPorts, callKey(ucid), { ...(await readControls(desk.callPorts, callKey(ucid))), parties })
  const sent: string[] = []
  const hangUp = (reason: ErrorReason) => {
    const control: Telephony['control'] = async (request) => {
      sent.push(request.action)
      if (request.action === 'KICK') throw new AppError(reason)
    }
    return controlCall({ ...desk.callPorts, telephonyOf: async () => ({ ...telephony, control }) }, agent, { ucid, action: 'HANG_UP' })
  }
  await expect(hangUp('PROVIDER_UNAVAILABLE')).rejects.toMatchObject({ reason: 'PROVIDER_UNAVAILABLE' })
  expect(sent).toEqual(['KICK'])
  await hangUp('NOT_FOUND')
  expect(sent).toEqual(['KICK', 'KICK', 'KICK', 'HANG_UP'])
  const call = await readCall(desk.callPorts, callKey(ucid))
  if (!call) throw new Error('the call is known')
  const without = (reason: ErrorReason) => possibleActions({ ...desk.callPorts, telephonyOf: failing(reason) }, desk.workspaceId, call)
  expect(await without('NOT_CONFIGURED')).toEqual([])
  await expect(without('STORE_UNAVAILABLE')).rejects.toMatchObject({ reason: 'STORE_UNAVAILABLE' })
  expect(await possibleActions(desk.callPorts, desk.workspaceId, call)).toContain('HOLD')
  expect(await possibleActions(desk.callPorts, desk.workspaceId, { ...call, phase: 'COMPLETED' })).toEqual([])
})

test('a webhook is accepted although nobody can note when it came', async () => {
  const path = await createCallWebhookPath(desk.callPorts, { workspaceId: desk.workspaceId, provider: 'ozonetel' })
  const key = path.split('/').at(-1) ?? ''
  const added: unknown[] = []
  const ports = {
    ...desk.callPorts,
    store: failingStore(desk.store, (each) => each.startsWith('live-events-last:')),
    webhookInbox: { ...desk.callPorts.webhookInbox, add: async (update: unknown) => added.push(update) > 0 },
    telephonyWebhooksOf: async () => ({
      ...(await desk.callPorts.telephonyWebhooksOf({ workspaceId: desk.workspaceId, provider: 'ozonetel' })),
      read: () => [{ about: 'AGENT', agentId: 'a', state: 'READY', reason: null, ucid: null, at: isoMoment(0) } as const],
    }),
  }
  const webhook = { provider: 'ozonetel', contentType: 'application/json', body: '{}' }
  await receiveWebhook(ports, { ...webhook, key })
  expect(added).toMatchObject([{ workspaceId: desk.workspaceId, provider: 'ozonetel', update: { agentId: 'a' } }])
  await expect(receiveWebhook(ports, { ...webhook, key: randomBytes(16).toString('hex') })).rejects.toMatchObject({ reason: 'NOT_FOUND' })
})

test('calls of the second provider that cannot be read do not hold up the check of the others', async () => {
  const clock = createTestClock(isoMoment(Date.now()))
  const asked: string[] = []
  const endedCall = async (ucid: string) => (asked.push(ucid), null)
  const ports = { ...desk.callPorts, ...withOutbound(), clock, outboundTelephonyOf: async () => ({ ...outbound, endedCall }) }
  for (let number = 0; number < 20; number += 1) {
    await desk.store.set(`call:${desk.workspaceId}:unreadable-${number}`, '{"phoneNumber":2}')
    await checkLater(ports, callKey(`unreadable-${number}`))
  }
  clock.advance(1_000)
  const facts = { direction: 'OUTBOUND', phoneNumber: '+919811500019', startedAt: isoMoment(clock.now()), provider: 'second' } as const
  await addCallFacts(ports, callKey('readable'), factsOf(facts, { source: 'OWN', receivedAt: clock.now() }))
  await checkLater(ports, callKey('readable'))
  clock.advance(61_000)
  for (let runs = 0; runs < 2; runs += 1) await doDue(checkOutboundCalls, ports)
  expect(asked).toEqual(['readable'])
  await openOutboundCalls.items.trim(ports, desk.workspaceId, Number.MAX_SAFE_INTEGER)
})

test('calls of the second provider whose check fails again and again do not hold up the others', async () => {
  const clock = createTestClock(isoMoment(Date.now()))
  const asked: string[] = []
  const endedCall = async (ucid: string) => {
    if (ucid.startsWith('broken')) throw new TypeError('an answer in another form')
    asked.push(ucid)
    return null
  }
  const ports = { ...desk.callPorts, ...withOutbound(), clock, outboundTelephonyOf: async () => ({ ...outbound, endedCall }) }
  const facts = { direction: 'OUTBOUND', phoneNumber: '+919811500019', startedAt: isoMoment(clock.now()), provider: 'second' } as const
  for (const ucid of [...Array.from({ length: 20 }, (_, number) => `broken-${number}`), 'sound']) {
    await addCallFacts(ports, callKey(ucid), factsOf(facts, { source: 'OWN', receivedAt: clock.now() }))
    await checkLater(ports, callKey(ucid))
    clock.advance(1)
  }
  clock.advance(61_000)
  for (let runs = 0; runs < 2; runs += 1) await doDue(checkOutboundCalls, ports)
  expect(asked).toEqual(['sound'])
  // More than four hours and a day later they are given up; before, they stay.
  const open = async () =>
    (await openOutboundCalls.items.range(ports, desk.workspaceId, { limit: 30 })).filter(({ member }) => member.includes('broken')).length
  clock.advance(28 * 3_600_000)
  await doDue(checkOutboundCalls, ports)
  expect(await open()).toBe(20)
  clock.advance(6 * 60_000)
  for (let runs = 0; runs < 2; runs += 1) await doDue(checkOutboundCalls, ports)
  expect(await open()).toBe(0)
  await openOutboundCalls.items.trim(ports, desk.workspaceId, Number.MAX_SAFE_INTEGER)
})

test('the second provider is asked about a call until its end and recording are known, and not for ever', async () => {
  const minute = 60_000
  const clock = createTestClock(isoMoment(Date.now()))
  const asked: number[] = []
  const begunAt = clock.now()
  let answer: OutboundTelephony['endedCall'] = async () => null
  const ports = {
    ...desk.callPorts,
    ...withOutbound(),
    clock,
    outboundTelephonyOf: async () => ({
      ...outbound,
      endedCall: async (ucid: string) => {
        asked.push((clock.now() - begunAt) / minute)
        return answer(ucid)
      },
    }),
  }
  const begin = async (ucid: string) => {
    const facts = { direction: 'OUTBOUND', phoneNumber: '+919811500009', startedAt: isoMoment(clock.now()), provider: 'second' } as const
    await addCallFacts(ports, callKey(ucid), factsOf(facts, { source: 'OWN', receivedAt: clock.now() }))
    await checkLater(ports, callKey(ucid))
  }
  const runFor = async (minutes: number) => {
    for (let passed = 0; passed < minutes; passed += 1) {
      clock.advance(minute)
      await doDue(checkOutboundCalls, ports)
    }
  }
  await begin('asked')
  await runFor(30)
  // At first each minute, then less and less often, at last every five minutes.
  expect(asked).toEqual([1, 2, 3, 4, 5, 7, 9, 12, 15, 19, 24, 29])
  // An outage of the provider ends nothing.
  answer = failing('PROVIDER_UNAVAILABLE')
  await runFor(5)
  expect(await readCall(ports, callKey('asked'))).toMatchObject({ phase: 'RINGING' })
  let endedAt: string | null = null
  answer = async () => ({ answered: true, endedAt: (endedAt ??= isoMoment(clock.now())) })
  asked.length = 0
  await runFor(40)
  expect(await readCall(ports, callKey('asked'))).toMatchObject({ phase: 'COMPLETED', endedAt, recordingUrl: null })
  // For its recording it is asked for a quarter of an hour more, every three minutes.
  expect(asked).toHaveLength(6)
  await begin('unknown')
  answer = failing('NOT_FOUND')
  await runFor(5)
  expect(await readCall(ports, callKey('unknown'))).toMatchObject({ phase: 'RINGING' })
  await runFor(2)
  expect(await readCall(ports, callKey('unknown'))).toMatchObject({ phase: 'MISSED', isEndGuessed: true })
  const now = (ucid: string) => checkOutboundCallNow(ports, callKey(ucid))
  await begin('now')
  clock.advance(5 * minute)
  expect(await now('now')).toMatchObject({ phase: 'RINGING' })
  const before = asked.length
  expect(await now('now')).toMatchObject({ phase: 'RINGING' })
  expect(asked.length).toBe(before)
  clock.advance(1)
  await desk.store.delete(`outbound-call-asked:${desk.workspaceId}:now`)
  expect(await now('now')).toMatchObject({ phase: 'MISSED' })
  answer = async () => null
  await begin('endless')
  clock.advance(maxOutboundCallMs + 5 * minute)
  expect(await now('endless')).toMatchObject({ phase: 'RINGING' })
  clock.advance(1)
  await desk.store.delete(`outbound-call-asked:${desk.workspaceId}:endless`)
  expect(await now('endless')).toMatchObject({ phase: 'MISSED' })
  await begin('left')
  clock.advance(10 * minute)
  const withFailing = () => doDue(checkOutboundCalls, { ...ports, store: { ...desk.store, sortedMove: failing('STORE_UNAVAILABLE') } })
  await expect(withFailing()).rejects.toMatchObject({ reason: 'STORE_UNAVAILABLE' })
  // It is over: nothing is left to ask.
  clock.advance(15_000)
  await addCallFacts(ports, callKey('left'), factsOf({ answered: false, endedAt: isoMoment(clock.now()) }, live()))
  await expect(withFailing()).rejects.toMatchObject({ reason: 'STORE_UNAVAILABLE' })
})
