import { afterEach, beforeEach, expect, test } from 'vitest'
import { readCall } from '../../src/features/calls/state/call-state-store.ts'
import { confirmMissedCalls } from '../../src/features/calls/missed-calls/confirm-missed-calls.ts'
import { listMissedCalls } from '../../src/features/calls/missed-calls/missed-call-store.ts'
import { trackUpdate } from '../../src/features/calls/tracking/track-update.ts'
import { createLeadsOfCallers } from '../../src/features/calls/unknown-callers/create-leads-of-callers.ts'
import { readNewLeadUse } from '../../src/features/calls/unknown-callers/hourly-limit.ts'
import { AppError } from '../../src/kernel/errors.ts'
import { newId } from '../../src/kernel/ids.ts'
import type { EventOf } from '../../src/ports/event-catalogue.ts'
import type { NewLeads } from '../../src/ports/lead-notes.ts'
import type { CallUpdate } from '../../src/ports/telephony-webhooks.ts'
import { type CallsDesk, createCallsDesk } from '../harness/calls-desk.ts'
import { createPlatformClient } from '../harness/platform-client.ts'
import { waitFor } from '../harness/wait-for.ts'
import { doDue } from '../harness/do-due.ts'

let desk: CallsDesk
let now: number
let numbers = 0
let missed: EventOf<'call.missed'>[]
let completed: EventOf<'call.completed'>[]
beforeEach(async () => {
  desk = await createCallsDesk()
  desk.configure('telephony', { newLeads: { enabled: true, source: 'Inbound call', maxPerHour: 100 } })
  // No test passes into another hour unless it means to.
  now = Math.floor(Date.now() / 3_600_000) * 3_600_000 + 60_000
  missed = []
  desk.bus.subscribe({ name: 'missed', topic: 'call.missed', handle: async (event) => void missed.push(event) })
  completed = []
  desk.bus.subscribe({ name: 'completed', topic: 'call.completed', handle: async (event) => void completed.push(event) })
  await desk.bus.start()
})
afterEach(() => desk[Symbol.asyncDispose]())

const ports = () => ({ ...desk.callPorts, clock: { now: () => now } })
/** Events are delivered some time after they are published. */
const shows = (check: () => void) => waitFor(() => (check(), true))
const key = (ucid: string) => ({ workspaceId: desk.workspaceId, ucid })
const leadsWith = (phoneNumber: string) =>
  desk.standIns.platform.records('demo', 'lead', { phones: { primaryPhoneNumber: { eq: phoneNumber.slice(3) } } })
const newNumber = (): string => {
  numbers += 1
  return `+9198123${String(numbers).padStart(5, '0')}`
}

async function track(ucid: string, facts: CallUpdate['facts'], source: CallUpdate['source'] = 'LIVE'): Promise<void> {
  const update = { about: 'CALL', ucid, source, facts, automaticDisposition: null } as const
  await trackUpdate(ports(), { workspaceId: desk.workspaceId, provider: 'ozonetel', receivedAt: now, update })
}

/** An inbound call that is answered now. */
async function answered(phoneNumber: string | null, facts: CallUpdate['facts'] = {}): Promise<string> {
  const ucid = newId()
  const at = new Date(now).toISOString()
  await track(ucid, { direction: 'INBOUND', phoneNumber, did: '+918069876501', startedAt: at, answeredAt: at, ...facts })
  return ucid
}
const leadIdOf = async (ucid: string) => (await readCall(desk.callPorts, key(ucid)))?.leadId ?? null

async function onPlatform(query: string, variables: Readonly<Record<string, unknown>>): Promise<void> {
  const token = desk.standIns.platform.apiKeyOf('demo')
  expect(await createPlatformClient(desk.standIns.platform).ask('/graphql', query, { token, variables })).not.toHaveProperty('errors')
}
const createByHand = (id: string, phoneNumber: string) =>
  onPlatform('mutation ($data: LeadCreateInput!) { createLead(data: $data) { id } }', {
    data: { id, name: 'By hand', phones: { primaryPhoneNumber: phoneNumber } },
  })

test('an answered call from an unknown number gets a lead with number and source, and so do all later calls', async () => {
  const phoneNumber = newNumber()
  const first = await answered(phoneNumber)
  await doDue(createLeadsOfCallers, ports())
  const [lead, ...others] = leadsWith(phoneNumber)
  expect(others).toEqual([])
  const readable = `+91 ${phoneNumber.slice(3, 8)} ${phoneNumber.slice(8)}`
  expect(lead).toMatchObject({ name: `Unknown caller ${readable}`, source: 'Inbound call', status: 'NEW' })
  expect(await leadIdOf(first)).toBe(lead?.['id'])
  const second = await answered(phoneNumber)
  await doDue(createLeadsOfCallers, ports())
  expect(await leadIdOf(second)).toBe(lead?.['id'])
  expect(leadsWith(phoneNumber)).toHaveLength(1)
})

test.each(['call', 'unknown-caller'])('a call whose %s cannot be read does not hold up the callers behind it', async (family) => {
  const [unreadable, phoneNumber] = [await answered(newNumber()), newNumber()]
  now += 1
  const ucid = await answered(phoneNumber)
  await desk.store.set(`${family}:${desk.workspaceId}:${unreadable}`, '{"phoneNumber":2}')
  await doDue(createLeadsOfCallers, ports())
  expect(leadsWith(phoneNumber)).toHaveLength(1)
  expect(await leadIdOf(ucid)).toBe(leadsWith(phoneNumber)[0]?.['id'])
})

test('a missed call gets its lead before it is confirmed: the event and the list of missed calls have it', async () => {
  const [phoneNumber, ucid] = [newNumber(), newId()]
  const at = new Date(now).toISOString()
  const facts = { direction: 'INBOUND', phoneNumber, did: '+918069876501', startedAt: at, endedAt: at, answered: false } as const
  await track(ucid, facts, 'RECORD')
  await doDue(createLeadsOfCallers, ports())
  now += 6_000
  await doDue(confirmMissedCalls, ports())
  const leadId = leadsWith(phoneNumber)[0]?.['id']
  expect((await listMissedCalls(ports(), desk.workspaceId, { first: 5, waitingOnly: true })).nodes).toMatchObject([{ ucid, leadId }])
  await shows(() => expect(missed).toMatchObject([{ ucid, leadId }]))
})

test('a missed call whose lead comes late, because the platform was away, is missed without it and linked afterwards', async () => {
  const [phoneNumber, ucid] = [newNumber(), newId()]
  const at = new Date(now).toISOString()
  await track(ucid, { direction: 'INBOUND', phoneNumber, startedAt: at, endedAt: at })
  const away: NewLeads = { ...desk.callPorts.newLeads, create: () => Promise.reject(new AppError('PROVIDER_UNAVAILABLE')) }
  await doDue(createLeadsOfCallers, { ...ports(), newLeads: away })
  now += 6_000
  await doDue(confirmMissedCalls, ports())
  const list = async () => (await listMissedCalls(ports(), desk.workspaceId, { first: 5, waitingOnly: true })).nodes
  expect(await list()).toMatchObject([{ ucid, leadId: null }])
  await doDue(createLeadsOfCallers, ports())
  expect(await list()).toMatchObject([{ ucid, leadId: leadsWith(phoneNumber)[0]?.['id'] }])
  expect(await readNewLeadUse(ports(), desk.workspaceId)).toMatchObject({ createdThisHour: 1, leftOutThisHour: 0 })
})

/** The provider's record of a call whose live events were all lost; the agent recorded the outcome in the provider's user interface. */
async function recorded(phoneNumber: string): Promise<string> {
  const ucid = newId()
  const at = new Date(now).toISOString()
  const times = { startedAt: at, answeredAt: at, endedAt: at, answered: true } as const
  await track(ucid, { direction: 'INBOUND', phoneNumber, did: '+918069876501', disposition: 'Complaint', ...times }, 'RECORD')
  return ucid
}

test('the outcome of a call that only its record reported is published once, with the new lead', async () => {
  const phoneNumber = newNumber()
  const ucid = await recorded(phoneNumber)
  expect(completed).toEqual([])
  await doDue(createLeadsOfCallers, ports())
  const leadId = leadsWith(phoneNumber)[0]?.['id']
  await shows(() => expect(completed).toMatchObject([{ ucid, leadId, disposition: 'Complaint' }]))
  await track(ucid, { notes: 'Called about a bill', answered: true, disposition: 'Complaint' }, 'RECORD')
  await doDue(createLeadsOfCallers, ports())
  const next = await recorded(phoneNumber)
  await doDue(createLeadsOfCallers, ports())
  await shows(() => expect(completed.map((event) => event.ucid)).toEqual([ucid, next]))
})

test('the outcome is published without a lead if none could be made', async () => {
  const ucid = await recorded(newNumber())
  const away: NewLeads = { ...desk.callPorts.newLeads, create: () => Promise.reject(new AppError('PROVIDER_UNAVAILABLE')) }
  for (let minute = 0; minute < 10; minute += 1) {
    expect(completed).toEqual([])
    await doDue(createLeadsOfCallers, { ...ports(), newLeads: away })
    now += 60_000
  }
  await shows(() => expect(completed).toMatchObject([{ ucid, leadId: null }]))
})

test('a call goes on without a lead if the platform is away for too long', async () => {
  const phoneNumber = newNumber()
  const ucid = await answered(phoneNumber)
  let tries = 0
  const create: NewLeads['create'] = () => {
    tries += 1
    return Promise.reject(new AppError('PROVIDER_UNAVAILABLE'))
  }
  const away = () => ({ ...ports(), newLeads: { ...desk.callPorts.newLeads, create } })
  for (let minute = 0; minute < 60; minute += 1) {
    await doDue(createLeadsOfCallers, away())
    now += 60_000
  }
  expect(tries).toBe(10)
  await track(ucid, { endedAt: new Date(now).toISOString() })
  await doDue(createLeadsOfCallers, ports())
  expect([await leadIdOf(ucid), leadsWith(phoneNumber)]).toEqual([null, []])
})

test.each([
  ['a withheld number', null],
  ['the number that was called', '+918069876501'],
  ['the caller id of the second provider', '+918069876590'],
])('%s makes no lead', async (_, phoneNumber) => {
  desk.configure('telephony', { outbound: { id: 'exotel', callerId: '+918069876590' } })
  const count = desk.standIns.platform.records('demo', 'lead').length
  await answered(phoneNumber)
  await doDue(createLeadsOfCallers, ports())
  expect(desk.standIns.platform.records('demo', 'lead')).toHaveLength(count)
})

test("an agent's own phone makes no lead", async () => {
  const phoneNumber = newNumber()
  const [agent] = desk.standIns.platform.records('demo', 'agent')
  await onPlatform('mutation ($id: UUID!, $data: AgentUpdateInput!) { updateAgent(id: $id, data: $data) { id } }', {
    id: agent?.['id'],
    data: { sipExtension: phoneNumber },
  })
  await answered(phoneNumber)
  await doDue(createLeadsOfCallers, ports())
  expect(leadsWith(phoneNumber)).toEqual([])
})

test('outbound calls, ringing calls and workspaces that do not want these leads make none', async () => {
  const [outbound, ringing, off] = [newNumber(), newNumber(), newNumber()]
  await answered(outbound, { direction: 'OUTBOUND' })
  await track(newId(), { direction: 'INBOUND', phoneNumber: ringing, startedAt: new Date(now).toISOString() })
  desk.configure('telephony', { newLeads: { enabled: false, source: 'Inbound call', maxPerHour: 100 } })
  await answered(off)
  await doDue(createLeadsOfCallers, ports())
  expect([outbound, ringing, off].flatMap(leadsWith)).toEqual([])
})

test('a lead that somebody deleted is not created again, no matter who had created it', async () => {
  const [ours, theirs, id] = [newNumber(), newNumber(), newId()]
  await answered(ours)
  await doDue(createLeadsOfCallers, ports())
  await createByHand(id, theirs)
  for (const deleted of [leadsWith(ours)[0]?.['id'], id]) {
    await onPlatform('mutation ($id: UUID!) { deleteLead(id: $id) { id } }', { id: deleted })
  }
  const calls = [await answered(ours), await answered(theirs)]
  await doDue(createLeadsOfCallers, ports())
  expect([...leadsWith(ours), ...leadsWith(theirs)]).toEqual([])
  for (const ucid of calls) expect(await leadIdOf(ucid)).toBeNull()
})

test.each([
  ['before', 'byPhone'],
  ['while', 'create'],
])('takes the lead that an agent creates by hand %s ours is created', async (_, moment) => {
  const [phoneNumber, id] = [newNumber(), newId()]
  const ucid = await answered(phoneNumber)
  if (moment === 'byPhone') await createByHand(id, phoneNumber)
  const create: NewLeads['create'] = async (access, lead) => {
    await createByHand(id, phoneNumber)
    return desk.callPorts.newLeads.create(access, lead)
  }
  await doDue(createLeadsOfCallers, { ...ports(), newLeads: { ...desk.callPorts.newLeads, create } })
  expect(leadsWith(phoneNumber)).toMatchObject([{ id, name: 'By hand' }])
  expect(await leadIdOf(ucid)).toBe(id)
  expect(await readNewLeadUse(ports(), desk.workspaceId)).toMatchObject({ createdThisHour: 0 })
})

test('a call from a number that several leads have stays without a lead', async () => {
  const phoneNumber = newNumber()
  await createByHand(newId(), phoneNumber)
  await createByHand(newId(), phoneNumber)
  const ucid = await answered(phoneNumber)
  await doDue(createLeadsOfCallers, ports())
  expect([await leadIdOf(ucid), leadsWith(phoneNumber).length]).toEqual([null, 2])
})

test('an hour brings no more leads than configured, and says how many calls got none', async () => {
  desk.configure('telephony', { newLeads: { enabled: true, source: 'Phone', maxPerHour: 2 } })
  const callers = Array.from({ length: 4 }, newNumber)
  for (const caller of callers) await answered(caller)
  await doDue(createLeadsOfCallers, ports())
  expect(callers.flatMap(leadsWith)).toHaveLength(2)
  expect(await readNewLeadUse(ports(), desk.workspaceId)).toEqual({
    enabled: true,
    createdThisHour: 2,
    maxPerHour: 2,
    leftOutThisHour: 2,
  })
  now += 3_600_000
  await answered(callers[3] ?? null)
  await doDue(createLeadsOfCallers, ports())
  expect(leadsWith(callers[3] ?? '')).toMatchObject([{ source: 'Phone' }])
})
