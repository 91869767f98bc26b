import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Actor } from '../../src/access/actor.ts'
import { addAgentActivity } from '../../src/features/calls/agent-state/agent-state-store.ts'
import type { CallPorts } from '../../src/features/calls/state/call-ports.ts'
import { readCall } from '../../src/features/calls/state/call-state-store.ts'
import type { DispositionInput } from '../../src/features/calls/dispositions/prepare-disposition.ts'
import { retryDispositions } from '../../src/features/calls/dispositions/retry-dispositions.ts'
import { submitDisposition } from '../../src/features/calls/dispositions/submit-disposition.ts'
import { trackUpdate } from '../../src/features/calls/tracking/track-update.ts'
import { isoMoment } from '../../src/kernel/clock.ts'
import { createLog } from '../../src/kernel/log.ts'
import { AppError } from '../../src/kernel/errors.ts'
import type { EventBus } from '../../src/ports/event-bus.ts'
import type { EventOf } from '../../src/ports/event-catalogue.ts'
import type { DispositionRequest, Telephony } from '../../src/ports/telephony.ts'
import { type CallsDesk, createCallsDesk } from '../harness/calls-desk.ts'
import { waitFor } from '../harness/wait-for.ts'
import { doDue } from '../harness/do-due.ts'

/** Corrections of a disposition: concurrent, interrupted, late. `useCases` is one instance of the service; all share store and bus. */

let desk: CallsDesk
let bus: EventBus
let agent: Actor
let published: EventOf<'call.completed'>[]
let clockAheadMs: number

beforeEach(async () => {
  desk = await createCallsDesk()
  bus = desk.bus
  published = []
  clockAheadMs = 0
  bus.subscribe({ name: 'test', topic: 'call.completed', handle: async (event) => void published.push(event) })
  await bus.start()
  agent = await desk.signIn('agent1@demo.example')
})
afterEach(() => desk[Symbol.asyncDispose]())

const clock = { now: () => Date.now() + clockAheadMs }
const agentKey = () => ({ workspaceId: desk.workspaceId, agentId: 'agent1' })
const callKey = (ucid: string) => ({ workspaceId: desk.workspaceId, ucid })
const dispositionOf = async (ucid: string) => (await readCall(desk.callPorts, callKey(ucid)))?.disposition
const allPublished = () => waitFor(async () => (await bus.depth()).events === 0)

function useCases(changes: Partial<CallPorts> = {}) {
  const ports = { ...desk.callPorts, clock, ...changes }
  return {
    submit: (input: DispositionInput, actor = agent) => submitDisposition(ports, actor, input),
    retry: () => doDue(retryDispositions, ports),
    report: (update: Parameters<typeof trackUpdate>[1]['update']) =>
      trackUpdate(ports, { workspaceId: desk.workspaceId, provider: 'ozonetel', receivedAt: clock.now(), update }),
  }
}

/** A telephony provider whose dispositions are changed by the test. */
function withDispositions(record: (request: DispositionRequest, telephony: Telephony) => ReturnType<Telephony['recordDisposition']>) {
  return {
    async telephonyOf(workspaceId: string) {
      const telephony = await desk.telephonyOf(workspaceId)
      return { ...telephony, recordDisposition: (request: DispositionRequest) => record(request, telephony) }
    },
  }
}

const endedCall = (): string => desk.standIns.telephony.inboundCall({ from: '+919876543210', agentId: 'agent1' }).ucid
const first = (ucid: string): DispositionInput => ({ ucid, disposition: 'Call Back Later', notes: 'Call again' })
const second = (ucid: string): DispositionInput => ({ ucid, disposition: 'Not Interested', notes: 'Has a doctor' })
const third = (ucid: string): DispositionInput => ({ ucid, disposition: 'Complaint' })

test('a correction counts here and in a further event, which names the event that it supersedes', async () => {
  const ucid = endedCall()
  const { submit } = useCases()
  const original = await submit(first(ucid))
  expect(original).toMatchObject({ supersedes: null })
  const corrected = await submit(second(ucid))
  expect(corrected).toMatchObject({ disposition: 'Not Interested', outcome: 'ALREADY_DISPOSED', supersedes: original.eventId })
  expect(await readCall(desk.callPorts, callKey(ucid))).toMatchObject({ disposition: 'Not Interested', notes: 'Has a doctor' })
  // The provider keeps the first one.
  expect(desk.standIns.telephony.call({ ucid })).toMatchObject({ disposition: 'Call Back Later' })
  await waitFor(() => published.length === 2)
  expect(published).toMatchObject([
    { id: original.eventId, version: 1.1, disposition: 'Call Back Later', supersedes: null },
    { id: corrected.eventId, version: 1.1, disposition: 'Not Interested', supersedes: original.eventId },
  ])
  expect(published[1]?.occurredAt.localeCompare(published[0]?.occurredAt ?? '')).toBe(1)
})

test('the same one again is answered as before, without another event', async () => {
  const ucid = endedCall()
  const { submit } = useCases()
  const original = await submit(first(ucid))
  expect(await submit(first(ucid))).toEqual(original)
  // What is left out stays.
  expect(await submit({ ucid, disposition: 'Call Back Later' })).toEqual(original)
  const corrected = await submit(second(ucid))
  for (const again of [second(ucid), { ...second(ucid), supersedes: original.eventId }]) expect(await submit(again)).toEqual(corrected)
  await allPublished()
  expect(published.length).toBe(2)
})

test('notes that are left out stay, an empty text removes them', async () => {
  const ucid = endedCall()
  const { submit } = useCases()
  await submit(first(ucid))
  await submit({ ucid, disposition: 'Complaint' })
  expect(await readCall(desk.callPorts, callKey(ucid))).toMatchObject({ disposition: 'Complaint', notes: 'Call again' })
  await submit({ ucid, disposition: 'Complaint', notes: '' })
  expect(await readCall(desk.callPorts, callKey(ucid))).toMatchObject({ disposition: 'Complaint', notes: '' })
})

test('the provider corrects a disposition that it has queued during the call', async () => {
  const { ucid } = desk.standIns.telephony.ring({ from: '+919876543210', agentId: 'agent1' })
  desk.standIns.telephony.answer({ ucid })
  const { submit } = useCases()
  await submit(first(ucid))
  expect(await submit(second(ucid))).toMatchObject({ outcome: 'QUEUED' })
  desk.standIns.telephony.hangUp({ ucid })
  expect(desk.standIns.telephony.call({ ucid })).toMatchObject({ disposition: 'Not Interested' })
})

test("the provider's record of the first one, arriving later, overwrites nothing", async () => {
  const ucid = endedCall()
  const { submit, report } = useCases()
  await submit(first(ucid))
  await submit(second(ucid))
  const facts = { disposition: 'Call Back Later', notes: 'Call again', answered: true, endedAt: isoMoment(clock.now()) }
  await report({ about: 'CALL', ucid, source: 'RECORD', facts, automaticDisposition: null })
  expect(await readCall(desk.callPorts, callKey(ucid))).toMatchObject({ disposition: 'Not Interested', notes: 'Has a doctor' })
  await allPublished()
  expect(published.length).toBe(2)
})

test("the provider's record may have another outcome, but takes nothing of what the agent typed", async () => {
  const ucid = endedCall()
  const { submit, report } = useCases()
  await submit(first(ucid))
  const facts = { disposition: 'Complaint', notes: 'Call', answered: true, endedAt: isoMoment(clock.now()) }
  await report({ about: 'CALL', ucid, source: 'RECORD', facts, automaticDisposition: null })
  expect(await readCall(desk.callPorts, callKey(ucid))).toMatchObject({ disposition: 'Complaint', notes: 'Call again' })
})

test('of two corrections at once on two instances both are published, and the later one counts', async () => {
  const ucid = endedCall()
  const original = await useCases().submit(first(ucid))
  const receipts = await Promise.all([useCases().submit(second(ucid)), useCases().submit(third(ucid))])
  await waitFor(() => published.length === 3)
  expect(published.map(({ supersedes }) => supersedes)).toEqual([null, original.eventId, published[1]?.id])
  expect(new Set(receipts.map(({ eventId }) => eventId))).toEqual(new Set([published[1]?.id, published[2]?.id]))
  expect(await dispositionOf(ucid)).toBe(published[2]?.disposition)
})

test('five equal corrections at once are one', async () => {
  const ucid = endedCall()
  await useCases().submit(first(ucid))
  const receipts = await Promise.all(Array.from({ length: 5 }, () => useCases().submit(second(ucid))))
  expect(new Set(receipts.map((receipt) => JSON.stringify(receipt))).size).toBe(1)
  await allPublished()
  expect(published.length).toBe(2)
})

test('a correction waits for the first submission that is still running', async () => {
  const ucid = endedCall()
  const [reached, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const slow = withDispositions(async (request, telephony) => {
    reached.resolve()
    await answered.promise
    return telephony.recordDisposition(request)
  })
  const running = useCases(slow).submit(first(ucid))
  await reached.promise
  const correcting = useCases().submit(second(ucid))
  answered.resolve()
  const [original, corrected] = await Promise.all([running, correcting])
  expect(corrected).toMatchObject({ disposition: 'Not Interested', supersedes: original.eventId })
  await waitFor(() => published.length === 2)
})

test('a correction after a lost answer finishes the first one, then supersedes it', async () => {
  const ucid = endedCall()
  const lost = withDispositions(async (request, telephony) => {
    await telephony.recordDisposition(request)
    throw new AppError('DEADLINE_PASSED')
  })
  await expect(useCases(lost).submit(first(ucid))).rejects.toMatchObject({ reason: 'DEADLINE_PASSED' })
  const corrected = await useCases().submit(second(ucid))
  await waitFor(() => published.length === 2)
  expect(published[1]).toMatchObject({ id: corrected.eventId, supersedes: published[0]?.id, disposition: 'Not Interested' })
  expect(await useCases().retry()).toBe(0)
})

/** That of a process which has died would last for real seconds. */
const endLease = (ucid: string) => desk.store.delete(`call-action:${desk.workspaceId}:${ucid}`)

test('the scheduled job finishes a correction whose process has died', async () => {
  const ucid = endedCall()
  await useCases().submit(first(ucid))
  const died = Promise.withResolvers<void>()
  const dying: EventBus = {
    ...bus,
    publish() {
      died.resolve()
      return new Promise(() => undefined)
    },
  }
  void useCases({ bus: dying }).submit(second(ucid))
  await died.promise
  const { retry, submit } = useCases()
  expect(await retry()).toBe(0)
  clockAheadMs = 16_000
  await endLease(ucid)
  expect(await retry()).toBe(1)
  expect(await retry()).toBe(0)
  await waitFor(() => published.length === 2)
  expect(await submit(second(ucid))).toMatchObject({ eventId: published[1]?.id, supersedes: published[0]?.id })
})

test('a correction that fails leaves the former disposition, and can be sent again', async () => {
  const ucid = endedCall()
  const { submit, retry } = useCases()
  const original = await submit(first(ucid))
  desk.standIns.telephony.fault({ operation: 'DispositionAPIV2', act: 'refuse', status: 503 })
  await expect(submit(second(ucid))).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' })
  desk.standIns.telephony.clearFaults()
  await expect(submit({ ucid, disposition: 'Nonsense' })).rejects.toMatchObject({ reason: 'INVALID_INPUT' })
  expect(await submit(first(ucid))).toEqual(original)
  expect(await dispositionOf(ucid)).toBe('Call Back Later')
  clockAheadMs = 60_000
  expect(await retry()).toBe(0)
  expect(await submit(second(ucid))).toMatchObject({ supersedes: original.eventId })
  await waitFor(() => published.length === 2)
})

test("a correction counts although the provider cannot set the agent's next state", async () => {
  const ucid = endedCall()
  await useCases().submit(first(ucid))
  const since = isoMoment(clock.now())
  await addAgentActivity(desk.callPorts, agentKey(), { state: 'WRAP_UP', reason: null, since, receivedAt: clock.now() })
  let asked = 0
  const telephonyOf = async (workspaceId: string): Promise<Telephony> => ({
    ...(await desk.telephonyOf(workspaceId)),
    setState() {
      asked += 1
      return Promise.reject(new AppError('PROVIDER_UNAVAILABLE'))
    },
  })
  const corrected = await useCases({ telephonyOf }).submit({ ...second(ucid), next: { state: 'READY' } })
  expect([corrected.disposition, asked]).toEqual(['Not Interested', 1])
  await waitFor(() => published.length === 2)
})

test('an outcome that was corrected does not come back by itself', async () => {
  const ucid = endedCall()
  const { submit } = useCases()
  const original = await submit(first(ucid))
  const corrected = await submit(second(ucid))
  const data = { disposition: 'Not Interested', eventId: corrected.eventId }
  await expect(submit(first(ucid))).rejects.toMatchObject({ reason: 'CHANGED_MEANWHILE', code: 'CONFLICT', data })
  await expect(submit({ ...third(ucid), supersedes: original.eventId })).rejects.toMatchObject({ reason: 'CHANGED_MEANWHILE', data })
  const back = await submit({ ...first(ucid), supersedes: corrected.eventId })
  expect(back).toMatchObject({ disposition: 'Call Back Later', supersedes: corrected.eventId })
  expect(await dispositionOf(ucid)).toBe('Call Back Later')
})

test('after the wrap-up a correction is refused, and the same one again is answered', async () => {
  const ucid = endedCall()
  const { submit } = useCases()
  const original = await submit(first(ucid))
  const since = isoMoment(clock.now() + 5_000)
  await addAgentActivity(desk.callPorts, agentKey(), { state: 'READY', reason: null, since, receivedAt: clock.now() })
  await expect(submit(second(ucid))).rejects.toMatchObject({ reason: 'WRONG_STATE', code: 'CONFLICT', data: { eventId: original.eventId } })
  expect(await submit(first(ucid))).toEqual(original)
  expect(await dispositionOf(ucid)).toBe('Call Back Later')
})

test('ten minutes after the call a correction is refused, whatever is known of the agent', async () => {
  const ucid = endedCall()
  const { submit } = useCases()
  await submit(first(ucid))
  clockAheadMs = 9 * 60_000
  await submit(second(ucid))
  clockAheadMs = 10 * 60_000 + 1_000
  await expect(submit(third(ucid))).rejects.toMatchObject({ reason: 'WRONG_STATE' })
  expect((await submit(second(ucid))).disposition).toBe('Not Interested')
})

test('a call is corrected at most ten times', async () => {
  const ucid = endedCall()
  const { submit } = useCases()
  for (let count = 0; count <= 10; count += 1) await submit({ ucid, disposition: 'Complaint', notes: `Version ${count}` })
  await expect(submit({ ucid, disposition: 'Complaint', notes: 'One more' })).rejects.toMatchObject({ reason: 'WRONG_STATE' })
})

test("the agent's disposition supersedes what the provider reported first", async () => {
  const ucid = endedCall()
  const { submit, report } = useCases()
  const facts = { answered: true, endedAt: isoMoment(clock.now()), agentId: 'agent1', disposition: 'Complaint' }
  await report({ about: 'CALL', ucid, source: 'RECORD', facts, automaticDisposition: null })
  await waitFor(() => published.length === 1)
  const receipt = await submit(first(ucid))
  await waitFor(() => published.length === 2)
  expect(published[1]).toMatchObject({ id: receipt.eventId, disposition: 'Call Back Later', supersedes: published[0]?.id })
  expect(await dispositionOf(ucid)).toBe('Call Back Later')
})

test.each(['with the provider', 'at its event'] as const)(
  "the provider's record that comes while a disposition is %s takes nothing from its event",
  async (when) => {
    const ucid = endedCall()
    const facts = { answered: true, endedAt: isoMoment(clock.now()), agentId: 'agent1', disposition: 'Complaint' }
    // The inbox processes it again after an error.
    const record = () => useCases().report({ about: 'CALL', ucid, source: 'RECORD', facts, automaticDisposition: null })
    const early = () => record().catch(() => undefined)
    const providerFirst = withDispositions(async (request, telephony) => {
      const answer = await telephony.recordDisposition(request)
      await early()
      return answer
    })
    const eventFirst: EventBus = {
      ...bus,
      async publish(event) {
        await early()
        await bus.publish(event)
      },
    }
    const { submit } = useCases(when === 'with the provider' ? providerFirst : { bus: eventFirst })
    const receipt = await submit(first(ucid))
    await record()
    await allPublished()
    const { memberId } = agent.principal
    expect(published).toMatchObject([{ id: receipt.eventId, memberId, disposition: 'Call Back Later', supersedes: null }])
    expect(await useCases().submit(first(ucid))).toEqual(receipt)
  },
)

test('a disposition that the provider refuses after a lost answer does not disappear without a trace', async () => {
  const ucid = endedCall()
  const lost = withDispositions(async () => Promise.reject(new AppError('DEADLINE_PASSED')))
  await expect(useCases(lost).submit(first(ucid))).rejects.toMatchObject({ reason: 'DEADLINE_PASSED' })
  const refusing = withDispositions(async () => Promise.reject(new AppError('INVALID_INPUT')))
  const warnings: unknown[] = []
  const log = createLog('silent')
  log.warn = (facts: unknown, event?: unknown) => void warnings.push({ facts, event })
  clockAheadMs = 60_000
  expect(await useCases({ ...refusing, log }).retry()).toBe(1)
  expect(warnings).toEqual([{ facts: { workspaceId: desk.workspaceId, ucid, reason: 'INVALID_INPUT' }, event: 'disposition.withdrawn' }])
})

test('a disposition that the provider has is not withdrawn: what fails after it is tried again', async () => {
  const ucid = endedCall()
  const lost = withDispositions(async (request, telephony) => {
    await telephony.recordDisposition(request)
    throw new AppError('DEADLINE_PASSED')
  })
  await expect(useCases(lost).submit(first(ucid))).rejects.toMatchObject({ reason: 'DEADLINE_PASSED' })
  clockAheadMs = 60_000
  const refusing = { ...bus, publish: () => Promise.reject(new AppError('WRONG_STATE')) }
  expect(await useCases({ bus: refusing }).retry()).toBe(0)
  clockAheadMs = 120_000
  expect(await useCases().retry()).toBe(1)
  await waitFor(() => published.length === 1)
})

test("who corrects another agent's disposition is in the audit log, once; one's own corrections are not", async () => {
  const ucid = endedCall()
  const { submit } = useCases()
  const original = await submit(first(ucid))
  await submit(second(ucid))
  const other = await desk.signIn('agent2@demo.example')
  const manager = { ...other, principal: { ...other.principal, role: 'MANAGER' } } as const
  const corrected = await submit(third(ucid), manager)
  expect(await submit(third(ucid), manager)).toEqual(corrected)
  const entries = await desk.callPorts.audit.read(desk.workspaceId, { limit: 10 })
  expect(entries).toMatchObject([
    {
      action: 'disposition.corrected',
      actor: { memberId: manager.principal.memberId },
      target: { kind: 'call', id: ucid },
      details: { eventId: corrected.eventId, supersedes: corrected.supersedes },
    },
  ])
  expect(entries[0]?.details['agentId']).toBe(published.find(({ id }) => id === original.eventId)?.agentId)
})
