import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Actor } from '../../src/access/actor.ts'
import { addAgentActivity } from '../../src/features/calls/agent-state/agent-state-store.ts'
import { readCallNotes, saveCallNotes } from '../../src/features/calls/state/call-notes.ts'
import type { DispositionInput } from '../../src/features/calls/dispositions/prepare-disposition.ts'
import { retryDispositions } from '../../src/features/calls/dispositions/retry-dispositions.ts'
import { submitDisposition } from '../../src/features/calls/dispositions/submit-disposition.ts'
import type { CallPorts } from '../../src/features/calls/state/call-ports.ts'
import { readCall } from '../../src/features/calls/state/call-state-store.ts'
import { trackUpdate } from '../../src/features/calls/tracking/track-update.ts'
import { isoMoment } from '../../src/kernel/clock.ts'
import { AppError } from '../../src/kernel/errors.ts'
import { derivedId } from '../../src/kernel/ids.ts'
import type { EventBus } from '../../src/ports/event-bus.ts'
import type { EventOf } from '../../src/ports/event-catalogue.ts'
import { type CallsDesk, createCallsDesk } from '../harness/calls-desk.ts'
import { doDue } from '../harness/do-due.ts'
import { waitFor } from '../harness/wait-for.ts'

/** A call whose agent gave no outcome in time, so that the provider wrote a text of its own. `useCases` is one instance of the service. */

const text = 'Wrap up time exceeded :120'
let desk: CallsDesk
let agent: Actor
let published: EventOf<'call.completed'>[]
let clockAheadMs: number

beforeEach(async () => {
  desk = await createCallsDesk()
  published = []
  clockAheadMs = 0
  desk.bus.subscribe({ name: 'test', topic: 'call.completed', handle: async (event) => void published.push(event) })
  await desk.bus.start()
  agent = await desk.signIn('agent1@demo.example')
})
afterEach(() => desk[Symbol.asyncDispose]())

const clock = { now: () => Date.now() + clockAheadMs }
const callKey = (ucid: string) => ({ workspaceId: desk.workspaceId, ucid })
const known = (ucid: string) => readCall(desk.callPorts, callKey(ucid))
const allPublished = () => waitFor(async () => (await desk.bus.depth()).events === 0)

function useCases(changes: Partial<CallPorts> = {}) {
  const ports = { ...desk.callPorts, clock, ...changes }
  const reported = (ucid: string, facts: object, automaticDisposition: string | null) => {
    const of = { answered: true, startedAt, endedAt, agentId: 'agent1', ...facts }
    const update = { about: 'CALL', ucid, source: 'RECORD', facts: of, automaticDisposition } as const
    return trackUpdate(ports, { workspaceId: desk.workspaceId, provider: 'ozonetel', receivedAt: clock.now(), update })
  }
  return {
    submit: (input: DispositionInput, actor = agent) => submitDisposition(ports, actor, input),
    retry: () => doDue(retryDispositions, ports),
    reportLive: (ucid: string, facts: object) => {
      const update = { about: 'CALL', ucid, source: 'LIVE', facts: { agentId: 'agent1', ...facts }, automaticDisposition: null } as const
      return trackUpdate(ports, { workspaceId: desk.workspaceId, provider: 'ozonetel', receivedAt: clock.now(), update })
    },
    reportTimeOut: (ucid: string) => reported(ucid, {}, text),
    reportOutcome: (ucid: string, disposition: string) => reported(ucid, { disposition }, null),
  }
}

const startedAt = isoMoment(Date.now() - 180_000)
const endedAt = isoMoment(Date.now() - 120_000)
const endedCall = (): string => desk.standIns.telephony.inboundCall({ from: '+919876543210', agentId: 'agent1' }).ucid
const outcome = (ucid: string): DispositionInput => ({ ucid, disposition: 'Call Back Later', notes: 'Call again' })

/** The agent works on: the wrap-up is over. */
async function becomeReady(): Promise<void> {
  const ready = { state: 'READY', reason: null, since: isoMoment(clock.now()), receivedAt: clock.now() } as const
  await addAgentActivity(desk.callPorts, { workspaceId: desk.workspaceId, agentId: 'agent1' }, ready)
}

test('has none, publishes none, and keeps what the provider wrote, however often it is reported', async () => {
  const ucid = endedCall()
  const { reportTimeOut } = useCases()
  await reportTimeOut(ucid)
  await reportTimeOut(ucid)
  expect(await known(ucid)).toMatchObject({ phase: 'COMPLETED', disposition: null, automaticDisposition: text })
  await allPublished()
  expect(published).toEqual([])
})

test('gets one from its agent two days after the wrap-up, and keeps it when the provider reports again', async () => {
  const ucid = endedCall()
  const { submit, reportTimeOut } = useCases()
  await reportTimeOut(ucid)
  await becomeReady()
  clockAheadMs = 2 * 86_400_000
  const receipt = await submit(outcome(ucid))
  expect(receipt).toMatchObject({ disposition: 'Call Back Later', supersedes: null })
  await reportTimeOut(ucid)
  expect(await submit(outcome(ucid))).toEqual(receipt)
  const call = { disposition: 'Call Back Later', automaticDisposition: null, notes: 'Call again' }
  expect(await known(ucid)).toMatchObject(call)
  await allPublished()
  expect(published).toMatchObject([{ id: receipt.eventId, disposition: 'Call Back Later', supersedes: null }])
})

test('one that was given late is not corrected later', async () => {
  const ucid = endedCall()
  const { submit, reportTimeOut } = useCases()
  await reportTimeOut(ucid)
  clockAheadMs = 3_600_000
  const { eventId } = await submit(outcome(ucid))
  const other = submit({ ucid, disposition: 'Complaint' })
  await expect(other).rejects.toMatchObject({ reason: 'WRONG_STATE', data: { disposition: 'Call Back Later', eventId } })
})

test('the outcome counts that came before the report, whose text changes nothing', async () => {
  const ucid = endedCall()
  const { submit, reportTimeOut } = useCases()
  const receipt = await submit(outcome(ucid))
  await reportTimeOut(ucid)
  expect(await known(ucid)).toMatchObject({ disposition: 'Call Back Later', automaticDisposition: null })
  expect(await submit(outcome(ucid))).toEqual(receipt)
  await allPublished()
  expect(published).toHaveLength(1)
})

test.each(['with the provider', 'at its event'] as const)('a report that comes while the outcome is %s changes nothing', async (when) => {
  const ucid = endedCall()
  const { reportTimeOut } = useCases()
  const early = () => reportTimeOut(ucid).catch(() => undefined)
  const publish: EventBus['publish'] = async (event) => {
    await early()
    await desk.bus.publish(event)
  }
  const telephonyOf: CallPorts['telephonyOf'] = async (workspaceId) => {
    const telephony = await desk.telephonyOf(workspaceId)
    const recordDisposition: typeof telephony.recordDisposition = async (request) => {
      const answer = await telephony.recordDisposition(request)
      await early()
      return answer
    }
    return { ...telephony, recordDisposition }
  }
  const { submit } = useCases(when === 'with the provider' ? { telephonyOf } : { bus: { ...desk.bus, publish } })
  const receipt = await submit(outcome(ucid))
  await reportTimeOut(ucid)
  await allPublished()
  expect(published).toMatchObject([{ id: receipt.eventId, disposition: 'Call Back Later' }])
  expect(await known(ucid)).toMatchObject({ disposition: 'Call Back Later', automaticDisposition: null })
})

test('is given once by five submissions at once, with reports between them', async () => {
  const ucid = endedCall()
  const { submit, reportTimeOut } = useCases()
  await reportTimeOut(ucid)
  const [receipts] = await Promise.all([
    Promise.all(Array.from({ length: 5 }, () => useCases().submit(outcome(ucid)))),
    ...Array.from({ length: 3 }, () => reportTimeOut(ucid).catch(() => undefined)),
  ])
  expect(new Set(receipts.map(({ eventId }) => eventId)).size).toBe(1)
  expect(await submit(outcome(ucid))).toEqual(receipts[0])
  await allPublished()
  expect(published).toHaveLength(1)
})

test('a process that dies while it is given does not lose it', async () => {
  const ucid = endedCall()
  await useCases().reportTimeOut(ucid)
  const died = Promise.withResolvers<void>()
  const publish = () => {
    died.resolve()
    return new Promise<void>(() => undefined)
  }
  void useCases({ bus: { ...desk.bus, publish } }).submit(outcome(ucid))
  await died.promise
  // The lease of a dead process would last for real seconds.
  await desk.store.delete(`call-action:${desk.workspaceId}:${ucid}`)
  clockAheadMs = 16_000
  expect(await useCases().retry()).toBe(1)
  await useCases().reportTimeOut(ucid)
  await waitFor(() => published.length === 1)
  expect(await useCases().submit(outcome(ucid))).toMatchObject({ eventId: published[0]?.id, supersedes: null })
  expect(published).toHaveLength(1)
})

test('is published also if an earlier version of the service has published the text as the outcome', async () => {
  const ucid = endedCall()
  const { submit, reportTimeOut } = useCases()
  await reportTimeOut(ucid)
  const id = derivedId('call.completed', desk.workspaceId, ucid)
  const ids = { callId: null, leadId: null, agentId: null, memberId: null, supersedes: null }
  await desk.bus.publish({ ...ids, ...callKey(ucid), type: 'call.completed', version: 1.1, id, occurredAt: endedAt, disposition: text })
  await waitFor(() => published.length === 1)
  await submit(outcome(ucid))
  await waitFor(() => published.length === 2)
  expect(published[1]?.disposition).toBe('Call Back Later')
  expect(published[1]?.occurredAt.localeCompare(endedAt)).toBe(1)
})

test('what a person then chooses at the provider is an outcome, and published', async () => {
  const ucid = endedCall()
  const { reportTimeOut, reportOutcome } = useCases()
  await reportTimeOut(ucid)
  await reportOutcome(ucid, 'Complaint')
  await reportTimeOut(ucid)
  expect(await known(ucid)).toMatchObject({ disposition: 'Complaint', automaticDisposition: null })
  await waitFor(() => published.length === 1)
  expect(published).toMatchObject([{ disposition: 'Complaint' }])
})

test('another agent cannot give it', async () => {
  const ucid = endedCall()
  const { submit, reportTimeOut } = useCases()
  await reportTimeOut(ucid)
  const other = await desk.signIn('agent2@demo.example')
  await expect(submit(outcome(ucid), other)).rejects.toMatchObject({ reason: 'NOT_YOURS' })
  expect(await known(ucid)).toMatchObject({ disposition: null })
  await allPublished()
  expect(published).toEqual([])
})

test('a supervisor gives it for the agent, also without an agent record, and the audit log says who', async () => {
  const ucid = endedCall()
  const { submit, reportTimeOut } = useCases()
  await reportTimeOut(ucid)
  const signedIn = await desk.signIn('manager@demo.example')
  const manager = { ...signedIn, principal: { ...signedIn.principal, role: 'MANAGER' } } as const
  const receipt = await submit(outcome(ucid), manager)
  expect(await submit(outcome(ucid), manager)).toEqual(receipt)
  await waitFor(() => published.length === 1)
  const call = await known(ucid)
  const { record } = await desk.callPorts.agentRecordCache.ofMember(agent.principal, agent.accessToken)
  expect(published).toMatchObject([{ agentId: record?.id, memberId: manager.principal.memberId, disposition: 'Call Back Later' }])
  expect(call).toMatchObject({ agentId: 'agent1', disposition: 'Call Back Later' })
  expect(desk.standIns.telephony.calls('DispositionAPIV2').map(({ body }) => body)).toEqual([expect.stringContaining('agent1')])
  const entries = await desk.callPorts.audit.read(desk.workspaceId, { limit: 10 })
  expect(entries).toMatchObject([
    { action: 'disposition.given', actor: { memberId: manager.principal.memberId }, target: { kind: 'call', id: ucid } },
  ])
  expect(entries[0]?.details).toMatchObject({ eventId: receipt.eventId, agentId: record?.id })
})

test('a manager who is an agent too gives it for the agent of the call', async () => {
  const ucid = endedCall()
  const { submit, reportTimeOut } = useCases()
  await reportTimeOut(ucid)
  const other = await desk.signIn('agent2@demo.example')
  await submit(outcome(ucid), { ...other, principal: { ...other.principal, role: 'MANAGER' } })
  await waitFor(() => published.length === 1)
  const { record } = await desk.callPorts.agentRecordCache.ofMember(agent.principal, agent.accessToken)
  expect(published).toMatchObject([{ agentId: record?.id, memberId: other.principal.memberId }])
  expect(await known(ucid)).toMatchObject({ agentId: 'agent1' })
})

test('is accepted also if the provider no longer knows the call', async () => {
  const ucid = endedCall()
  await useCases().reportTimeOut(ucid)
  const telephonyOf: CallPorts['telephonyOf'] = async (workspaceId) => ({
    ...(await desk.telephonyOf(workspaceId)),
    recordDisposition: () => Promise.reject(new AppError('NOT_FOUND')),
  })
  const receipt = await useCases({ telephonyOf }).submit(outcome(ucid))
  expect(receipt).toMatchObject({ outcome: 'SAVED', disposition: 'Call Back Later' })
  await waitFor(() => published.length === 1)
  expect(await known(ucid)).toMatchObject({ disposition: 'Call Back Later' })
})

test("the agent's next state is set although the provider takes no second text", async () => {
  const ucid = endedCall()
  await useCases().reportTimeOut(ucid)
  const wrapUp = { state: 'WRAP_UP', reason: null, since: isoMoment(clock.now()), receivedAt: clock.now() } as const
  await addAgentActivity(desk.callPorts, { workspaceId: desk.workspaceId, agentId: 'agent1' }, wrapUp)
  const asked: string[] = []
  const telephonyOf: CallPorts['telephonyOf'] = async (workspaceId) => ({
    ...(await desk.telephonyOf(workspaceId)),
    recordDisposition: async () => ({ outcome: 'ALREADY_DISPOSED' }),
    setState: async ({ state }) => void asked.push(state),
  })
  await useCases({ telephonyOf }).submit({ ...outcome(ucid), next: { state: 'READY' } })
  expect(asked).toEqual(['READY'])
})

test('what was typed about the call stays if the outcome has no notes', async () => {
  const ucid = endedCall()
  await useCases().reportTimeOut(ucid)
  await saveCallNotes(desk.callPorts, agent, { ucid, notes: 'Typed before' })
  await useCases().submit({ ucid, disposition: 'Call Back Later' })
  expect(await readCallNotes(desk.callPorts, agent.principal, ucid)).toMatchObject({ notes: 'Typed before' })
})

test('what a person has chosen at the provider is not corrected by what a page sends by itself', async () => {
  const ucid = endedCall()
  const { submit, reportOutcome } = useCases()
  await reportOutcome(ucid, 'Complaint')
  await becomeReady()
  await expect(submit({ ...outcome(ucid), automatic: true })).rejects.toMatchObject({
    reason: 'WRONG_STATE',
    data: { disposition: 'Complaint' },
  })
  expect(await known(ucid)).toMatchObject({ disposition: 'Complaint' })
})

test('has the notes that were typed before its end and after it, also without a session, beside those of an outcome', async () => {
  const { submit, reportLive, reportTimeOut } = useCases()
  const save = (ucid: string, notes: string) => saveCallNotes({ ...desk.callPorts, clock }, agent, { ucid, notes })
  const ucid = endedCall()
  await reportLive(ucid, { startedAt, answeredAt: startedAt })
  await save(ucid, 'Asks for Dr Rao')
  expect(await known(ucid)).toMatchObject({ notes: null })
  await reportTimeOut(ucid)
  expect(await known(ucid)).toMatchObject({ notes: 'Asks for Dr Rao' })
  clockAheadMs = 60_000
  await save(ucid, 'Asks for Dr Rao, on Monday')
  await reportTimeOut(ucid)
  expect(await known(ucid)).toMatchObject({ notes: 'Asks for Dr Rao, on Monday' })
  await submit(outcome(ucid))
  clockAheadMs = 120_000
  await save(ucid, 'Of another device')
  expect(await known(ucid)).toMatchObject({ notes: 'Call again' })
  clockAheadMs = 20 * 60_000
  await save(ucid, 'Of another device')
  expect(await known(ucid)).toMatchObject({ disposition: 'Call Back Later', notes: 'Call again\nOf another device' })
})

test('has the notes that were typed while it rang, if it was missed', async () => {
  const ucid = '17300000000001'
  const { reportLive } = useCases()
  await reportLive(ucid, { startedAt })
  await saveCallNotes(desk.callPorts, agent, { ucid, notes: 'Hung up when I said hello' })
  await reportLive(ucid, { endedAt })
  expect(await known(ucid)).toMatchObject({ phase: 'MISSED', notes: 'Hung up when I said hello' })
  // Somebody else's come after them, also when they are changed.
  const manager: Actor = { ...agent, principal: { ...agent.principal, role: 'MANAGER', memberId: 'manager' } }
  for (const notes of ['Called', 'Called back']) await saveCallNotes(desk.callPorts, manager, { ucid, notes })
  expect(await known(ucid)).toMatchObject({ notes: 'Hung up when I said hello\nCalled back' })
})
