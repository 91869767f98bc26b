import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Actor } from '../../src/access/actor.ts'
import { lookUpCall } from '../../src/features/calls/screen-pop/look-up-call.ts'
import { derivedId } from '../../src/kernel/ids.ts'
import { asPerson } from '../../src/ports/record-access.ts'
import { type CallsDesk, createCallsDesk } from '../harness/calls-desk.ts'
import { hideObjects } from '../harness/hide-objects.ts'

let desk: CallsDesk
let agent: Actor
beforeEach(async () => {
  desk = await createCallsDesk()
  agent = await desk.signIn('agent1@demo.example')
})
afterEach(() => desk[Symbol.asyncDispose]())

const access = () => asPerson(desk.workspaceId, agent.accessToken)
const hide = (...names: string[]) => hideObjects(desk.standIns.platform, 'User', { names })
const leadIdOf = (name: string): string => String(desk.standIns.platform.records('demo', 'lead', { name: { eq: name } })[0]?.['id'])

/** The platform gives entries of the same millisecond in any order. */
async function readActivity(leadId: string) {
  const activity = await desk.ports.leadActivity.read(access(), leadId)
  const timeline = activity?.timeline.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)))
  return activity && { ...activity, timeline }
}

test('one hidden object costs one part of the lead activity', async () => {
  const leadId = leadIdOf('Rahul Verma')
  const whole = await readActivity(leadId)
  expect(whole).toMatchObject({ unavailable: [] })
  expect(whole?.notes.length).toBeGreaterThan(0)
  await hide('note', 'noteTarget')
  expect(await readActivity(leadId)).toEqual({ ...whole, notes: [], unavailable: ['NOTES'] })
  await hide('task', 'taskTarget', 'call', 'visitSlot')
  expect(await readActivity(leadId)).toEqual({
    ...whole,
    notes: [],
    tasks: [],
    calls: [],
    visits: [],
    unavailable: ['NOTES', 'TASKS', 'CALLS', 'VISITS'],
  })
})

test('the leads of a list come with one request, without those that are gone', async () => {
  const { leadRecords } = desk.ports
  const ids = ['Rahul Verma', 'Ananya Sharma'].map(leadIdOf)
  await leadRecords.byIds(access(), ids)
  desk.standIns.platform.forgetCalls()
  const found = await leadRecords.byIds(access(), [...ids, ...ids, derivedId('gone'), 'none'])
  expect(new Set(found.map(({ name }) => name))).toEqual(new Set(['Ananya Sharma', 'Rahul Verma']))
  expect(found).toHaveLength(2)
  expect(desk.standIns.platform.calls()).toHaveLength(1)
  expect(await leadRecords.byIds(access(), ['none'])).toEqual([])
})

test('the screen pop has what the role may read, and names the rest', async () => {
  const question = { phoneNumber: '+919876543210' }
  const whole = await lookUpCall(desk.callPorts, agent, question)
  expect(whole).toMatchObject({ unavailable: [], lead: { name: 'Ananya Sharma' } })
  await hide('call', 'task', 'taskTarget')
  expect(await lookUpCall(desk.callPorts, agent, question)).toMatchObject({
    lead: whole.lead,
    lastCalls: [],
    nextVisit: whole.nextVisit,
    unavailable: ['CALLS', 'TASKS'],
  })
  await hide('lead')
  expect(await lookUpCall(desk.callPorts, agent, question)).toMatchObject({
    phoneNumber: '+919876543210',
    lead: null,
    candidates: [],
    unavailable: ['LEADS', 'CALLS'],
  })
})
