import { lateStore } from '../harness/late-store.ts'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type CallFacts, type ReportedCallFacts } from '../../src/ports/call-facts.ts'
import { factsOf, knownCall, mergeFacts } from '../../src/features/calls/call-facts.ts'
import { readCallsStarted, readLiveCalls } from '../../src/features/calls/call-state-store.ts'
import { isoMoment } from '../../src/kernel/clock.ts'
import { newId } from '../../src/kernel/ids.ts'
import { createLog } from '../../src/kernel/log.ts'
import type { CallRecords } from '../../src/ports/call-records.ts'
import { callRecord } from '../../src/ports/records/call.ts'
import { createInProcessNotifications } from '../../src/providers/notifications/in-process.ts'
import { createSqliteStore } from '../../src/providers/store/sqlite.ts'
import { rebuildDay } from '../../src/features/supervision/rebuild-day.ts'
import { createTestClock } from '../harness/clock.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { clinicDayAt, clinicHourAt } from '../../src/kernel/clinic-day.ts'
import { agentNames } from '../../src/features/supervision/agent-names.ts'
import { callsToday } from '../../src/features/supervision/overview.ts'
import { createCallCounters, type CallCounters } from '../../src/features/supervision/call-counters.ts'

const second = (seconds: number): string => new Date(Date.UTC(2025, 0, 15, 3, 0, seconds)).toISOString()
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })
const moments = fc.integer({ min: 0, max: 20_000 }).map(second)
const reportedFacts: fc.Arbitrary<ReportedCallFacts> = fc.record({
  direction: maybe(fc.constantFrom('INBOUND', 'OUTBOUND')),
  campaignName: maybe(fc.constantFrom('Main', 'Outreach')),
  agentId: maybe(fc.constantFrom('agent1', 'agent2')),
  agentRecordId: maybe(fc.constantFrom('r1', 'r2')),
  startedAt: maybe(moments),
  answeredAt: maybe(moments),
  endedAt: maybe(moments),
  wrapUpEndedAt: maybe(moments),
  talkSeconds: maybe(fc.integer({ min: 0, max: 900 })),
  disposition: maybe(fc.constantFrom('Booked', 'Rejected')),
})
const update = fc.record({
  ucid: fc.constantFrom('1', '2', '3', '4'),
  facts: fc
    .tuple(reportedFacts, fc.constantFrom('AUTOMATIC', 'GUESSED', 'OWN', 'LIVE', 'RECORD'), fc.integer({ min: 0, max: 50 }))
    .map(([facts, source, receivedAt]) => factsOf(facts, { source, receivedAt })),
})
type Update = { readonly ucid: string; readonly facts: CallFacts }

const shown = (counters: CallCounters) => ({
  total: counters.total(),
  agents: counters.byAgent().toSorted((one, other) => JSON.stringify(one.key).localeCompare(JSON.stringify(other.key))),
  campaigns: counters.byCampaign().toSorted((one, other) => String(one.key).localeCompare(String(other.key))),
  dispositions: counters.byDisposition().toSorted((one, other) => String(one.key).localeCompare(String(other.key))),
  hours: counters.byHour(),
})

/** Counts after each update, as the service does. */
function follow(all: readonly Update[]): CallCounters {
  const counters = createCallCounters('Asia/Kolkata')
  const known = new Map<string, CallFacts>()
  for (const { ucid, facts } of all) {
    known.set(ucid, mergeFacts(known.get(ucid) ?? {}, facts))
    counters.put(knownCall(ucid, known.get(ucid) ?? {}))
  }
  return counters
}

test('counting after each update gives the counts of the final calls, in any order and with repeated updates', () => {
  const updates = fc
    .array(update, { minLength: 1, maxLength: 30 })
    .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }), fc.subarray(all)))
  fc.assert(
    fc.property(updates, ([all, order, again]) => {
      const final = createCallCounters('Asia/Kolkata')
      for (const [ucid, own] of Map.groupBy(all, (each) => each.ucid)) {
        final.put(
          knownCall(
            ucid,
            own.reduce<CallFacts>((facts, each) => mergeFacts(facts, each.facts), {}),
          ),
        )
      }
      const { key: _, ...known } = { key: 0, ...shown(follow([...order, ...again])) }
      // A row may show either of the two ids of an agent.
      const rows = (agents: typeof known.agents) => agents.map(({ key, sums }) => [key?.providerAgentId ?? key?.recordId, sums])
      expect({ ...known, agents: rows(known.agents) }).toEqual({ ...shown(final), agents: rows(shown(final).agents) })
    }),
    { numRuns: 1_000 },
  )
})

test('a call that its record leaves open goes on for four hours at most: those of the night do not count in the day', async () => {
  await using dir = await createTempDir()
  await using closing = new AsyncDisposableStack()
  const clock = createTestClock('2025-01-15T09:00:00.000Z')
  const store = lateStore(createSqliteStore({ dataDir: dir.path, clock }))
  closing.defer(() => store.close())
  const log = createLog('silent')
  const notifications = createInProcessNotifications({ log })
  closing.defer(() => notifications.close())
  const empty = Object.fromEntries(Object.keys(callRecord.fields).map((field) => [field, null]))
  const record = { ...callRecord.schema.parse({ ...empty, id: newId() }), direction: 'INBOUND', status: 'ANSWERED' }
  const openFor = (ms: number) => ({ ...record, ucid: String(ms), startedAt: isoMoment(clock.now() - ms), endedAt: null })
  const hours = 3_600_000
  const records = [openFor(60_000), openFor(4 * hours), openFor(4 * hours + 1), openFor(13 * hours)]
  const callRecords: CallRecords = { ...unusedRecords, began: async () => records }
  const day = clinicDayAt(clock.now(), 'Asia/Kolkata')
  await rebuildDay({ callRecords, clock, log, notifications, store }, 'w1', day)
  const live = await readLiveCalls({ store, clock }, 'w1')
  expect(live.map(({ ucid }) => ucid)).toEqual([String(4 * hours), '60000'])
  expect(await readCallsStarted({ store }, 'w1', day)).toHaveLength(2)
})

const notUsed = () => Promise.reject(new Error('not used here'))
const unusedRecords: CallRecords = {
  ofLead: notUsed,
  withPhone: notUsed,
  byUcid: notUsed,
  began: notUsed,
  byId: notUsed,
  write: notUsed,
  writeMany: notUsed,
}

test('removing a call removes its rows', () => {
  const counters = follow([{ ucid: '1', facts: factsOf({ startedAt: second(0), endedAt: second(9) }, { source: 'LIVE', receivedAt: 1 }) }])
  expect(counters.total()).toMatchObject({ calls: 1, missed: 1 })
  counters.remove('1')
  expect(counters.total().calls).toBe(0)
  expect(shown(counters)).toMatchObject({ agents: [], campaigns: [], dispositions: [], hours: [] })
})

test('leaves calls whose duration nobody reported out of the sums of talk and handling time', () => {
  const timed = factsOf(
    { startedAt: second(0), answeredAt: second(5), endedAt: second(65), answered: true },
    { source: 'RECORD', receivedAt: 1 },
  )
  const untimed = factsOf({ endedAt: second(80), answered: true, wrapUpEndedAt: second(90) }, { source: 'OWN', receivedAt: 2 })
  const counters = follow([
    { ucid: '1', facts: timed },
    { ucid: '2', facts: untimed },
  ])
  expect(counters.total()).toMatchObject({ answered: 2, timed: 1, talkSeconds: 60, handlingSeconds: 60, wrapUps: 1, wrapUpSeconds: 10 })
  const view = { day: clinicDayAt(Date.parse(second(0)), 'Asia/Kolkata'), counters, live: [] }
  const { total } = callsToday(view, agentNames([], []), true)
  expect(total).toMatchObject({ averageTalkSeconds: 60, averageHandlingSeconds: 60, averageWrapUpSeconds: 10 })
})

const days = [
  {
    moment: '2025-01-14T18:29:59Z',
    timeZone: 'Asia/Kolkata',
    date: '2025-01-14',
    from: '2025-01-13T18:30:00Z',
    to: '2025-01-14T18:30:00Z',
    hour: 23,
  },
  {
    moment: '2025-01-14T18:30:00Z',
    timeZone: 'Asia/Kolkata',
    date: '2025-01-15',
    from: '2025-01-14T18:30:00Z',
    to: '2025-01-15T18:30:00Z',
    hour: 0,
  },
  {
    moment: '2025-03-30T12:00:00Z',
    timeZone: 'Europe/Berlin',
    date: '2025-03-30',
    from: '2025-03-29T23:00:00Z',
    to: '2025-03-30T22:00:00Z',
    hour: 14,
  },
  {
    moment: '2025-10-26T12:00:00Z',
    timeZone: 'Europe/Berlin',
    date: '2025-10-26',
    from: '2025-10-25T22:00:00Z',
    to: '2025-10-26T23:00:00Z',
    hour: 13,
  },
  {
    moment: '2025-12-31T23:30:00Z',
    timeZone: 'UTC',
    date: '2025-12-31',
    from: '2025-12-31T00:00:00Z',
    to: '2026-01-01T00:00:00Z',
    hour: 23,
  },
]

test.each(days)('$moment in $timeZone belongs to $date', ({ moment, timeZone, date, from, to, hour }) => {
  const at = Date.parse(moment)
  expect(clinicDayAt(at, timeZone)).toEqual({ date, timeZone, from: Date.parse(from), to: Date.parse(to) })
  expect(clinicHourAt(at, timeZone)).toBe(hour)
})
