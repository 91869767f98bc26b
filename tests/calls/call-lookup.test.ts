import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { Actor } from '../../src/access/actor.ts'
import { factsOf } from '../../src/features/calls/state/call-facts.ts'
import { leadOfCall } from '../../src/features/calls/state/lead-of-call.ts'
import { lookUpCall } from '../../src/features/calls/screen-pop/look-up-call.ts'
import { updateCall } from '../../src/features/calls/state/update-call.ts'
import { newId } from '../../src/kernel/ids.ts'
import { readLiveCalls } from '../../src/features/calls/state/call-state-store.ts'
import { AppError } from '../../src/kernel/errors.ts'
import { type CallsDesk, createCallsDesk } from '../harness/calls-desk.ts'
import { createPlatformClient } from '../harness/platform-client.ts'

let desk: CallsDesk
let agent: Actor
beforeAll(async () => {
  desk = await createCallsDesk()
  agent = await desk.signIn('agent1@demo.example')
})
afterAll(() => desk[Symbol.asyncDispose]())

const lookup = (phoneNumber: string, actor = agent) => lookUpCall(desk.callPorts, actor, { phoneNumber })

async function createLead(phones: Record<string, unknown>): Promise<string> {
  const id = newId()
  await fetch(`${desk.standIns.platform.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${agent.accessToken}` },
    body: JSON.stringify({
      query: 'mutation($data: LeadCreateInput!) { createLead(data: $data) { id } }',
      variables: { data: { id, name: 'Matching test', phones } },
    }),
  }).then(async (response) => z.object({ data: z.object({ createLead: z.object({ id: z.literal(id) }) }) }).parse(await response.json()))
  return id
}

test('finds the lead of a number as agents type it, with its last calls, newest first', async () => {
  const found = await lookup('098765 43210')
  expect(found.phoneNumber).toBe('+919876543210')
  expect(found.candidates.map(({ name, matchedBy }) => [name, matchedBy])).toEqual([['Ananya Sharma', 'PRIMARY_PHONE']])
  expect(found.lastCalls.length).toBe(2)
  const moments = found.lastCalls.map(({ startedAt }) => startedAt ?? '')
  expect(moments).toEqual(moments.toSorted().toReversed())
})

/** How records may hold `+91 90000 0000x`: the same number each time, with a last digit of the row's own. */
type Holding = readonly [string, (digit: string) => Record<string, unknown>, 'PRIMARY_PHONE' | 'ADDITIONAL_PHONE']
const holdings: readonly Holding[] = [
  ['whole in E.164', (d) => ({ primaryPhoneNumber: `+91900000010${d}` }), 'PRIMARY_PHONE'],
  ['split, with its calling code', (d) => ({ primaryPhoneNumber: `900000010${d}`, primaryPhoneCallingCode: '+91' }), 'PRIMARY_PHONE'],
  ['national, with its country', (d) => ({ primaryPhoneNumber: `900000010${d}`, primaryPhoneCountryCode: 'IN' }), 'PRIMARY_PHONE'],
  ['with a leading zero', (d) => ({ primaryPhoneNumber: `0900000010${d}`, primaryPhoneCountryCode: 'IN' }), 'PRIMARY_PHONE'],
  ['with spaces', (d) => ({ primaryPhoneNumber: `+91 90000 0010${d}` }), 'PRIMARY_PHONE'],
  [
    'as an additional number, split',
    (d) => ({ additionalPhones: [{ number: `900000010${d}`, callingCode: '+91', countryCode: 'IN' }] }),
    'ADDITIONAL_PHONE',
  ],
  ['as an additional number, whole', (d) => ({ additionalPhones: [{ number: `+91900000010${d}` }] }), 'ADDITIONAL_PHONE'],
  [
    'as an additional number with punctuation',
    (d) => ({ additionalPhones: [{ number: `90000-0010${d}`, countryCode: 'IN' }] }),
    'ADDITIONAL_PHONE',
  ],
]

test.each(holdings.map(([held, phones, matchedBy], index) => [held, { phones, matchedBy, digit: String(index) }] as const))(
  'matches a record that holds the number %s',
  async (_, { phones, matchedBy, digit }) => {
    const id = await createLead(phones(digit))
    const { candidates } = await lookup(`+91900000010${digit}`)
    expect(candidates.map((lead) => [lead.id, lead.matchedBy])).toEqual([[id, matchedBy]])
  },
)

const writings = [
  '+919000000300',
  '919000000300',
  '09000000300',
  '9000000300',
  '00919000000300',
  '+91 90000-00300 ext. 12',
  '(+91) 9000000300',
]

test.each(writings)('finds the same caller by a number written as %s', async (written) => {
  await createLead({ primaryPhoneNumber: '+919000000300' })
  const { phoneNumber, candidates } = await lookup(written)
  expect(phoneNumber).toBe('+919000000300')
  expect(candidates.length).toBeGreaterThan(0)
})

test('does not match contained digits or numbers of another country', async () => {
  await createLead({ primaryPhoneNumber: '9000000400', primaryPhoneCallingCode: '+7', primaryPhoneCountryCode: 'RU' })
  await createLead({ primaryPhoneNumber: '+9190000004001' })
  expect((await lookup('9000000400')).candidates).toEqual([])
})

test('offers both leads with the same number, the one with the primary number first', async () => {
  const additional = await createLead({ additionalPhones: [{ number: '+919000000500' }] })
  const primary = await createLead({ primaryPhoneNumber: '+919000000500' })
  await createLead({ additionalPhones: [{ number: '+919000000501' }] })
  expect((await lookup('9000000500')).candidates.map(({ id }) => id)).toEqual([primary, additional])
})

test('a call from a number that two leads have belongs to neither, until an agent says whose it is', async () => {
  const key = { workspaceId: desk.workspaceId, ucid: newId() }
  const report = { direction: 'INBOUND', phoneNumber: '+919000000510', startedAt: new Date().toISOString() } as const
  await updateCall(desk.callPorts, key, factsOf(report, { source: 'LIVE', receivedAt: Date.now() }))
  const only = await createLead({ primaryPhoneNumber: '+919000000510' })
  await createLead({ additionalPhones: [{ number: '+919000000510' }] })
  expect(await leadOfCall(desk.callPorts, key, 'INSIGHTS')).toBeNull()
  await updateCall(desk.callPorts, key, factsOf({ leadId: only }, { source: 'OWN', receivedAt: Date.now() }))
  expect(await leadOfCall(desk.callPorts, key, 'INSIGHTS')).toBe(only)
})

test.each(['', '12', '5005', 'sip:523590@x', 'nobody', '9'.repeat(40)])('rejects %s because it is not a valid number', async (written) => {
  await expect(lookup(written)).rejects.toMatchObject({ reason: 'INVALID_INPUT', data: { fields: [{ path: 'phoneNumber' }] } })
})

test('each request carries the token of its own actor', async () => {
  const other = await desk.signIn('agent2@demo.example')
  desk.standIns.platform.forgetCalls()
  await lookup('9876543210', other)
  const tokens = new Set(desk.standIns.platform.calls().map(({ headers }) => headers.authorization))
  expect([...tokens]).toEqual([`Bearer ${other.accessToken}`])
})

test('takes names of objects and fields from the configuration and leaves out what the workspace lacks', async () => {
  const { objects } = await desk.configuration.read(desk.workspaceId, 'platform')
  const { lead } = objects
  desk.configure('platform', {
    objects: {
      ...objects,
      lead: { ...lead, fields: { ...lead.fields, source: 'whereFrom', aiSummary: 'robotSummary', status: 'source' } },
    },
  })
  const { candidates } = await lookup('9876543210')
  desk.configure('platform', { objects })
  expect(candidates).toMatchObject([{ name: 'Ananya Sharma', status: 'Website', source: null, insight: null }])
})

test('finds nobody, without an error, in a workspace without leads and calls', async () => {
  const { objects } = await desk.configuration.read(desk.workspaceId, 'platform')
  const elsewhere = { singular: 'prospect', plural: 'prospects' }
  desk.configure('platform', { objects: { ...objects, lead: { ...objects.lead, ...elsewhere }, call: { ...objects.call, ...elsewhere } } })
  const found = await lookup('9876543210')
  desk.configure('platform', { objects })
  expect(found).toMatchObject({ phoneNumber: '+919876543210', candidates: [], lead: null, lastCalls: [], openItems: [], nextVisit: null })
})

async function onPlatform(query: string, data: Readonly<Record<string, unknown>>): Promise<void> {
  const client = createPlatformClient(desk.standIns.platform)
  const answer = await client.ask('/graphql', query, { token: agent.accessToken, variables: { data } })
  expect(answer).not.toHaveProperty('errors')
}

test('a finished call that only the platform knows does not begin to ring because an agent looks it up', async () => {
  const leadId = await createLead({ primaryPhoneNumber: '+919000000520' })
  const ucid = newId()
  const create = 'mutation ($data: CallCreateInput!) { createCall(data: $data) { id } }'
  await onPlatform(create, { ucid, name: 'Of another program', phone: '+919000000520', status: 'COMPLETED', direction: 'INBOUND' })
  const found = await lookUpCall(desk.callPorts, agent, { ucid })
  expect(found).toMatchObject({ phoneNumber: '+919000000520', lead: { id: leadId } })
  expect((await readLiveCalls(desk.callPorts, desk.workspaceId)).map((call) => call.ucid)).not.toContain(ucid)
  expect(await desk.store.sortedRange(`call-records-queued:${desk.workspaceId}`, { limit: 100 })).not.toContainEqual(
    expect.objectContaining({ member: ucid }),
  )
})

test('the next due task comes first, also if ten others have no date', async () => {
  const leadId = await createLead({ primaryPhoneNumber: '+919000000530' })
  const dates = [...Array.from({ length: 10 }, () => null), '2026-12-02T09:00:00.000Z', '2026-11-02T09:00:00.000Z']
  for (const dueAt of dates) {
    const taskId = newId()
    await onPlatform('mutation ($data: TaskCreateInput!) { createTask(data: $data) { id } }', { id: taskId, title: 'Something', dueAt })
    await onPlatform('mutation ($data: TaskTargetCreateInput!) { createTaskTarget(data: $data) { id } }', { taskId, targetLeadId: leadId })
  }
  const { openItems } = await lookup('+919000000530')
  expect(openItems.map(({ dueAt }) => dueAt).slice(0, 3)).toEqual([dates[11], dates[10], null])
  expect(openItems).toHaveLength(10)
})

test('a call history that cannot be read hides neither the lead nor the tasks', async () => {
  const fail = () => Promise.reject(new AppError('DEADLINE_PASSED'))
  const callRecords = { ...desk.callPorts.callRecords, ofLead: fail, withPhone: fail }
  const found = await lookUpCall({ ...desk.callPorts, callRecords }, agent, { phoneNumber: '9876543210' })
  expect(found).toMatchObject({ lead: { name: 'Ananya Sharma' }, lastCalls: [], unavailable: ['CALLS'] })
})
