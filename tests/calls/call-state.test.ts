import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type AgentActivity, agentStates } from '../../src/ports/agent-activity.ts'
import {
  type AgentCall,
  type AgentPresence,
  currentActivity,
  emptyPresence,
  hasLeftCall,
  lastCallOf,
  withActivity,
  withCall,
  wrapUpEnds,
} from '../../src/features/calls/agent-state/agent-presence.ts'
import { boundedUpdate } from '../../src/features/calls/webhooks/bounded-update.ts'
import { type CallControls, control, controlActions, noControls } from '../../src/features/calls/state/call-controls.ts'
import { type CallFacts, type ReportedCallFacts, type FactSource } from '../../src/ports/call-facts.ts'
import { isSettled } from '../../src/features/calls/tracking/end-lost-call.ts'
import { heldClaim, newEntry, type Reached, type WorklistEntry, withoutReached } from '../../src/features/calls/worklist-entries/entry.ts'
import { isOpen } from '../../src/features/calls/worklist-entries/entry-store.ts'
import { factsOf, knownCall, mergeFacts, phaseOf } from '../../src/features/calls/state/call-facts.ts'
import { directionOf, factsOfRecord } from '../../src/features/calls/state/facts-of-record.ts'

test('a record of the platform says the same about the call, field by field', () => {
  const same = {
    phoneNumber: '+919000000001',
    did: 'did',
    campaignName: 'campaign',
    leadId: 'lead',
    startedAt: '2026-01-01T10:00:00.000Z',
    answeredAt: '2026-01-01T10:00:05.000Z',
    endedAt: '2026-01-01T10:01:00.000Z',
    disposition: 'disposition',
    notes: 'notes',
    recordingUrl: 'recording',
  }
  const record = {
    ...same,
    id: 'id',
    name: 'name',
    ucid: 'ucid',
    direction: 'OUT',
    status: 'COMPLETED',
    agentId: 'agent',
    durationSeconds: 55,
    wrapUpSeconds: 9,
  }
  const said = {
    ...same,
    dialledNumber: null,
    direction: 'OUTBOUND',
    agentRecordId: 'agent',
    answered: true,
    talkSeconds: 55,
    wrapUpEndedAt: '2026-01-01T10:01:09.000Z',
  }
  expect(factsOfRecord(record)).toEqual(said)
  expect(factsOfRecord({ ...record, phoneNumber: '5232' })).toMatchObject({ dialledNumber: '5232' })
  expect(factsOfRecord({ ...record, endedAt: null })).toMatchObject({ answered: null, wrapUpEndedAt: null })
})

test('a recorded direction is read in the words that workspaces use; another word is null', () => {
  expect(['INBOUND', 'outbound', ' Incoming ', 'OUT', 'SIDEWAYS', 'constructor', '', null].map(directionOf)).toEqual([
    'INBOUND',
    'OUTBOUND',
    'INBOUND',
    'OUTBOUND',
    null,
    null,
    null,
    null,
  ])
})

const moments = fc.integer({ min: 0, max: 600 }).map((second) => new Date(Date.UTC(2025, 0, 15, 9, 0, second)).toISOString())
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })

/** Any report of a provider, of us or of a look-up, contradictions included. */
const reportedFacts: fc.Arbitrary<ReportedCallFacts> = fc.record({
  direction: maybe(fc.constantFrom('INBOUND', 'OUTBOUND')),
  phoneNumber: maybe(fc.constantFrom('+919000000001', '+919000000002')),
  dialledNumber: maybe(fc.constantFrom('09000000001', '5232')),
  agentId: maybe(fc.constantFrom('agent1', 'agent2')),
  startedAt: maybe(moments),
  answeredAt: maybe(moments),
  endedAt: maybe(moments),
  wrapUpEndedAt: maybe(moments),
  transferTarget: maybe(fc.constantFrom('NUMBER', 'AGENT')),
  transferredAt: maybe(moments),
  answered: maybe(fc.boolean()),
  talkSeconds: maybe(fc.integer({ min: 0, max: 900 })),
  disposition: maybe(fc.constantFrom('Booked', 'Rejected')),
})
const origins = fc.record({
  source: fc.constantFrom<FactSource[]>('AUTOMATIC', 'GUESSED', 'OWN', 'LIVE', 'RECORD'),
  receivedAt: fc.integer({ min: 0, max: 50 }),
})
const anyUpdate = fc.tuple(reportedFacts, origins).map(([facts, origin]) => factsOf(facts, origin))
const merge = (reports: readonly CallFacts[]): CallFacts => reports.reduce(mergeFacts, {})

/** The same reports in another order, some of them twice. */
const shuffledTwice = fc
  .array(anyUpdate, { minLength: 1, maxLength: 12 })
  .chain((update) =>
    fc
      .tuple(fc.shuffledSubarray(update, { minLength: update.length }), fc.subarray(update))
      .map(([order, again]) => ({ update, other: [...order, ...again] })),
  )

test('makes the same call of the same reports, in any order and with repetitions', () => {
  fc.assert(
    fc.property(shuffledTwice, ({ update, other }) => {
      expect(merge(other)).toEqual(merge(update))
    }),
    { numRuns: 2_000 },
  )
})

test('makes the same call of two separately merged halves', () => {
  fc.assert(
    fc.property(fc.array(anyUpdate, { maxLength: 8 }), fc.array(anyUpdate, { maxLength: 8 }), (left, right) => {
      expect(mergeFacts(merge(left), merge(right))).toEqual(merge([...left, ...right]))
    }),
    { numRuns: 1_000 },
  )
})

test('never makes an illegal call: its times are in order and fit its phase', () => {
  fc.assert(
    fc.property(fc.array(anyUpdate, { maxLength: 12 }), (update) => {
      const facts = merge(update)
      const call = knownCall('1', facts)
      const ordered = [call.startedAt, call.answeredAt, call.endedAt].filter((moment) => moment !== null)
      expect(ordered).toEqual(ordered.toSorted())
      expect(call.answeredAt !== null && (call.phase === 'RINGING' || call.phase === 'MISSED')).toBe(false)
      expect(call.endedAt !== null && (call.phase === 'RINGING' || call.phase === 'ANSWERED')).toBe(false)
      const hasBegun = facts.startedAt !== undefined || facts.answeredAt !== undefined
      const isTimed = facts.talkSeconds !== undefined || (hasBegun && facts.endedAt !== undefined)
      expect(call.talkSeconds !== null).toBe(call.phase === 'MISSED' || (call.phase === 'COMPLETED' && isTimed))
      expect(call.talkSeconds !== null && call.phase === 'MISSED' ? call.talkSeconds : 0).toBe(0)
      expect(call.wrapUpSeconds ?? 0).toBeGreaterThanOrEqual(0)
      expect(call.wrapUpSeconds !== null && call.phase !== 'COMPLETED').toBe(false)
    }),
    { numRuns: 2_000 },
  )
})

test('knows no duration of a call of which only the answer was reported', () => {
  expect(knownCall('1', factsOf({ answered: true }, { source: 'RECORD', receivedAt: 1 })).talkSeconds).toBeNull()
})

test('never makes an ended call live again', () => {
  fc.assert(
    fc.property(fc.array(anyUpdate, { maxLength: 12 }), anyUpdate, (update, late) => {
      const before = phaseOf(merge(update))
      const after = phaseOf(merge([...update, late]))
      const wasOver = before === 'COMPLETED' || before === 'MISSED'
      expect(wasOver && (after === 'RINGING' || after === 'ANSWERED')).toBe(false)
    }),
    { numRuns: 2_000 },
  )
})

/** The time after so many seconds. */
const at = (second: number): string => new Date(Date.UTC(2025, 0, 15, 9, 0, second)).toISOString()
const live = (facts: ReportedCallFacts, receivedAt: number): CallFacts => factsOf(facts, { source: 'LIVE', receivedAt })
const record = (facts: ReportedCallFacts, receivedAt: number): CallFacts => factsOf(facts, { source: 'RECORD', receivedAt })

/** What happened -> the phase of the call. */
const stories: readonly [string, readonly CallFacts[], string][] = [
  ['it rings', [live({ startedAt: at(0) }, 1)], 'RINGING'],
  ['it is answered', [live({ startedAt: at(0) }, 1), live({ answeredAt: at(5) }, 2)], 'ANSWERED'],
  ['the answer is reported first', [live({ answeredAt: at(5) }, 1), live({ startedAt: at(0) }, 2)], 'ANSWERED'],
  ['it ends', [live({ startedAt: at(0) }, 1), live({ answeredAt: at(5) }, 2), live({ endedAt: at(60) }, 3)], 'COMPLETED'],
  ['the end is reported before the answer', [live({ endedAt: at(60) }, 1), live({ answeredAt: at(5) }, 2)], 'COMPLETED'],
  ['nobody answers', [live({ startedAt: at(0) }, 1), live({ endedAt: at(20) }, 2)], 'MISSED'],
  ['only the record arrives', [record({ answered: true, startedAt: at(0), answeredAt: at(5), endedAt: at(60) }, 1)], 'COMPLETED'],
  ['the record says that nobody answered', [live({ answeredAt: at(5) }, 1), record({ answered: false, endedAt: at(9) }, 2)], 'MISSED'],
]

test.each(stories)('%s', (_, update, phase) => {
  expect(phaseOf(merge(update))).toBe(phase)
})

test('prefers the late disposition of the agent to the automatic one, in any order', () => {
  const automatic = factsOf({ disposition: 'Wrap up time exceeded :120' }, { source: 'AUTOMATIC', receivedAt: 9 })
  const agents = record({ disposition: 'Booked' }, 3)
  expect(merge([automatic, agents]).disposition?.value).toBe('Booked')
  expect(merge([agents, automatic]).disposition?.value).toBe('Booked')
})

const steps = fc.array(
  fc.record({
    action: fc.constantFrom(...controlActions),
    phoneNumber: maybe(fc.constantFrom('+919000000001', '+919000000002', '+919000000003')),
  }),
  { maxLength: 30 },
)

test('never reaches an illegal state of the controls: nothing changes before the answer, no party joins twice', () => {
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

test('repeating a control changes nothing', () => {
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

/** Calls of one agent, as they are known at some time. */
const agentCalls: fc.Arbitrary<AgentCall> = fc
  .record({ number: fc.integer({ min: 0, max: 3 }), isOver: fc.boolean(), answered: fc.boolean() })
  .map(({ number, isOver, answered }) => ({
    ucid: String(number),
    startedAt: at(number * 20),
    endedAt: isOver ? at(number * 20 + 15) : null,
    answeredAt: isOver && answered ? at(number * 20 + 5) : null,
  }))
type Report = { readonly activity: AgentActivity } | { readonly call: AgentCall }
const agentReports: fc.Arbitrary<Report> = fc.oneof(
  activities.map((activity) => ({ activity })),
  agentCalls.map((call) => ({ call })),
)
const presenceOf = (reports: readonly Report[]): AgentPresence =>
  reports.reduce<AgentPresence>(
    (known, one) => ('call' in one ? withCall(known, one.call) : withActivity(known, one.activity)),
    emptyPresence,
  )

const inAnotherOrder = fc
  .array(agentReports, { minLength: 1, maxLength: 12 })
  .chain((reports) =>
    fc
      .tuple(fc.shuffledSubarray(reports, { minLength: reports.length }), fc.subarray(reports))
      .map(([order, again]) => ({ reports, other: [...order, ...again] })),
  )

test('computes the same agent state in any order of the reports and with repetitions', () => {
  fc.assert(
    fc.property(inAnotherOrder, ({ reports, other }) => {
      expect(currentActivity(presenceOf(other))).toEqual(currentActivity(presenceOf(reports)))
    }),
    { numRuns: 3_000 },
  )
})

test('takes the agent state from the newest report, or from the end of a call after it; never ON_CALL after the end of the call', () => {
  fc.assert(
    fc.property(fc.array(agentReports, { minLength: 1, maxLength: 12 }), (reports) => {
      const presence = presenceOf(reports)
      const current = currentActivity(presence)
      const newest = reports
        .flatMap((one) => ('activity' in one ? [one.activity.since] : []))
        .toSorted()
        .at(-1)
      expect(current?.activity.since ?? '').toBe(current?.impliedByCall ? lastCallOf(presence)?.endedAt : (newest ?? ''))
      const isOnCall = current?.activity.state === 'ON_CALL'
      const isOver = (lastCallOf(presence)?.endedAt ?? '') >= (current?.activity.since ?? '~')
      expect(isOnCall && isOver).toBe(false)
    }),
    { numRuns: 2_000 },
  )
})

const callOf = (ucid: string, [start, answer, end]: readonly [number, number | null, number | null]): AgentCall => ({
  ucid,
  startedAt: at(start),
  answeredAt: answer === null ? null : at(answer),
  endedAt: end === null ? null : at(end),
})
const free = (second: number): AgentActivity => ({ state: 'READY', reason: null, since: at(second), receivedAt: 1 })
const endsOf = (calls: readonly AgentCall[], freeAt: readonly number[], second: number) =>
  wrapUpEnds(freeAt.map(free).reduce(withActivity, calls.reduce(withCall, emptyPresence)), at(second))

test('the wrap-up ends with the first free moment after the call, unless another call lies between', () => {
  const [first, second] = [callOf('1', [0, 5, 60]), callOf('2', [100, 105, 200])]
  expect(endsOf([first, second], [70, 80, 230], 230)).toEqual([
    { ucid: '1', at: at(70) },
    { ucid: '2', at: at(230) },
  ])
  expect(endsOf([first, second], [230], 230)).toEqual([
    { ucid: '1', at: null },
    { ucid: '2', at: at(230) },
  ])
  expect(endsOf([first, second], [70], 70)).toEqual([{ ucid: '1', at: at(70) }])
})

test('a call that waited in the queue while its agent was on another one takes no wrap-up from that one', () => {
  expect(endsOf([callOf('1', [0, 5, 60]), callOf('2', [20, 95, 150])], [90, 180], 180)).toEqual([
    { ucid: '1', at: at(90) },
    { ucid: '2', at: at(180) },
  ])
})

test('an unanswered call between ends the search for the free moment', () => {
  expect(endsOf([callOf('1', [0, 5, 60]), callOf('2', [100, null, 120])], [130], 60)).toEqual([{ ucid: '1', at: null }])
})

test('stores a bounded number of calls and reports, and none of a call without what followed it', () => {
  const calls = Array.from({ length: 100 }, (_, index) => callOf(String(index), [index * 5, index * 5 + 1, index * 5 + 2]))
  const presence = calls.reduce((known, call, index) => withActivity(withCall(known, call), free(index * 5 + 3)), emptyPresence)
  expect(presence.calls.length + presence.freeAt.length).toBe(40)
  for (const { ucid } of presence.calls) expect(presence.freeAt).toContain(at(Number(ucid) * 5 + 3))
})

test('counts the wrap-up of a transferred call from the moment when the agent left', () => {
  const facts = merge([
    live({ startedAt: at(0), answeredAt: at(5), endedAt: at(90) }, 1),
    live({ wrapUpEndedAt: at(50) }, 2),
    factsOf({ transferTarget: 'NUMBER', transferredAt: at(30) }, { source: 'OWN', receivedAt: 3 }),
  ])
  expect(knownCall('1', facts)).toMatchObject({ phase: 'COMPLETED', talkSeconds: 85, wrapUpSeconds: 20, transferTarget: 'NUMBER' })
})

test('within one second, a free moment follows the end of the call, and another call ends the wrap-up only before it', () => {
  expect(endsOf([callOf('1', [0, 5, 60])], [60], 60)).toEqual([{ ucid: '1', at: at(60) }])
  const answeredAtItsEnd = [callOf('1', [0, 5, 60]), callOf('2', [50, 60, 80])]
  expect(endsOf(answeredAtItsEnd, [90], 60)).toEqual([{ ucid: '1', at: null }])
  const answeredWhenFree = [callOf('1', [0, 5, 60]), callOf('2', [50, 90, 95])]
  expect(endsOf(answeredWhenFree, [90], 60)).toEqual([{ ucid: '1', at: at(90) }])
})

test('in the second of the end, the last state of the agent says whether the call was left', () => {
  const reported = (...states: readonly AgentActivity['state'][]): AgentPresence =>
    states.reduce<AgentPresence>(
      (known, state, index) => withActivity(known, { state, reason: null, since: at(60), receivedAt: index }),
      withCall(emptyPresence, callOf('1', [0, 5, 60])),
    )
  const call = { ucid: '1', endedAt: at(60) }
  expect(hasLeftCall(reported('READY'), call)).toBe(true)
  expect(hasLeftCall(reported('READY', 'WRAP_UP'), call)).toBe(false)
  expect(hasLeftCall(withActivity(reported('READY', 'WRAP_UP'), free(61)), call)).toBe(true)
  expect(hasLeftCall(reported('READY'), { ...call, endedAt: null })).toBe(false)
  expect(currentActivity(reported('ON_CALL'))).toMatchObject({ impliedByCall: true, activity: { state: 'WRAP_UP', since: at(60) } })
  const begun = (start: number) => withCall(reported('WRAP_UP'), callOf('2', [start, null, null]))
  expect([hasLeftCall(begun(60), call), hasLeftCall(begun(61), call)]).toEqual([false, true])
})

test('drops the oldest reports, but none of the second from which on all are stored', () => {
  const calls = Array.from({ length: 40 }, (_, index) => callOf(String(index), [index * 5, index * 5 + 1, index * 5 + 2]))
  const full = calls.reduce((known, call, index) => withActivity(withCall(known, call), free(index * 5 + 3)), emptyPresence)
  const presence = withCall(full, callOf('last', [300, null, null]))
  expect([presence.calls.length, presence.freeAt.length]).toEqual([20, 20])
  expect(presence.freeAt[0]).toBe(at(20 * 5 + 3))
})

test('an agent who is free in the second of the end had no wrap-up', () => {
  const facts = live({ startedAt: at(0), answeredAt: at(5), endedAt: at(90), wrapUpEndedAt: at(90) }, 1)
  expect(knownCall('1', facts).wrapUpSeconds).toBe(0)
})

test('five further parties join a call, and no sixth', () => {
  const join = (controls: CallControls, party: number) =>
    control('ANSWERED', controls, { action: 'CONFERENCE', phoneNumber: `+91900000000${party}` })
  const full = [1, 2, 3, 4, 5].reduce((controls, party) => {
    const joined = join(controls, party)
    return 'controls' in joined ? joined.controls : noControls
  }, noControls)
  expect(full.parties).toHaveLength(5)
  expect(join(full, 6)).toEqual({ refused: 'At most 5 further parties can join' })
  expect(join(full, 5)).toEqual({ controls: full })
})

test('a minute after the last report, a live call may be over', () => {
  const now = Date.parse(at(60))
  expect(isSettled({ startedAt: at(0), answeredAt: null }, now)).toBe(true)
  expect(isSettled({ startedAt: at(1), answeredAt: null }, now)).toBe(false)
  expect(isSettled({ startedAt: at(0), answeredAt: at(1) }, now)).toBe(false)
  expect(isSettled({ startedAt: null, answeredAt: null }, now)).toBe(false)
})

test('a webhook keeps texts up to their limit, refuses longer ids and drops longer addresses', () => {
  const update = (ucid: string, recordingUrl: string, did: string) =>
    ({ about: 'CALL', ucid, source: 'LIVE', facts: { recordingUrl, did, notes: 'n'.repeat(8_001) }, automaticDisposition: null }) as const
  const longest = update('u'.repeat(200), 'a'.repeat(2_000), 'd'.repeat(200))
  expect(boundedUpdate(longest)).toMatchObject({ ucid: longest.ucid, facts: { ...longest.facts, notes: 'n'.repeat(8_000) } })
  expect(boundedUpdate(update('u', 'a'.repeat(2_001), 'd'.repeat(201)))).toMatchObject({
    facts: { recordingUrl: null, did: 'd'.repeat(200) },
  })
  expect(() => boundedUpdate(update('u'.repeat(201), '', ''))).toThrow('ucid: must have at most 200 characters')
  const agent = { about: 'AGENT', agentId: 'a'.repeat(201), state: 'READY', reason: null, ucid: null, at: at(0) } as const
  expect(() => boundedUpdate(agent)).toThrow('agentId: must have at most 200 characters')
  expect(boundedUpdate({ ...agent, agentId: 'a', reason: 'r'.repeat(201) })).toMatchObject({ reason: 'r'.repeat(200) })
})

const callbackOf = (ucid: string, scheduledAt: number, dueAt: number): WorklistEntry['callbacks'][number] => ({
  ucid,
  at: at(dueAt),
  scheduledAt: at(scheduledAt),
  leadId: null,
  assigneeId: null,
  isWritten: true,
})

test('a call that reaches a person settles what was missed until its answer, and callbacks that were scheduled before', () => {
  const entry: WorklistEntry = {
    ...newEntry('1', '+919000000001'),
    missed: [10, 60, 61].map((second) => ({ ucid: `missed${second}`, at: at(second) })),
    callbacks: [callbackOf('kept', 50, 60), callbackOf('later', 50, 61), callbackOf('now', 60, 60), callbackOf('own', 0, 0)],
  }
  const left = (reached: Partial<Reached>): readonly string[] => {
    const { missed, callbacks } = withoutReached(entry, { ucid: 'own', at: at(60), isOutbound: true, ...reached }, null)
    return [...missed, ...callbacks].map(({ ucid }) => ucid)
  }
  expect(left({})).toEqual(['missed61', 'now', 'own'])
  expect(left({ isOutbound: false })).toEqual(['missed61', 'later', 'now', 'own'])
  expect([isOpen(newEntry('1', '+919000000001')), isOpen(entry)]).toEqual([false, true])
})

test('a claim counts until its end, or for four hours while its call goes on', () => {
  const claim = { memberId: 'm', agentId: 'a', name: 'n', claimedAt: at(0), until: at(60), ucid: 'c', dialsUntil: null }
  const entry = { ...newEntry('1', '+919000000001'), claim }
  const heldAt = (ms: number, liveUcids: readonly string[] = []) =>
    heldClaim(entry, { now: Date.parse(at(0)) + ms, liveUcids: new Set(liveUcids) })
  expect([heldAt(59_999), heldAt(60_000)]).toEqual([claim, null])
  const hours = 4 * 3_600_000
  expect([heldAt(hours - 1, ['c']), heldAt(hours, ['c']), heldAt(hours - 1, ['other'])]).toEqual([{ ...claim, until: null }, null, null])
})
