import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Actor } from '../../src/access/actor.ts'
import { factsOf } from '../../src/features/calls/state/call-facts.ts'
import type { CallPorts } from '../../src/features/calls/state/call-ports.ts'
import { readCall } from '../../src/features/calls/state/call-state-store.ts'
import { trackUpdate } from '../../src/features/calls/tracking/track-update.ts'
import { completeTransfer } from '../../src/features/calls/transfer/complete-transfer.ts'
import { startTransfer } from '../../src/features/calls/transfer/start-transfer.ts'
import { updateCall } from '../../src/features/calls/state/update-call.ts'
import { AppError } from '../../src/kernel/errors.ts'
import type { EventOf } from '../../src/ports/event-catalogue.ts'
import type { CallControl } from '../../src/ports/telephony.ts'
import { type CallsDesk, createCallsDesk } from '../harness/calls-desk.ts'
import { type Listener, startListener } from '../harness/listener.ts'
import { waitFor } from '../harness/wait-for.ts'

const customer = '+919812345670'
const specialist = '+919845012345'

let desk: CallsDesk
let agent: Actor
let listener: Listener
let published: EventOf<'call.transferred'>[]
/** `call.completed` events: their call's record was processed. */
let completed: number
beforeEach(async () => {
  desk = await createCallsDesk()
  listener = await startListener()
  published = []
  completed = 0
  desk.bus.subscribe({ name: 'transfers', topic: 'call.transferred', handle: async (event) => void published.push(event) })
  desk.bus.subscribe({ name: 'completed', topic: 'call.completed', handle: async () => void (completed += 1) })
  await desk.bus.start()
  agent = await desk.signIn('agent1@demo.example')
  const telephony = await desk.telephonyOf(desk.workspaceId)
  await telephony.signIn({ agentId: 'agent1', password: 'demo-agent1-password', phoneNumber: await extension() })
  desk.standIns.telephony.accountMode({ endOfCallUrl: listener.url })
})
afterEach(async () => {
  await listener[Symbol.asyncDispose]()
  await desk[Symbol.asyncDispose]()
})

async function extension(): Promise<string> {
  const cached = await desk.callPorts.agentRecordCache.ofMember(agent.principal, agent.accessToken)
  return cached.record?.sipExtension ?? ''
}

/** A call that the agent has answered, as live events reported it. */
async function answered(): Promise<string> {
  const { ucid, did } = desk.standIns.telephony.ring({ from: customer, agentId: 'agent1' })
  desk.standIns.telephony.answer({ ucid })
  const at = new Date().toISOString()
  const facts = { direction: 'INBOUND', phoneNumber: customer, did, agentId: 'agent1', startedAt: at, answeredAt: at } as const
  await updateCall(desk.callPorts, { workspaceId: desk.workspaceId, ucid }, factsOf(facts, { source: 'LIVE', receivedAt: Date.now() }))
  return ucid
}

/** Ends the call with a disposition, and processes the provider's record of it, twice. */
async function report(ucid: string): Promise<void> {
  desk.standIns.telephony.hangUp({ ucid })
  const call = desk.standIns.telephony.call({ ucid })
  const telephony = await desk.telephonyOf(desk.workspaceId)
  await telephony.recordDisposition({ ucid, did: call.did, agentId: 'agent1', disposition: 'Information Given' })
  const record = await waitFor(() => listener.received.find(({ body }) => body.toString().includes(ucid)))
  const webhooks = await desk.callPorts.telephonyWebhooksOf({ workspaceId: desk.workspaceId, provider: 'ozonetel' })
  const [update] = webhooks.read(record.body.toString(), record.contentType)
  if (!update) throw new Error('the record cannot be read')
  const origin = { workspaceId: desk.workspaceId, provider: 'ozonetel', receivedAt: Date.now() }
  for (const received of [origin, origin]) await trackUpdate(desk.callPorts, { ...received, update })
  await waitFor(() => completed === 1)
}

const transfer = (ports: CallPorts, ucid: string) => startTransfer(ports, agent, { ucid, phoneNumber: specialist })

test('publishes call.transferred once, with ids only, although the provider reports the call again', async () => {
  const ucid = await answered()
  await transfer(desk.callPorts, ucid)
  desk.standIns.telephony.answerParty({ ucid, number: specialist })
  await completeTransfer(desk.callPorts, agent, ucid)
  await completeTransfer(desk.callPorts, agent, ucid)
  await waitFor(() => published.length === 1)
  await report(ucid)
  expect(published).toMatchObject([{ ucid, target: 'NUMBER', memberId: agent.principal.memberId }])
  expect(JSON.stringify(published)).not.toContain('98450')
  expect(JSON.stringify(published)).not.toContain('98123')
})

test.each([
  { type: 'Phone', to: '09845012345', shown: { transferTarget: 'NUMBER', transferredTo: specialist } },
  { type: 'Agent Transfer', to: 'agent2', shown: { transferTarget: 'AGENT', transferredTo: 'agent2' } },
  { type: 'Skill', to: 'Billing', shown: { transferTarget: 'QUEUE', transferredTo: 'Billing' } },
  { type: 'something new', to: 'Ward 3', shown: { transferTarget: 'OTHER', transferredTo: 'Ward 3' } },
])("publishes call.transferred for a transfer in the provider's user interface: $type", async ({ type, to, shown }) => {
  const ucid = await answered()
  desk.standIns.telephony.transferAtPanel({ ucid, type, to })
  await report(ucid)
  await waitFor(() => published.length === 1)
  expect(published).toMatchObject([{ ucid, target: shown.transferTarget, memberId: null }])
  expect(await readCall(desk.callPorts, { workspaceId: desk.workspaceId, ucid })).toMatchObject(shown)
})

test('publishes nothing for a call that was not transferred', async () => {
  const ucid = await answered()
  await transfer(desk.callPorts, ucid)
  await report(ucid)
  expect(published).toEqual([])
})

test('publishes the transfer of an agent who left before our process died', async () => {
  const ucid = await answered()
  await transfer(desk.callPorts, ucid)
  desk.standIns.telephony.answerParty({ ucid, number: specialist })
  // The provider removes the agent, and nothing after that happens here.
  const telephonyOf = async (workspaceId: string) => {
    const telephony = await desk.telephonyOf(workspaceId)
    const control = async (request: CallControl): Promise<void> => {
      await telephony.control(request)
      if (request.action === 'LEAVE') throw new AppError('DEADLINE_PASSED')
    }
    return { ...telephony, control }
  }
  await expect(completeTransfer({ ...desk.callPorts, telephonyOf }, agent, ucid)).rejects.toMatchObject({ reason: 'DEADLINE_PASSED' })
  expect(published).toEqual([])
  await report(ucid)
  await waitFor(() => published.length === 1)
  expect(published).toMatchObject([{ ucid, target: 'NUMBER' }])
})

test("refuses the agent's own number", async () => {
  const ucid = await answered()
  const agentRecordCache: CallPorts['agentRecordCache'] = {
    ...desk.callPorts.agentRecordCache,
    async ofMember(member, accessToken) {
      const cached = await desk.callPorts.agentRecordCache.ofMember(member, accessToken)
      return { ...cached, record: cached.record && { ...cached.record, sipExtension: '98450 12345' } }
    },
  }
  await expect(transfer({ ...desk.callPorts, agentRecordCache }, ucid)).rejects.toMatchObject({
    reason: 'INVALID_INPUT',
    data: { fields: [{ path: 'phoneNumber', message: 'is your own phone: give another number' }] },
  })
  expect(desk.standIns.telephony.call({ ucid }).conference).toEqual([])
})

test('calls an agent or a queue with a provider that can do that', async () => {
  const ucid = await answered()
  const asked: CallControl[] = []
  const telephonyOf = async (workspaceId: string) => {
    const telephony = await desk.telephonyOf(workspaceId)
    const capabilities = new Set([...telephony.capabilities, 'CONFERENCE_WITH_QUEUE'] as const)
    return { ...telephony, capabilities, control: async (request: CallControl) => void asked.push(request) }
  }
  const ports = { ...desk.callPorts, telephonyOf }
  await startTransfer(ports, agent, { ucid, queue: 'Billing' })
  await completeTransfer(ports, agent, ucid)
  expect(asked.map(({ action }) => action)).toEqual(['HOLD', 'CONFERENCE', 'UNHOLD', 'LEAVE'])
  expect(asked[1]).toMatchObject({ queue: 'Billing' })
  await waitFor(() => published.length === 1)
  expect(published).toMatchObject([{ target: 'QUEUE' }])
})
