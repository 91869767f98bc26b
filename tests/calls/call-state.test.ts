import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type AgentActivity, agentStates } from '../../src/ports/agent-activity.ts'
import {
  type AgentCall,
  type AgentPresence,
  callBefore,
  nothingReceived,
  standingOf,
  withActivity,
  withCall,
} from '../../src/features/calls/agent-presence.ts'
import { control, controlActions, noControls } from '../../src/features/calls/call-controls.ts'
import { type CallFacts, type ReportedCallFacts, type FactSource } from '../../src/ports/call-facts.ts'
import { factsOf, knownCall, mergeFacts, phaseOf } from '../../src/features/calls/call-facts.ts'

const moments = fc.integer({ min: 0, max: 600 }).map((second) => new Date(Date.UTC(2025, 0, 15, 9, 0, second)).toISOString())
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })

/** Any news that a provider, we or a look-up may bring, contradictions included. */
const reportedFacts: fc.Arbitrary<ReportedCallFacts> = fc.record({
  direction: maybe(fc.constantFrom('INBOUND', 'OUTBOUND')),
  phoneNumber: maybe(fc.constantFrom('+919000000001', '+919000000002')),
  agentId: maybe(fc.constantFrom('agent1', 'agent2')),
  startedAt: maybe(moments),
  answeredAt: maybe(moments),
  endedAt: maybe(moments),
  wrapUpEndedAt: maybe(moments),
  answered: maybe(fc.boolean()),
  talkSeconds: maybe(fc.integer({ min: 0, max: 900 })),
  disposition: maybe(fc.constantFrom('Booked', 'Rejected')),
})
const saidBy = fc.record({
  source: fc.constantFrom<FactSource[]>('AUTOMATIC', 'GUESSED', 'OWN', 'LIVE', 'RECORD'),
  receivedAt: fc.integer({ min: 0, max: 50 }),
})
const anyUpdate = fc.tuple(reportedFacts, saidBy).map(([facts, by]) => factsOf(facts, by))
const put = (update: readonly CallFacts[]): CallFacts => update.reduce(mergeFacts, {})

/** The same news in another order, some of it twice. */
const shuffledTwice = fc
  .array(anyUpdate, { minLength: 1, maxLength: 12 })
  .chain((update) =>
    fc
      .tuple(fc.shuffledSubarray(update, { minLength: update.length }), fc.subarray(update))
      .map(([order, again]) => ({ update, other: [...order, ...again] })),
  )

test('the same news make the same call, whatever the order and however often', () => {
  fc.assert(
    fc.property(shuffledTwice, ({ update, other }) => {
      expect(put(other)).toEqual(put(update))
    }),
    { numRuns: 2_000 },
  )
})

test('two halves that were put together apart make the same call as all in a row', () => {
  fc.assert(
    fc.property(fc.array(anyUpdate, { maxLength: 8 }), fc.array(anyUpdate, { maxLength: 8 }), (left, right) => {
      expect(mergeFacts(put(left), put(right))).toEqual(put([...left, ...right]))
    }),
    { numRuns: 1_000 },
  )
})

test('no news leads to an illegal call: its moments are in order and fit its phase', () => {
  fc.assert(
    fc.property(fc.array(anyUpdate, { maxLength: 12 }), (update) => {
      const call = knownCall('1', put(update))
      const ordered = [call.startedAt, call.answeredAt, call.endedAt].filter((moment) => moment !== null)
      expect(ordered).toEqual(ordered.toSorted())
      expect(call.answeredAt !== null && (call.phase === 'RINGING' || call.phase === 'MISSED')).toBe(false)
      expect(call.endedAt !== null && (call.phase === 'RINGING' || call.phase === 'ANSWERED')).toBe(false)
      expect(call.talkSeconds !== null).toBe(call.phase === 'COMPLETED' || call.phase === 'MISSED')
      expect(call.talkSeconds !== null && call.phase === 'MISSED' ? call.talkSeconds : 0).toBe(0)
      expect(call.wrapUpSeconds ?? 0).toBeGreaterThanOrEqual(0)
      expect(call.wrapUpSeconds !== null && call.phase !== 'COMPLETED').toBe(false)
    }),
    { numRuns: 2_000 },
  )
})

test('a call that has ended never rings or talks again', () => {
  fc.assert(
    fc.property(fc.array(anyUpdate, { maxLength: 12 }), anyUpdate, (update, late) => {
      const before = phaseOf(put(update))
      const after = phaseOf(put([...update, late]))
      const wasOver = before === 'COMPLETED' || before === 'MISSED'
      expect(wasOver && (after === 'RINGING' || after === 'ANSWERED')).toBe(false)
    }),
    { numRuns: 2_000 },
  )
})

const at = (second: number): string => new Date(Date.UTC(2025, 0, 15, 9, 0, second)).toISOString()
const live = (facts: ReportedCallFacts, receivedAt: number): CallFacts => factsOf(facts, { source: 'LIVE', receivedAt })
const record = (facts: ReportedCallFacts, receivedAt: number): CallFacts => factsOf(facts, { source: 'RECORD', receivedAt })

/** What happened -> where the call stands. */
const stories: readonly [string, readonly CallFacts[], string][] = [
  ['it rings', [live({ startedAt: at(0) }, 1)], 'RINGING'],
  ['it is answered', [live({ startedAt: at(0) }, 1), live({ answeredAt: at(5) }, 2)], 'ANSWERED'],
  ['answered is heard first', [live({ answeredAt: at(5) }, 1), live({ startedAt: at(0) }, 2)], 'ANSWERED'],
  ['it ends', [live({ startedAt: at(0) }, 1), live({ answeredAt: at(5) }, 2), live({ endedAt: at(60) }, 3)], 'COMPLETED'],
  ['the end is heard before the answer', [live({ endedAt: at(60) }, 1), live({ answeredAt: at(5) }, 2)], 'COMPLETED'],
  ['nobody answers', [live({ startedAt: at(0) }, 1), live({ endedAt: at(20) }, 2)], 'MISSED'],
  ['only the record comes', [record({ answered: true, startedAt: at(0), answeredAt: at(5), endedAt: at(60) }, 1)], 'COMPLETED'],
  ['the record says that nobody answered', [live({ answeredAt: at(5) }, 1), record({ answered: false, endedAt: at(9) }, 2)], 'MISSED'],
]

test.each(stories)('%s', (_, update, phase) => {
  expect(phaseOf(put(update))).toBe(phase)
})

test('a late disposition of the agent stays, whether the automatic one comes before or after it', () => {
  const automatic = factsOf({ disposition: 'Wrap up time exceeded :120' }, { source: 'AUTOMATIC', receivedAt: 9 })
  const agents = record({ disposition: 'Booked' }, 3)
  expect(put([automatic, agents]).disposition?.value).toBe('Booked')
  expect(put([agents, automatic]).disposition?.value).toBe('Booked')
})

const steps = fc.array(
  fc.record({
    action: fc.constantFrom(...controlActions),
    phoneNumber: maybe(fc.constantFrom('+919000000001', '+919000000002', '+919000000003')),
  }),
  { maxLength: 30 },
)

test('no order of controls leads to an illegal state: nothing moves unless somebody talks, no party is there twice', () => {
  fc.assert(
    fc.property(steps, fc.constantFrom('RINGING', 'ANSWERED', 'COMPLETED', 'MISSED'), (taken, phase) => {
      let controls = noControls
      for (const step of taken) {
        const result = control(phase, controls, step)
        if ('controls' in result) controls = result.controls
      }
      expect(new Set(controls.parties).size).toBe(controls.parties.length)
      expect(controls.parties.length).toBeLessThanOrEqual(5)
      expect(phase === 'ANSWERED' ? null : controls).toEqual(phase === 'ANSWERED' ? null : noControls)
    }),
    { numRuns: 2_000 },
  )
})

test('the same control twice is as good as once', () => {
  fc.assert(
    fc.property(fc.constantFrom('HOLD', 'UNHOLD', 'MUTE', 'UNMUTE', 'PAUSE_RECORDING', 'RESUME_RECORDING'), (action) => {
      const once = control('ANSWERED', noControls, { action })
      expect('controls' in once && control('ANSWERED', once.controls, { action })).toEqual(once)
    }),
  )
})

const activities: fc.Arbitrary<AgentActivity> = fc.record({
  state: fc.constantFrom(...agentStates),
  reason: fc.constantFrom(null, 'Lunch'),
  since: moments,
  receivedAt: fc.integer({ min: 0, max: 5 }),
})

/** Calls of one agent, told as they stand at some time of their lives. */
const agentCalls: fc.Arbitrary<AgentCall> = fc
  .record({ number: fc.integer({ min: 0, max: 3 }), isOver: fc.boolean(), answered: fc.boolean() })
  .map(({ number, isOver, answered }) => ({
    ucid: String(number),
    startedAt: at(number * 20),
    endedAt: isOver ? at(number * 20 + 15) : null,
    answered: isOver && answered,
  }))
type Heard = { readonly activity: AgentActivity } | { readonly call: AgentCall }
const heardOf: fc.Arbitrary<Heard> = fc.oneof(
  activities.map((activity) => ({ activity })),
  agentCalls.map((call) => ({ call })),
)
const putAgent = (heard: readonly Heard[]): AgentPresence =>
  heard.reduce<AgentPresence>(
    (known, one) => ('call' in one ? withCall(known, one.call) : withActivity(known, one.activity)),
    nothingReceived,
  )

const inAnotherOrder = fc
  .array(heardOf, { minLength: 1, maxLength: 12 })
  .chain((heard) =>
    fc
      .tuple(fc.shuffledSubarray(heard, { minLength: heard.length }), fc.subarray(heard))
      .map(([order, again]) => ({ heard, other: [...order, ...again] })),
  )

test('where an agent stands hangs neither on the order of what is heard nor on how often it is', () => {
  fc.assert(
    fc.property(inAnotherOrder, ({ heard, other }) => {
      expect(standingOf(putAgent(other))).toEqual(standingOf(putAgent(heard)))
    }),
    { numRuns: 3_000 },
  )
})

test('an agent stands where the newest news put them, or the end of a call after it; never on a call that is over', () => {
  fc.assert(
    fc.property(fc.array(heardOf, { minLength: 1, maxLength: 12 }), (heard) => {
      const presence = putAgent(heard)
      const standing = standingOf(presence)
      const newest = heard
        .flatMap((one) => ('activity' in one ? [one.activity.since] : []))
        .toSorted()
        .at(-1)
      expect(standing?.activity.since ?? '').toBe(standing?.byCall ? presence.lastCall?.endedAt : (newest ?? ''))
      const isOnCall = standing?.activity.state === 'ON_CALL'
      const isOver = (presence.lastCall?.endedAt ?? '') >= (standing?.activity.since ?? '~')
      expect(isOnCall && isOver).toBe(false)
    }),
    { numRuns: 2_000 },
  )
})

test('news of an agent that come late are of the call that they follow, not of the last one', () => {
  const call = (ucid: string, startedAt: string, endedAt: string): AgentCall => ({ ucid, startedAt, endedAt, answered: true })
  const first = call('1', '2025-01-15T10:00:00Z', '2025-01-15T10:03:00Z')
  const second = call('2', '2025-01-15T10:04:00Z', '2025-01-15T10:09:00Z')
  for (const calls of [
    [first, second],
    [second, first],
  ]) {
    const presence = calls.reduce(withCall, nothingReceived)
    expect(presence.lastCall?.ucid).toBe('2')
    expect(callBefore(presence, '2025-01-15T10:03:30Z')?.ucid).toBe('1')
    expect(callBefore(presence, '2025-01-15T10:09:30Z')?.ucid).toBe('2')
    expect(callBefore(presence, '2025-01-15T09:59:00Z')).toBeNull()
  }
})
