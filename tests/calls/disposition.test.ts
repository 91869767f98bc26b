import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Actor } from '../../src/access/actor.ts'
import type { CallsOptions } from '../../src/features/calls/calls.ts'
import type { Disposition } from '../../src/features/calls/submit-disposition.ts'
import type { EventBus } from '../../src/ports/event-bus.ts'
import { AppError } from '../../src/kernel/errors.ts'
import { telephonyAccounts } from '../../src/sandbox/accounts.ts'
import { type CallsDesk, createCallsDesk } from '../harness/calls-desk.ts'
import { waitFor } from '../harness/wait-for.ts'

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

function useCases(changes: Partial<CallsOptions> = {}) {
  const { submitDisposition: submit, scheduledJobs } = desk.makeCalls({ clock, ...changes })
  return { submit, sweep: scheduledJobs[0].run }
}

const endedCall = (): string => desk.standIns.telephony.inboundCall({ from: '+919876543210', agentId: agents()[0].id }).ucid
const informed = (ucid: string): Disposition => ({ ucid, disposition: 'Information Given', notes: 'Asked about fees' })
const dispositionCalls = () => desk.standIns.telephony.calls('DispositionAPIV2')

test('a disposition reaches the provider and call.completed is published; the call as the provider has it bears it', async () => {
  const ucid = endedCall()
  const receipt = await useCases().submit(agent, informed(ucid))
  expect(receipt).toMatchObject({ ucid, disposition: 'Information Given', outcome: 'SAVED' })
  expect(desk.standIns.telephony.call({ ucid })).toMatchObject({ disposition: 'Information Given', comments: 'Asked about fees' })
  await waitFor(() => published.length === 1)
  expect(published).toEqual([receipt.eventId])
})

test('sent five times at once, it is published once and all get the same receipt', async () => {
  const ucid = endedCall()
  const { submit } = useCases()
  const receipts = await Promise.all(Array.from({ length: 5 }, () => submit(agent, informed(ucid))))
  expect(new Set(receipts.map((receipt) => JSON.stringify(receipt))).size).toBe(1)
  await waitFor(async () => published.length > 0 && (await bus.depth()).events === 0)
  expect(published.length).toBe(1)
  expect(dispositionCalls().length).toBe(1)
})

test('during the call it is queued, and a call that has one already counts as done', async () => {
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

test('a provider that is down: an error that says so, nothing published, and it can be sent again', async () => {
  const ucid = endedCall()
  const { submit } = useCases()
  desk.standIns.telephony.fault({ operation: 'DispositionAPIV2', act: 'refuse', status: 503 })
  await expect(submit(agent, informed(ucid))).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' })
  desk.standIns.telephony.clearFaults()
  expect(published).toEqual([])
  expect((await submit(agent, informed(ucid))).outcome).toBe('SAVED')
  await waitFor(() => published.length === 1)
})

test('the provider has it but the event cannot be kept: the next try publishes without a second disposition', async () => {
  const ucid = endedCall()
  const full: EventBus = { ...bus, publish: () => Promise.reject(new AppError('OVERLOADED')) }
  await expect(useCases({ bus: full }).submit(agent, informed(ucid))).rejects.toMatchObject({ reason: 'OVERLOADED' })
  expect(published).toEqual([])
  await useCases().submit(agent, informed(ucid))
  await waitFor(() => published.length === 1)
  expect(dispositionCalls().length).toBe(1)
})

test('what a crash left between intent and event is finished by the sweep, once', async () => {
  const ucid = endedCall()
  const dying: EventBus = { ...bus, publish: () => new Promise(() => undefined) }
  void useCases({ bus: dying }).submit(agent, informed(ucid))
  await waitFor(() => dispositionCalls().length === 1)
  const { sweep } = useCases()
  expect(await sweep()).toBe(0)
  clockAheadMs = 60_000
  expect(await sweep()).toBe(1)
  expect(await sweep()).toBe(0)
  await waitFor(() => published.length === 1)
})

test('an answer that is lost is found out by the sweep', async () => {
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
  clockAheadMs = 31_000
  expect(await useCases().sweep()).toBe(1)
  await waitFor(() => published.length === 1)
})

test('what is not of the lists, or not there, is refused with the field named', async () => {
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
