import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Actor } from '../../src/access/actor.ts'
import { factsOf } from '../../src/features/calls/state/call-facts.ts'
import type { CallPorts } from '../../src/features/calls/state/call-ports.ts'
import { addCallFacts, readLiveCalls } from '../../src/features/calls/state/call-state-store.ts'
import { changeAgentState } from '../../src/features/calls/agent-state/change-agent-state.ts'
import { confirmLater, confirmMissedCalls } from '../../src/features/calls/missed-calls/confirm-missed-calls.ts'
import { controlCall } from '../../src/features/calls/control/control-call.ts'
import { dial } from '../../src/features/calls/dialling/dial.ts'
import { addMissedCall } from '../../src/features/calls/missed-calls/missed-call-store.ts'
import { retryDispositions } from '../../src/features/calls/dispositions/retry-dispositions.ts'
import { setAgentState } from '../../src/features/calls/agent-state/set-agent-state.ts'
import { submitDisposition } from '../../src/features/calls/dispositions/submit-disposition.ts'
import { trackUpdate } from '../../src/features/calls/tracking/track-update.ts'
import { cancelTransfer } from '../../src/features/calls/transfer/cancel-transfer.ts'
import { completeTransfer } from '../../src/features/calls/transfer/complete-transfer.ts'
import { startTransfer } from '../../src/features/calls/transfer/start-transfer.ts'
import { claimEntry } from '../../src/features/calls/worklist/claim-entry.ts'
import { entryIdOf } from '../../src/features/calls/worklist-entries/entry-store.ts'
import { endIfUnknown } from '../../src/features/calls/tracking/end-lost-call.ts'
import { finishEntry } from '../../src/features/calls/worklist/finish-entry.ts'
import { giveBackEntry } from '../../src/features/calls/worklist/give-back-entry.ts'
import { readNotices } from '../../src/features/sessions/agent-notices.ts'
import { scheduleCheck } from '../../src/features/sessions/session-checks.ts'
import { isoMoment } from '../../src/kernel/clock.ts'
import { AppError, type ErrorReason } from '../../src/kernel/errors.ts'
import { newId } from '../../src/kernel/ids.ts'
import type { ReportedCallFacts } from '../../src/ports/call-facts.ts'
import type { CallUpdate } from '../../src/ports/telephony-webhooks.ts'
import { failEachStep, type Outcomes } from '../harness/each-step.ts'
import { createFakeTelephony } from '../harness/fake-telephony.ts'
import { createWiredDesk, type WiredDesk } from '../harness/wired-desk.ts'
import { doDue } from '../harness/do-due.ts'

/** Every step of these use cases fails once. A failure that is in no list fails the use case with the same error. */

let desk: WiredDesk
let agent: Actor
let ports: CallPorts
beforeAll(async () => {
  desk = await createWiredDesk()
  ports = { ...desk.calls, ...desk.steps.around({ telephonyOf: async () => createFakeTelephony() }) }
})
afterAll(() => desk[Symbol.asyncDispose]())
beforeEach(async () => {
  agent = await desk.signIn('agent1@demo.example')
  await desk.beginSession(agent, 'agent1')
})

const outcomes = <Subject>(
  prepare: () => Promise<Subject>,
  run: (subject: Subject) => Promise<unknown>,
  reason?: ErrorReason | 'unexpected',
): Promise<Outcomes> => failEachStep(desk.steps, { prepare, run, ...(reason && { reason }) })
const key = (ucid: string) => ({ workspaceId: desk.workspaceId, ucid })
const now = (): string => isoMoment(desk.clock.now())
const did = '+918049202040'

let numbers = 0
const newNumber = (): string => `+9198${String(20_000_000 + numbers++)}`

/** The call of an agent that began a second ago. */
const facts = (own: string, more: ReportedCallFacts = {}): ReportedCallFacts => {
  const startedAt = now()
  desk.clock.advance(1_000)
  return { direction: 'INBOUND', phoneNumber: newNumber(), did, agentId: own, startedAt, ...more }
}
const update = (of: ReportedCallFacts, more: Partial<CallUpdate> = {}) => ({
  workspaceId: desk.workspaceId,
  provider: 'ozonetel',
  receivedAt: desk.clock.now(),
  update: { about: 'CALL', ucid: newId(), source: 'RECORD', facts: of, automaticDisposition: null, ...more } as const,
})

async function endLiveCalls(): Promise<void> {
  await desk.beginSession(agent, 'agent1')
  // What a dial that could not release it left.
  await ports.store.delete(`dialling:${desk.workspaceId}:${agent.principal.agentId}`)
  for (const { ucid } of await readLiveCalls(ports, desk.workspaceId)) {
    await addCallFacts(ports, key(ucid), factsOf({ endedAt: now() }, { source: 'RECORD', receivedAt: desk.clock.now() }))
  }
}

/** An answered call of the actor. */
async function liveCall(): Promise<string> {
  await endLiveCalls()
  const ucid = newId()
  const answered = facts('agent1', { answeredAt: now() })
  await addCallFacts(ports, key(ucid), factsOf({ ...answered, provider: 'ozonetel' }, { source: 'LIVE', receivedAt: desk.clock.now() }))
  return ucid
}

async function missedCaller(): Promise<{ phoneNumber: string; id: string }> {
  await endLiveCalls()
  const phoneNumber = newNumber()
  await addMissedCall(ports, desk.workspaceId, { ucid: newId(), phoneNumber, did, campaignName: null, leadId: null, at: now() })
  return { phoneNumber, id: entryIdOf(desk.workspaceId, phoneNumber) }
}

test('the record of an answered call', async () => {
  const prepare = async () => {
    const times = { answeredAt: now(), endedAt: isoMoment(desk.clock.now() + 1_000), answered: true }
    return update(facts(newId(), { ...times, recordingUrl: 'https://recordings.example/1.mp3', disposition: 'Information Given' }))
  }
  expect(await outcomes(prepare, (received) => trackUpdate(ports, received))).toEqual({})
})

test('the record, or a live event, of a missed call', async () => {
  const missed = () => facts(newId(), { endedAt: now(), answered: false })
  expect(
    await outcomes(
      async () => update(missed()),
      (received) => trackUpdate(ports, received),
    ),
  ).toEqual({})
  expect(
    await outcomes(
      async () => update(missed(), { source: 'LIVE' }),
      (received) => trackUpdate(ports, received),
    ),
  ).toEqual({})
})

test('a call that reaches a person of the worklist, or does not', async () => {
  const outbound = async (more: ReportedCallFacts) => {
    const { phoneNumber } = await missedCaller()
    return update(facts(newId(), { direction: 'OUTBOUND', phoneNumber, ...more }))
  }
  expect(
    await outcomes(
      () => outbound({ answeredAt: now() }),
      (received) => trackUpdate(ports, received),
    ),
  ).toEqual({})
  expect(
    await outcomes(
      () => outbound({ endedAt: now(), answered: false }),
      (received) => trackUpdate(ports, received),
    ),
  ).toEqual({})
})

test('the state of an agent, as the provider reports it and as the agent sets it', async () => {
  const changed = async () => {
    desk.clock.advance(1_000)
    const { update: _, ...origin } = update({})
    return { ...origin, update: { about: 'AGENT', agentId: newId(), state: 'READY', reason: null, ucid: null, at: now() } as const }
  }
  expect(await outcomes(changed, (received) => trackUpdate(ports, received))).toEqual({ tolerated: ['agentDirectory.recordOf'] })
  expect(await outcomes(endLiveCalls, () => setAgentState(ports, agent, { state: 'READY' }))).toEqual({})
  const wrappingUp = async () => {
    await endLiveCalls()
    // The agent's record is read again after a while: before the run, not in it.
    await ports.agentRecordCache.forget(agent.principal)
    await ports.agentRecordCache.ofMember(agent.principal, agent.accessToken)
    const times = { answeredAt: now(), endedAt: isoMoment(desk.clock.now() + 1_000), answered: true }
    await trackUpdate(ports, update(facts('agent1', times), { source: 'LIVE' }))
    desk.clock.advance(2_000)
  }
  expect(await outcomes(wrappingUp, () => setAgentState(ports, agent, { state: 'READY' }))).toEqual({})
})

test('the state of an agent, as a manager changes it', async () => {
  const manager = await desk.signIn('manager@demo.example')
  const prepare = async () => {
    await endLiveCalls()
    await scheduleCheck(ports.store, { workspaceId: desk.workspaceId, providerAgentId: 'agent1' }, desk.clock.now() + 60_000)
  }
  // What was done stays done if the notice about it is lost; the agent sees the state.
  expect(await outcomes(prepare, () => changeAgentState(ports, manager, { agentId: 'r1', state: 'READY' }))).toEqual({
    tolerated: [
      'notifications.publish agent.notice',
      'store.compareAndDelete sessions:*:lease:*',
      'store.sortedAdd agent-notices:*:*',
      'store.sortedRange agent-notices:*:*',
    ],
  })
})

test('a state that the agent may have, because the provider did not answer in time, is audited, and the agent gets the notice', async () => {
  const manager = await desk.signIn('manager@demo.example')
  await endLiveCalls()
  const { workspaceId, memberId } = agent.principal
  const before = await readNotices(ports, { workspaceId, memberId })
  await scheduleCheck(ports.store, { workspaceId: desk.workspaceId, providerAgentId: 'agent1' }, desk.clock.now() + 60_000)
  // Notices of one moment have no order.
  desk.clock.advance(1)
  const slow = createFakeTelephony({ setState: () => Promise.reject(new AppError('DEADLINE_PASSED')) })
  const order = { agentId: 'r1', state: 'READY', message: 'Back to work' } as const
  const changing = changeAgentState({ ...ports, telephonyOf: async () => slow }, manager, order)
  await expect(changing).rejects.toMatchObject({ reason: 'DEADLINE_PASSED' })
  const [entry] = await ports.audit.read(workspaceId, { limit: 1 })
  expect(entry).toMatchObject({ action: 'agent.stateChanged', details: { state: 'READY', outcome: 'UNKNOWN' } })
  const notices = await readNotices(ports, { workspaceId, memberId })
  expect(notices).toHaveLength(before.length + 1)
  expect(notices.at(-1)).toMatchObject({ kind: 'STATE_CHANGED', state: 'READY', message: 'Back to work' })
})

test('missed calls that are confirmed later', async () => {
  const prepare = async () => {
    const ucid = newId()
    const reported = facts(newId(), { endedAt: now(), answered: false })
    await addCallFacts(ports, key(ucid), factsOf(reported, { source: 'LIVE', receivedAt: desk.clock.now() }))
    await ports.store.sortedTrim('calls-perhaps-missed', Number.MAX_SAFE_INTEGER)
    await confirmLater(ports, key(ucid))
    desk.clock.advance(5_000)
  }
  expect(await outcomes(prepare, () => doDue(confirmMissedCalls, ports))).toEqual({
    tolerated: [
      'bus.publish',
      'notifications.publish worklist.changed',
      'store.compareAndDelete due-work-lease:*:calls-perhaps-missed',
      'store.get call:*:*',
      'store.get last-reached:*:*',
      'store.get missed-call:*:*',
      'store.get worklist-entry:*:*',
      'store.setIfAbsent missed-call:*:*',
      'store.setIfAbsent worklist-entry:*:*',
      'store.sortedAdd missed-calls-waiting:*',
      'store.sortedAdd missed-calls:*',
      'store.sortedAdd worklist:*',
      'store.sortedRange worklist:*',
    ],
  })
})

test('a call that an agent makes to a person of the worklist', async () => {
  const leadId = String(desk.standIns.platform.records('demo', 'lead', {})[0]?.['id'])
  const dialled = ({ phoneNumber }: { phoneNumber: string }) => dial(ports, agent, { phoneNumber, leadId, idempotencyKey: newId() })
  expect(await outcomes(missedCaller, dialled)).toEqual({
    tolerated: [
      'callRecords.write',
      'leadRecords.byId',
      'notifications.publish call.changed',
      'notifications.publish worklist.changed (2)',
      'store.compareAndDelete dialling:*:*',
      'store.compareAndSet worklist-entry:*:* (2)',
      'store.get call:*:*',
      'store.get worklist-entry:*:* (6, 7, 8)',
      'store.set dial:*:*:*',
      'store.set screen-pop:*:*',
      'store.setIfAbsent call:*:*',
      'store.sortedAdd call-records-queued:*',
      'store.sortedAdd calls-changed:*',
      'store.sortedAdd calls-live:*',
      'store.sortedAdd calls-started:*',
      'store.sortedAdd worklist:* (2)',
      'store.sortedAddLowest due-work',
      'store.sortedTrim calls-started:*',
    ],
  })
})

/** What the agent typed is deleted when the outcome is recorded, or two days later. */
const notesStay = { tolerated: ['store.compareAndDelete call-action:*:*', 'store.delete call-notes:*:*:*'] }

test('an outcome, and one that a crash left unfinished', async () => {
  const input = (ucid: string) => ({ ucid, disposition: 'Information Given', notes: '', next: { state: 'READY' } }) as const
  expect(await outcomes(liveCall, (ucid) => submitDisposition(ports, agent, input(ucid)))).toEqual(notesStay)
  const unfinished = async () => {
    await ports.store.sortedTrim(`dispositions-unfinished:${desk.workspaceId}`, Number.MAX_SAFE_INTEGER)
    agent = await desk.signIn('agent1@demo.example')
    const ucid = await liveCall()
    const away = createFakeTelephony({ recordDisposition: () => Promise.reject(new AppError('DEADLINE_PASSED')) })
    const { settled } = await desk.steps.watch(() => submitDisposition({ ...ports, telephonyOf: async () => away }, agent, input(ucid)))
    expect(settled.status).toBe('rejected')
    desk.clock.advance(120_000)
  }
  expect(await outcomes(unfinished, () => doDue(retryDispositions, ports))).toEqual({
    tolerated: [
      'bus.publish',
      'notifications.publish call.changed',
      'store.compareAndDelete call-action:*:*',
      'store.compareAndDelete due-work-lease:*:dispositions-unfinished',
      'store.compareAndSet call:*:*',
      'store.compareAndSet disposition:*:*',
      'store.get call:*:*',
      'store.get disposition:*:*',
      'store.setIfAbsent call-action:*:*',
      'store.sortedAdd call-records-queued:*',
      'store.sortedAdd calls-changed:*',
      'store.sortedAdd calls-live:*',
      'store.sortedAdd calls-started:*',
      'store.sortedAddLowest due-work',
      'store.sortedRemove dispositions-unfinished:*',
      'store.sortedRemove due-work-failing:*:dispositions-unfinished',
      'telephony.of',
      'telephony.recordDisposition',
    ],
  })
})

test('a correction, with and without a callback', async () => {
  const callBackAt = () => isoMoment(desk.clock.now() + 3_600_000)
  const disposed = async () => {
    const ucid = await liveCall()
    await submitDisposition(ports, agent, { ucid, disposition: 'Information Given', callBackAt: callBackAt() })
    return ucid
  }
  const scheduling = (ucid: string) =>
    submitDisposition(ports, agent, { ucid, disposition: 'Information Given', notes: '', callBackAt: callBackAt() })
  expect(await outcomes(liveCall, scheduling)).toEqual(notesStay)
  expect(await outcomes(disposed, (ucid) => submitDisposition(ports, agent, { ucid, disposition: 'Complaint', notes: '' }))).toEqual(
    notesStay,
  )
  expect(await outcomes(liveCall, scheduling, 'PROVIDER_REFUSED')).toEqual({})
})

test('a call whose end may be lost, when the agent dials again, or when the provider does not know it', async () => {
  const old = async () => {
    const ucid = await liveCall()
    desk.clock.advance(61_000)
    agent = await desk.signIn('agent1@demo.example')
    await desk.beginSession(agent, 'agent1')
    return ucid
  }
  expect(await outcomes(old, () => dial(ports, agent, { phoneNumber: newNumber() }))).toEqual({
    tolerated: [
      'callRecords.write',
      'notifications.publish call.changed',
      'store.compareAndDelete dialling:*:*',
      'store.compareAndSet agent-presence:*:*',
      'store.compareAndSet call:*:*',
      'store.get agent-presence:*:* (2)',
      'store.get call:*:*',
      'store.set screen-pop:*:*',
      'store.setIfAbsent call:*:*',
      'store.sortedAdd call-records-queued:*',
      'store.sortedAdd calls-changed:*',
      'store.sortedAdd calls-live:*',
      'store.sortedAdd calls-started:*',
      'store.sortedAddLowest due-work',
      'store.sortedRemove calls-live:*',
      'store.sortedTrim calls-started:*',
    ],
  })
  const unknown = new AppError('NOT_FOUND')
  expect(await outcomes(old, (ucid) => endIfUnknown(ports, key(ucid), unknown))).toEqual({
    tolerated: [
      'notifications.publish call.changed',
      'store.compareAndSet agent-presence:*:*',
      'store.compareAndSet call:*:*',
      'store.get agent-presence:*:*',
      'store.get call-transfer:*:*',
      'store.get call:*:*',
      'store.set call-reconciliation-wanted:*',
      'store.sortedAdd call-records-queued:*',
      'store.sortedAdd calls-changed:*',
      'store.sortedAdd calls-started:*',
      'store.sortedAddLowest due-work',
      'store.sortedRemove calls-live:*',
    ],
  })
  expect(await outcomes(old, (ucid) => controlCall(ports, agent, { ucid, action: 'HOLD' }), 'NOT_FOUND')).toEqual({})
})

test('a call, a hold and a transfer that the provider refuses', async () => {
  const refuse = () => Promise.reject(new AppError('PROVIDER_REFUSED'))
  const refusing = { ...ports, ...desk.steps.around({ telephonyOf: async () => createFakeTelephony({ control: refuse, dial: refuse }) }) }
  const refused = (error: unknown): void => {
    if (!(error instanceof AppError && error.reason === 'PROVIDER_REFUSED')) throw error
  }
  const dialled = ({ phoneNumber }: { phoneNumber: string }) =>
    dial(refusing, agent, { phoneNumber, idempotencyKey: newId() }).catch(refused)
  expect(await outcomes(missedCaller, dialled)).toEqual({
    tolerated: [
      'notifications.publish worklist.changed (2)',
      'store.compareAndDelete dial:*:*:*',
      'store.compareAndDelete dialling:*:*',
      'store.compareAndSet worklist-entry:*:* (2)',
      'store.get worklist-entry:*:* (6, 7, 8)',
      'store.sortedAdd worklist:* (2)',
    ],
  })
  const transfer = (ucid: string) => ({ ucid, phoneNumber: '+919845012345', holdCustomer: false })
  expect(await outcomes(liveCall, (ucid) => startTransfer(refusing, agent, transfer(ucid)).catch(refused))).toEqual({
    tolerated: ['store.compareAndDelete call-action:*:*'],
    answered: ['telephony.control: DEADLINE_PASSED'],
  })
  const started = async () => {
    const ucid = await liveCall()
    await startTransfer(ports, agent, transfer(ucid))
    return ucid
  }
  expect(await outcomes(started, (ucid) => completeTransfer(refusing, agent, ucid).catch(refused))).toEqual({
    tolerated: ['store.compareAndDelete call-action:*:*'],
  })
  expect(await outcomes(started, (ucid) => cancelTransfer(ports, agent, ucid), 'NOT_FOUND')).toEqual({ tolerated: ['telephony.control'] })
  expect(
    await outcomes(missedCaller, ({ phoneNumber }) => dial(ports, agent, { phoneNumber, idempotencyKey: newId() }), 'DEADLINE_PASSED'),
  ).toEqual({ tolerated: ['callRecords.write'] })
})

test('hold, and a warm transfer to its end', async () => {
  expect(await outcomes(liveCall, (ucid) => controlCall(ports, agent, { ucid, action: 'HOLD' }))).toEqual({
    tolerated: ['store.compareAndDelete call-action:*:*'],
  })
  const start = (ucid: string) => startTransfer(ports, agent, { ucid, phoneNumber: '+919845012345' })
  expect(await outcomes(liveCall, start)).toEqual({
    tolerated: ['store.compareAndDelete call-action:*:*'],
    answered: ['telephony.control: DEADLINE_PASSED'],
  })
  const started = async () => {
    const ucid = await liveCall()
    await start(ucid)
    return ucid
  }
  expect(await outcomes(started, (ucid) => completeTransfer(ports, agent, ucid))).toEqual({
    tolerated: ['store.compareAndDelete call-action:*:*'],
  })
  expect(await outcomes(started, (ucid) => cancelTransfer(ports, agent, ucid))).toEqual({
    tolerated: ['store.compareAndDelete call-action:*:*'],
  })
})

test('a person who is claimed, given back and finished', async () => {
  expect(await outcomes(missedCaller, ({ id }) => claimEntry(ports, agent, id))).toEqual({})
  expect(await outcomes(missedCaller, ({ id }) => giveBackEntry(ports, agent, { id }))).toEqual({})
  const manager = await desk.signIn('manager@demo.example')
  const claimed = async () => {
    const caller = await missedCaller()
    await claimEntry(ports, agent, caller.id)
    return caller
  }
  // The notice is lost, the change is not.
  expect(await outcomes(claimed, ({ id }) => giveBackEntry(ports, manager, { id, message: 'Somebody else calls' }))).toEqual({
    tolerated: ['notifications.publish agent.notice', 'store.sortedAdd agent-notices:*:*', 'store.sortedRange agent-notices:*:*'],
  })
  expect(await outcomes(missedCaller, ({ id }) => finishEntry(ports, agent, { id, outcome: 'REACHED' }))).toEqual({})
})
