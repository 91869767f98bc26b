import { afterAll, beforeAll, expect, test } from 'vitest'
import { factsOf } from '../../src/features/calls/state/call-facts.ts'
import { addCallFacts } from '../../src/features/calls/state/call-state-store.ts'
import { readInsightOfLead, readInsights } from '../../src/features/insights/read-insights.ts'
import { renewInsight } from '../../src/features/insights/renew-insight.ts'
import { writeInsight } from '../../src/features/insights/write-insight.ts'
import { isoMoment } from '../../src/kernel/clock.ts'
import type { ErrorReason } from '../../src/kernel/errors.ts'
import { derivedId, newId } from '../../src/kernel/ids.ts'
import { callCompleted } from '../builders/events.ts'
import { failEachStep, type Outcomes } from '../harness/each-step.ts'
import { createWiredDesk, type WiredDesk } from '../harness/wired-desk.ts'

/** Every step of these use cases fails once. A failure that is in no list fails the use case with the same error. */

let desk: WiredDesk
let leadId: string
beforeAll(async () => {
  desk = await createWiredDesk()
  const [lead] = desk.standIns.platform.records('demo', 'lead', { name: { eq: 'Rahul Verma' } })
  leadId = String(lead?.['id'])
})
afterAll(() => desk[Symbol.asyncDispose]())

const { signal } = new AbortController()
const outcomes = <Subject>(
  prepare: () => Promise<Subject>,
  run: (subject: Subject) => Promise<unknown>,
  reason?: ErrorReason | 'unexpected',
): Promise<Outcomes> => failEachStep(desk.steps, { prepare, run, ...(reason && { reason }) })

const completed = async () => {
  desk.clock.advance(60_000)
  const ucid = newId()
  const { workspaceId } = desk
  const at = isoMoment(desk.clock.now())
  const known = { direction: 'INBOUND', startedAt: at, answeredAt: at, endedAt: at, leadId } as const
  await addCallFacts(desk.ports, { workspaceId, ucid }, factsOf(known, { source: 'RECORD', receivedAt: desk.clock.now() }))
  return callCompleted(newId(), { workspaceId, leadId: null, ucid, callId: derivedId('call', workspaceId, ucid), occurredAt: at })
}

test('the insight of a call that ended', async () => {
  expect(await outcomes(completed, (event) => writeInsight(desk.ports, event, signal), 'NOT_FOUND')).toEqual({
    tolerated: ['insightRecords.write'],
  })
  expect(await outcomes(completed, (event) => writeInsight(desk.ports, event, signal))).toEqual({
    tolerated: ['store.compareAndDelete insight-lock:*:*'],
  })
})

test('an insight that is renewed, and read', async () => {
  const analysed = async () => {
    const { workspaceId, ucid, callId, occurredAt } = await completed()
    const call = { workspaceId, ucid, callId: callId ?? '', occurredAt, leadId: null, agentId: null }
    return { ...call, id: newId(), type: 'call.analysed', version: 1 } as const
  }
  expect(await outcomes(analysed, (event) => renewInsight(desk.ports, event, signal))).toEqual({
    tolerated: ['store.compareAndDelete insight-lock:*:*'],
  })
  const actor = await desk.signIn('agent1@demo.example')
  const nothing = async (): Promise<void> => {}
  expect(await outcomes(nothing, () => readInsights(desk.ports, actor, [{ id: leadId }]))).toEqual({})
  expect(await outcomes(nothing, () => readInsightOfLead(desk.ports, desk.workspaceId, { id: leadId }))).toEqual({})
})
