import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import type { Actor } from '../../src/access/actor.ts'
import type { CallPorts } from '../../src/features/calls/state/call-ports.ts'
import { factsOf } from '../../src/features/calls/state/call-facts.ts'
import { addCallFacts } from '../../src/features/calls/state/call-state-store.ts'
import { unfinishedDispositions } from '../../src/features/calls/outcomes/disposition-intents.ts'
import type { DispositionInput } from '../../src/features/calls/dispositions/prepare-disposition.ts'
import { retryDispositions } from '../../src/features/calls/dispositions/retry-dispositions.ts'
import { submitDisposition } from '../../src/features/calls/dispositions/submit-disposition.ts'
import type { EventBus } from '../../src/ports/event-bus.ts'
import type { DispositionRequest } from '../../src/ports/telephony.ts'
import { isoMoment } from '../../src/kernel/clock.ts'
import { AppError } from '../../src/kernel/errors.ts'
import { newId } from '../../src/kernel/ids.ts'
import { telephonyAccounts } from '../../src/sandbox/accounts.ts'
import { type CallsDesk, createCallsDesk } from '../harness/calls-desk.ts'
import { waitFor } from '../harness/wait-for.ts'
import { doDue } from '../harness/do-due.ts'

let desk: CallsDesk
let bus: EventBus
let agent: Actor
let published: string[]
let clockAheadMs: number

beforeEach(async () => {
  desk = await createCallsDesk()
  bus = desk.bus
  published = []
  clockAheadMs = 0
  bus.subscribe({ name: 'test', topic: 'call.completed', handle: async ({ id }) => void published.push(id) })
  await bus.start()
  agent = await desk.signIn('agent1@demo.example')
  const telephony = await desk.telephonyOf(desk.workspaceId)
  const [{ id, password, phoneNumber }] = agents()
  await telephony.signIn({ agentId: id, password, phoneNumber })
})
afterEach(async () => {
  await desk[Symbol.asyncDispose]()
})

function agents() {
  const [first, second] = telephonyAccounts.demo.agents
  if (!first || !second) throw new Error('the sandbox has agents')
  return [first, second] as const
}

const clock = { now: () => Date.now() + clockAheadMs }

function useCases(changes: Partial<CallPorts> = {}) {
  const ports = { ...desk.callPorts, clock, ...changes }
  return {
    submit: (actor: Actor, input: DispositionInput) => submitDisposition(ports, actor, input),
    retry: () => doDue(retryDispositions, ports),
  }
}

const endedCall = (): string => desk.standIns.telephony.inboundCall({ from: '+919876543210', agentId: agents()[0].id }).ucid
const informed = (ucid: string): DispositionInput => ({ ucid, disposition: 'Information Given', notes: 'Asked about fees' })
const dispositionCalls = () => desk.standIns.telephony.calls('DispositionAPIV2')

test('stores a disposition at the provider and publishes call.completed', async () => {
  const ucid = endedCall()
  const receipt = await useCases().submit(agent, informed(ucid))
  expect(receipt).toMatchObject({ ucid, disposition: 'Information Given', outcome: 'SAVED' })
  expect(desk.standIns.telephony.call({ ucid })).toMatchObject({ disposition: 'Information Given', comments: 'Asked about fees' })
  await waitFor(() => published.length === 1)
  expect(published).toEqual([receipt.eventId])
})

test('the disposition of a call of the second provider is ours alone: the telephony provider gets no request for it', async () => {
  const ucid = newId()
  const startedAt = isoMoment(Date.now() - 120_000)
  const facts = { direction: 'OUTBOUND', phoneNumber: '+919876543210', provider: 'second', startedAt } as const
  const ended = { answered: true, answeredAt: startedAt, endedAt: isoMoment(Date.now() - 60_000) }
  const origin = { source: 'LIVE', receivedAt: Date.now() } as const
  await addCallFacts(desk.callPorts, { workspaceId: desk.workspaceId, ucid }, factsOf({ ...facts, ...ended }, origin))
  const configuration: CallPorts['configuration'] = {
    async read(workspaceId, section) {
      const values = await desk.configuration.read(workspaceId, section)
      return 'outbound' in values ? { ...values, outbound: { id: 'second' } } : values
    },
  }
  const unused = () => Promise.reject(new Error('not used here'))
  const outbound = { capabilities: new Set<never>(), dial: unused, endedCall: unused, recording: unused }
  const asked: string[] = []
  const telephonyOf: CallPorts['telephonyOf'] = async (workspaceId) => {
    const telephony = await desk.telephonyOf(workspaceId)
    return { ...telephony, recordDisposition: async () => (asked.push(ucid), { outcome: 'SAVED' }) }
  }
  const { submit } = useCases({ configuration, telephonyOf, outboundTelephonyOf: async () => outbound })
  const receipt = await submit(agent, informed(ucid))
  expect(receipt).toMatchObject({ ucid, outcome: 'SAVED' })
  await waitFor(() => published.length === 1)
  expect([published, asked, dispositionCalls().length]).toEqual([[receipt.eventId], [], 0])
})

test('publishes once and returns the same receipt to five concurrent submissions', async () => {
  const ucid = endedCall()
  const { submit } = useCases()
  const receipts = await Promise.all(Array.from({ length: 5 }, () => submit(agent, informed(ucid))))
  expect(new Set(receipts.map((receipt) => JSON.stringify(receipt))).size).toBe(1)
  await waitFor(async () => published.length > 0 && (await bus.depth()).events === 0)
  expect(published.length).toBe(1)
  expect(dispositionCalls().length).toBe(1)
})

test('queues a disposition during the call, and accepts a call that already has one', async () => {
  const { submit } = useCases()
  const ringing = desk.standIns.telephony.ring({ from: '+919876543210', agentId: agents()[0].id })
  desk.standIns.telephony.answer({ ucid: ringing.ucid })
  expect((await submit(agent, informed(ringing.ucid))).outcome).toBe('QUEUED')
  const ucid = endedCall()
  const telephony = await desk.telephonyOf(desk.workspaceId)
  await telephony.recordDisposition({
    ucid,
    did: desk.standIns.telephony.call({ ucid }).did,
    agentId: agents()[0].id,
    disposition: 'Complaint',
  })
  expect((await submit(agent, informed(ucid))).outcome).toBe('ALREADY_DISPOSED')
  await waitFor(() => published.length === 2)
})

test('reports a provider that is down, publishes nothing, and can be submitted again', async () => {
  const ucid = endedCall()
  const { submit } = useCases()
  desk.standIns.telephony.fault({ operation: 'DispositionAPIV2', act: 'refuse', status: 503 })
  await expect(submit(agent, informed(ucid))).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' })
  desk.standIns.telephony.clearFaults()
  expect(published).toEqual([])
  expect((await submit(agent, informed(ucid))).outcome).toBe('SAVED')
  await waitFor(() => published.length === 1)
})

test('publishes at the next attempt, without a second disposition, if the event could not be stored', async () => {
  const ucid = endedCall()
  const full: EventBus = { ...bus, publish: () => Promise.reject(new AppError('OVERLOADED')) }
  await expect(useCases({ bus: full }).submit(agent, informed(ucid))).rejects.toMatchObject({ reason: 'OVERLOADED' })
  expect(published).toEqual([])
  await useCases().submit(agent, informed(ucid))
  await waitFor(() => published.length === 1)
  expect(dispositionCalls().length).toBe(1)
})

test('finishes once, by the scheduled job, what a crash left between intent and event', async () => {
  const ucid = endedCall()
  // The process dies while it publishes: the event is never stored, and nothing of it runs any more when the job takes over.
  const died = Promise.withResolvers<void>()
  const dying: EventBus = {
    ...bus,
    publish() {
      died.resolve()
      return new Promise(() => undefined)
    },
  }
  void useCases({ bus: dying }).submit(agent, informed(ucid))
  await died.promise
  expect(dispositionCalls().length).toBe(1)
  const { retry } = useCases()
  expect(await retry()).toBe(0)
  clockAheadMs = 16_000
  // That of the dead process would last for real seconds.
  await desk.store.delete(`call-action:${desk.workspaceId}:${ucid}`)
  expect(await retry()).toBe(1)
  expect(await retry()).toBe(0)
  await waitFor(() => published.length === 1)
})

test('finds out by the scheduled job whether a disposition with a lost answer arrived', async () => {
  const ucid = endedCall()
  const telephonyOf = async () => ({
    ...(await desk.telephonyOf(desk.workspaceId)),
    async recordDisposition(request: Parameters<Awaited<ReturnType<typeof desk.telephonyOf>>['recordDisposition']>[0]) {
      await (await desk.telephonyOf(desk.workspaceId)).recordDisposition(request)
      throw new AppError('DEADLINE_PASSED')
    },
  })
  const { submit } = useCases({ telephonyOf })
  await expect(submit(agent, informed(ucid))).rejects.toMatchObject({ reason: 'DEADLINE_PASSED' })
  clockAheadMs = 16_000
  expect(await useCases().retry()).toBe(1)
  await waitFor(() => published.length === 1)
})

const lostAnswer = (record: (request: DispositionRequest) => Promise<unknown> = () => Promise.resolve()) => ({
  telephonyOf: async () => ({
    ...(await desk.telephonyOf(desk.workspaceId)),
    async recordDisposition(request: DispositionRequest): Promise<never> {
      await record(request)
      throw new AppError('DEADLINE_PASSED')
    },
  }),
})
const providerDown = { operation: 'DispositionAPIV2', act: 'refuse', status: 503 } as const

test('the scheduled job does not give up a disposition while the provider is down', async () => {
  const ucid = endedCall()
  await expect(useCases(lostAnswer()).submit(agent, informed(ucid))).rejects.toMatchObject({ reason: 'DEADLINE_PASSED' })
  desk.standIns.telephony.fault(providerDown)
  const { retry } = useCases()
  for (let minutes = 1; minutes <= 3; minutes += 1) {
    clockAheadMs = minutes * 60_000
    expect(await retry()).toBe(0)
  }
  desk.standIns.telephony.clearFaults()
  clockAheadMs += 60_000
  expect(await retry()).toBe(1)
  expect(desk.standIns.telephony.call({ ucid }).disposition).toBe('Information Given')
  await waitFor(() => published.length === 1)
})

test.each([
  ['again', 'Information Given'],
  ['with another outcome', 'Complaint'],
])('a disposition that the provider may have is not given up when it is sent %s while the provider is down', async (_, disposition) => {
  const ucid = endedCall()
  const arrived = lostAnswer(async (request) => (await desk.telephonyOf(desk.workspaceId)).recordDisposition(request))
  await expect(useCases(arrived).submit(agent, informed(ucid))).rejects.toMatchObject({ reason: 'DEADLINE_PASSED' })
  desk.standIns.telephony.fault(providerDown)
  await expect(useCases().submit(agent, { ...informed(ucid), disposition })).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' })
  desk.standIns.telephony.clearFaults()
  // The agent gives up.
  clockAheadMs = 60_000
  expect(await useCases().retry()).toBe(1)
  await waitFor(() => published.length === 1)
  expect(desk.standIns.telephony.call({ ucid }).disposition).toBe('Information Given')
})

test('what a request is still recording, the job leaves alone', async () => {
  const ucid = endedCall()
  const [reached, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const submitting = useCases(lostAnswer(() => (reached.resolve(), answered.promise))).submit(agent, informed(ucid))
  await reached.promise
  clockAheadMs = 31_000
  expect(await useCases().retry()).toBe(0)
  expect(dispositionCalls()).toEqual([])
  answered.resolve()
  await expect(submitting).rejects.toMatchObject({ reason: 'DEADLINE_PASSED' })
  clockAheadMs = 62_000
  expect(await useCases().retry()).toBe(1)
  await waitFor(() => published.length === 1)
})

test('the way from a submission to its event goes through few functions, and through no file twice', async () => {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 50
  let stack = ''
  const publish: EventBus['publish'] = async () => void (stack = new Error('here').stack ?? '')
  await useCases({ bus: { ...bus, publish } }).submit(agent, informed(endedCall()))
  Error.stackTraceLimit = limit
  const files = [...stack.matchAll(/\/src\/([\w/-]+\.ts):/g)].map(([, file]) => file)
  expect(files.length).toBeGreaterThan(2)
  expect(files.length).toBeLessThanOrEqual(9)
  const visits = files.filter((file, index) => file !== files[index - 1])
  expect(visits).toEqual([...new Set(visits)])
})

/** Leaves a disposition unfinished, behind `count` others that were begun earlier. `form` makes their stored form of its own. */
async function leaveUnfinished(count: number, form: (intent: object) => object): Promise<string> {
  const ucid = endedCall()
  const keyOf = (each: string) => `disposition:${desk.workspaceId}:${each}`
  const away = { ...(await desk.telephonyOf(desk.workspaceId)), recordDisposition: () => Promise.reject(new AppError('DEADLINE_PASSED')) }
  const submitting = useCases({ telephonyOf: async () => away }).submit(agent, informed(ucid))
  await expect(submitting).rejects.toMatchObject({ reason: 'DEADLINE_PASSED' })
  const intent = z.looseObject({}).parse(JSON.parse((await desk.store.get(keyOf(ucid))) ?? ''))
  for (let number = 0; number < count; number += 1) {
    const other = { workspaceId: desk.workspaceId, ucid: `earlier-${number}` }
    await desk.store.set(keyOf(other.ucid), JSON.stringify(form({ ...intent, ucid: other.ucid })))
    await unfinishedDispositions.add(desk, { workspaceId: desk.workspaceId, id: other.ucid }, Date.now() - 60_000)
  }
  return ucid
}

test('a disposition in a form that cannot be read does not hold up the others', async () => {
  const ucid = await leaveUnfinished(1, () => ({ version: 2 }))
  clockAheadMs = 16_000
  expect(await useCases().retry()).toBe(1)
  await waitFor(() => published.length === 1)
  expect(desk.standIns.telephony.call({ ucid })).toMatchObject({ disposition: 'Information Given' })
})

test('a disposition that fails by a bug is in the log, holds up no other, and is tried again', async () => {
  const ucid = await leaveUnfinished(1, (intent) => intent)
  const telephony = await desk.telephonyOf(desk.workspaceId)
  let isBroken = true
  const recordDisposition = async (request: DispositionRequest): ReturnType<typeof telephony.recordDisposition> => {
    if (!request.ucid.startsWith('earlier')) return telephony.recordDisposition(request)
    if (isBroken) throw new TypeError('a bug')
    return { outcome: 'SAVED' }
  }
  const lines: string[] = []
  const log = pino({}, { write: (line: string) => void lines.push(line) })
  const { retry } = useCases({ log, telephonyOf: async () => ({ ...telephony, recordDisposition }) })
  clockAheadMs = 16_000
  expect(await retry()).toBe(1)
  expect(desk.standIns.telephony.call({ ucid })).toMatchObject({ disposition: 'Information Given' })
  const failed = lines.filter((line) => line.includes('due-work.failed'))
  const { workspaceId } = desk
  expect(failed.map((line): unknown => JSON.parse(line))).toMatchObject([
    { list: 'dispositions-unfinished', workspaceId, items: 1, first: 'earlier-0', reason: 'TypeError: a bug' },
  ])
  isBroken = false
  clockAheadMs += 16_000
  expect(await retry()).toBe(1)
})

test('more unfinished dispositions than one run takes, which fail again and again, do not hold up a later one', async () => {
  await leaveUnfinished(100, (intent) => intent)
  const telephony = await desk.telephonyOf(desk.workspaceId)
  const recordDisposition = async (request: DispositionRequest) => {
    if (request.ucid.startsWith('earlier')) throw new AppError('PROVIDER_UNAVAILABLE')
    return telephony.recordDisposition(request)
  }
  const { retry } = useCases({ telephonyOf: async () => ({ ...telephony, recordDisposition }) })
  let finished = 0
  for (let runs = 0; runs < 3; runs += 1) {
    clockAheadMs += 16_000
    finished += await retry()
  }
  expect(finished).toBe(1)
  await waitFor(() => published.length === 1)
})

test('rejects unknown dispositions, leads and calls, and names the field', async () => {
  const { submit } = useCases()
  const ucid = endedCall()
  desk.configure('telephony', { dispositions: ['Sold', 'Not sold'] })
  await expect(submit(agent, informed(ucid))).rejects.toMatchObject({
    reason: 'INVALID_INPUT',
    data: { fields: [{ path: 'disposition', allowed: ['Sold', 'Not sold'] }] },
  })
  desk.configure('telephony', { dispositions: [] })
  await expect(submit(agent, { ucid, disposition: 'Nonsense' })).rejects.toMatchObject({ reason: 'INVALID_INPUT' })
  await expect(submit(agent, { ...informed(ucid), leadId: '00000000-0000-4000-8000-000000000000' })).rejects.toMatchObject({
    data: { fields: [{ path: 'leadId' }] },
  })
  await expect(submit(agent, informed('999'))).rejects.toMatchObject({ reason: 'NOT_FOUND' })
  await expect(submit(await desk.signIn('user@demo.example'), informed(ucid))).rejects.toMatchObject({ code: 'FORBIDDEN' })
  expect(published).toEqual([])
})
