import { setImmediate } from 'node:timers/promises'
import { lateStore } from '../harness/late-store.ts'
import * as fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { type CallFacts, type ReportedCallFacts } from '../../src/ports/call-facts.ts'
import { factsOf, knownCall, mergeFacts } from '../../src/features/calls/state/call-facts.ts'
import { addCallFacts, readCallsStarted, readLiveCalls } from '../../src/features/calls/state/call-state-store.ts'
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
import { createWiredDesk } from '../harness/wired-desk.ts'
import { computeOverview } from '../../src/features/supervision/read-overview.ts'
import { createSupervisionState } from '../../src/features/supervision/supervision-state.ts'
import { clinicDayAt, clinicHourAt } from '../../src/kernel/clinic-day.ts'
import { agentNames } from '../../src/features/supervision/agent-names.ts'
import { createBackgroundCache } from '../../src/features/supervision/background-cache.ts'
import { createDailyStats } from '../../src/features/supervision/daily-stats.ts'
import { markDayRebuilt, readCompleteness } from '../../src/features/supervision/day-completeness.ts'
import { callsToday, freeSlots, supervisedAgents } from '../../src/features/supervision/overview.ts'
import { callsAddedTopic } from '../../src/features/supervision/workspace-stats.ts'
import { countWaitingCalls, listMissedCalls } from '../../src/features/calls/missed-calls/missed-call-store.ts'
import { callTopic } from '../../src/features/calls/state/update-call.ts'
import { AppError } from '../../src/kernel/errors.ts'
import { failingStore } from '../harness/failing-store.ts'
import { waitFor } from '../harness/wait-for.ts'
import { createCallCounters, type CallCounters } from '../../src/features/supervision/call-counters.ts'
import { retentionOf } from '../../src/wiring/stored-values.ts'

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
  const store = lateStore(createSqliteStore({ dataDir: dir.path, clock, retentionOf }))
  closing.defer(() => store.close())
  const log = createLog('silent')
  const notifications = createInProcessNotifications({ log })
  closing.defer(() => notifications.close())
  const empty = Object.fromEntries(Object.keys(callRecord.fields).map((field) => [field, null]))
  const record = { ...callRecord.schema.parse({ ...empty, id: newId() }), direction: 'INBOUND', status: 'ANSWERED' }
  const openFor = (ms: number) => ({ ...record, ucid: String(ms), startedAt: isoMoment(clock.now() - ms), endedAt: null })
  const hours = 3_600_000
  const records = [openFor(60_000), openFor(4 * hours), openFor(4 * hours + 1), openFor(13 * hours)]
  const callRecords: CallRecords = { ...unusedRecords, search: async () => records }
  const day = clinicDayAt(clock.now(), 'Asia/Kolkata')
  await rebuildDay({ callRecords, clock, log, notifications, store }, 'w1', day)
  const live = await readLiveCalls({ store, clock }, 'w1')
  expect(live.map(({ ucid }) => ucid)).toEqual([String(4 * hours), '60000'])
  expect(await Array.fromAsync(readCallsStarted({ store }, 'w1', day))).toHaveLength(2)
})

const notUsed = () => Promise.reject(new Error('not used here'))
const unusedRecords: CallRecords = {
  ofLead: notUsed,
  withPhone: notUsed,
  byUcid: notUsed,
  answered: notUsed,
  search: notUsed,
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
  const view = { day: clinicDayAt(Date.parse(second(0)), 'Asia/Kolkata'), isComplete: true, counters, live: [] }
  const { total } = callsToday(view, agentNames([], []), 20)
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

/** Ports of one workspace, with a store whose writes come late. */
async function supervision(startsAt = '2025-01-15T09:00:00.000Z') {
  await using starting = new AsyncDisposableStack()
  const dir = starting.use(await createTempDir())
  const clock = createTestClock(startsAt)
  const store = lateStore(createSqliteStore({ dataDir: dir.path, clock, retentionOf }))
  starting.defer(() => store.close())
  const log = createLog('silent')
  const notifications = createInProcessNotifications({ log })
  starting.defer(() => notifications.close())
  const running = starting.move()
  return { ports: { clock, log, notifications, store }, clock, store, [Symbol.asyncDispose]: () => running.disposeAsync() }
}

test('a background value is loaded again at its age, one that fails stays, and the first one has a fallback', async () => {
  const clock = createTestClock()
  let loads = 0
  let isAway = true
  const load = async (workspaceId: string): Promise<string> => {
    loads += 1
    if (isAway) throw new Error('away')
    return `${workspaceId} ${loads}`
  }
  const cache = createBackgroundCache({ load, fallback: 'nothing', clock, freshMs: 1_000 })
  const readAfter = async (ms: number): Promise<string> => {
    clock.advance(ms)
    const value = await cache.read('w1')
    await setImmediate()
    return value
  }
  expect([await readAfter(0), await readAfter(999), loads]).toEqual(['nothing', 'nothing', 1])
  isAway = false
  // The old value is returned during the load.
  expect([await readAfter(1), await readAfter(0), loads]).toEqual(['nothing', 'w1 2', 2])
  isAway = true
  expect([await readAfter(1_000), await readAfter(0), loads]).toEqual(['w1 2', 'w1 2', 3])
  expect(await cache.read('w2')).toBe('nothing')
})

test('a background value that could not be loaded is loaded again after 10 seconds, however long one is used', async () => {
  const clock = createTestClock()
  const load = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new Error('away')).mockResolvedValue('loaded')
  const cache = createBackgroundCache({ load, fallback: 'nothing', clock, freshMs: 300_000 })
  const readAfter = async (ms: number): Promise<string> => {
    clock.advance(ms)
    const value = await cache.read('w1')
    await setImmediate()
    return value
  }
  expect([await readAfter(0), await readAfter(9_999), load.mock.calls.length]).toEqual(['nothing', 'nothing', 1])
  expect([await readAfter(1), await readAfter(0), await readAfter(299_999), load.mock.calls.length]).toEqual([
    'nothing',
    'loaded',
    'loaded',
    2,
  ])
})

test('the day counts calls from its first moment to its last, and shows live ones for twelve hours', async () => {
  await using desk = await supervision()
  const { ports, clock, store } = desk
  const live = { source: 'LIVE', receivedAt: 1 } as const
  const day = clinicDayAt(clock.now(), 'Asia/Kolkata')
  const add = (ucid: string, startedAt: number) =>
    addCallFacts(ports, { workspaceId: 'w1', ucid }, factsOf({ direction: 'INBOUND', startedAt: isoMoment(startedAt) }, live))
  for (const [ucid, at] of [
    ['before', day.from - 1],
    ['first', day.from],
    ['last', day.to - 1],
    ['after', day.to],
  ] as const)
    await add(ucid, at)
  await add('old', clock.now() - 12 * 3_600_000 + 1)
  using stats = createDailyStats(ports, 'w1')
  const shownAt = async () => {
    const { counters, live: shown } = await stats.read('Asia/Kolkata')
    return { calls: counters.total().calls, hasOld: shown.some(({ ucid }) => ucid === 'old') }
  }
  expect(await shownAt()).toEqual({ calls: 3, hasOld: true })
  clock.advance(1)
  expect(await shownAt()).toEqual({ calls: 3, hasOld: false })
  // Without a notification a new call is found after a quarter of an hour.
  await add('silent', clock.now())
  clock.advance(15 * 60_000 - 2)
  expect((await shownAt()).calls).toBe(3)
  clock.advance(1)
  expect((await shownAt()).calls).toBe(4)
  await add('told', clock.now())
  await ports.notifications.publish({ topic: callTopic, workspaceId: 'w1', payload: 'told' })
  await ports.notifications.publish({ topic: callTopic, workspaceId: 'w2', payload: 'told' })
  expect((await shownAt()).calls).toBe(5)
  // What could not be read is read next time.
  await add('later', clock.now())
  let isAway = true
  using disturbed = createDailyStats({ ...ports, store: failingStore(store, (key) => isAway && key === 'call:w1:later') }, 'w1')
  isAway = false
  await disturbed.read('Asia/Kolkata')
  isAway = true
  await ports.notifications.publish({ topic: callTopic, workspaceId: 'w1', payload: 'later' })
  await add('later', day.from - 1)
  await expect(disturbed.read('Asia/Kolkata')).rejects.toMatchObject({ reason: 'STORE_UNAVAILABLE' })
  isAway = false
  const before = (await disturbed.read('Asia/Kolkata')).counters.total().calls
  expect(before).toBe(5)
})

test('a day is complete if its calls are stored from its first moment on, or were read from the platform since', async () => {
  await using desk = await supervision('2025-01-14T18:30:00.000Z')
  const { ports, clock } = desk
  const today = () => clinicDayAt(clock.now(), 'Asia/Kolkata')
  const completeness = (workspaceId = 'w1') => readCompleteness(ports, { workspaceId, day: today() })
  expect(await completeness()).toEqual({ isComplete: true, since: today().from })
  clock.advance(1)
  const { isComplete, since } = await completeness('w2')
  expect([isComplete, since]).toEqual([false, clock.now()])
  clock.advance(1)
  expect(await completeness('w2')).toEqual({ isComplete: false, since })
  await markDayRebuilt(ports, { workspaceId: 'w2', day: today() }, since)
  expect(await completeness('w2')).toEqual({ isComplete: true, since })
  expect((await completeness('w3')).isComplete).toBe(false)
  // Another time zone has another day.
  expect((await readCompleteness(ports, { workspaceId: 'w2', day: clinicDayAt(clock.now(), 'Asia/Tokyo') })).isComplete).toBe(false)
})

test('an overview that is called complete has the calls that were read from the platform, also before it hears of them', async () => {
  await using desk = await createWiredDesk()
  using state = createSupervisionState(desk.auth)
  const ports = { ...desk.auth, ...state }
  const { workspaceId, clock } = desk
  const day = clinicDayAt(clock.now(), 'Asia/Kolkata')
  const shown = async () => {
    const { complete, total } = (await computeOverview(ports, workspaceId)).today
    return { complete, calls: total.calls }
  }
  expect(await shown()).toEqual({ complete: false, calls: 0 })
  const facts = factsOf({ direction: 'INBOUND', startedAt: isoMoment(clock.now()) }, { source: 'GUESSED', receivedAt: 0 })
  await addCallFacts(ports, { workspaceId, ucid: 'read' }, facts)
  const { since } = await readCompleteness(ports, { workspaceId, day })
  await markDayRebuilt(ports, { workspaceId, day }, since)
  expect(await shown()).toEqual({ complete: true, calls: 1 })
})

test('a day is rebuilt page by page, once, and goes on where it stopped', async () => {
  await using desk = await supervision()
  const { ports, clock } = desk
  const day = clinicDayAt(clock.now(), 'Asia/Kolkata')
  const empty = Object.fromEntries(Object.keys(callRecord.fields).map((field) => [field, null]))
  const recordAt = (at: number, ucid: string) => {
    const times = { startedAt: isoMoment(at), endedAt: isoMoment(at) }
    return {
      ...callRecord.schema.parse({ ...empty, id: newId() }),
      direction: 'INBOUND',
      status: 'MISSED',
      phoneNumber: '+919000000001',
      ucid,
      ...times,
    }
  }
  const all = Array.from({ length: 401 }, (_, index) => recordAt(clock.now() - index * 1_000, `c${index}`))
  const asked: string[] = []
  let isAway = false
  const search: CallRecords['search'] = async (_, { to, skip = 0 }, first) => {
    asked.push(to)
    if (isAway && asked.length === 2) throw new AppError('PROVIDER_UNAVAILABLE')
    return all.filter(({ startedAt }) => startedAt !== null && startedAt <= to).slice(skip, skip + first)
  }
  const added: string[] = []
  using _ = ports.notifications.subscribe(callsAddedTopic, ({ workspaceId }) => void added.push(workspaceId))
  const own = { ...ports, callRecords: { ...unusedRecords, search } }
  isAway = true
  await expect(rebuildDay(own, 'w1', day)).rejects.toMatchObject({ reason: 'PROVIDER_UNAVAILABLE' })
  isAway = false
  asked.length = 0
  await rebuildDay(own, 'w1', day)
  // From the oldest call of the first page on.
  expect(asked[0]).toBe(all[199]?.startedAt)
  expect(await Array.fromAsync(readCallsStarted(ports, 'w1', day))).toHaveLength(401)
  expect((await countWaitingCalls(ports, 'w1')).count).toBeGreaterThan(0)
  expect(await ports.store.get(`supervision-rebuild-position:w1:${day.date}`)).toBeNull()
  asked.length = 0
  await rebuildDay(own, 'w1', day)
  expect(asked).toEqual([])
  await waitFor(() => added.length === 2)
  expect(added).toEqual(['w1', 'w1'])
})

test('a missed call that is rebuilt from its record has its own number, campaign, lead and time', async () => {
  await using desk = await supervision()
  const { ports, clock } = desk
  const empty = Object.fromEntries(Object.keys(callRecord.fields).map((field) => [field, null]))
  const facts = {
    ucid: 'c1',
    phoneNumber: '+919000000001',
    did: '+918049202040',
    campaignName: 'Main',
    leadId: newId(),
    startedAt: isoMoment(clock.now() - 60_000),
  }
  const endedAt = isoMoment(clock.now() - 30_000)
  const record = { ...callRecord.schema.parse({ ...empty, id: newId() }), ...facts, endedAt, direction: 'INBOUND', status: 'MISSED' }
  const own = { ...ports, callRecords: { ...unusedRecords, search: async () => [record] } }
  await rebuildDay(own, 'w1', clinicDayAt(clock.now(), 'Asia/Kolkata'))
  expect((await listMissedCalls(ports, 'w1', { first: 10, after: null, waitingOnly: true })).nodes).toEqual([
    { ...facts, dialledNumber: null, at: endedAt, calledBackAt: null, calledBackUcid: null, doneAt: null },
  ])
})

test('a sign-out that was reported before the sign-in does not count, one of the same moment does', () => {
  const session = {
    agentId: 'r1',
    agentName: 'Ravi',
    providerAgentId: 'a1',
    memberId: 'm1',
    lockedAt: second(60),
    ip: '::1',
  }
  const stateAt = (since: string) =>
    supervisedAgents([session], new Map([['a1', { state: 'SIGNED_OUT', reason: null, since, receivedAt: 1 }]]))[0]
  expect(stateAt(second(59))).toMatchObject({ state: null, since: null, signedInAt: second(60) })
  expect(stateAt(second(60))).toMatchObject({ state: 'SIGNED_OUT', since: second(60) })
})

test('a slot is free until it begins', () => {
  const now = Date.parse(second(60))
  const slot = (at: string, id: string) => ({
    id,
    title: null,
    doctorId: 'd1',
    state: 'FREE' as const,
    startsAt: at,
    localStartsAt: at,
    endsAt: at,
    localEndsAt: at,
    timeZone: 'UTC',
    durationMinutes: 30,
    leadId: null,
  })
  const doctor = { id: 'd1', name: 'Dr Rao', speciality: null, clinic: null, languages: [], fee: null, active: true, bio: null }
  const directory = { doctors: [doctor], slots: [slot(second(60), 'now'), slot(second(61), 'next')] }
  expect(freeSlots(directory, now, 'UTC')).toMatchObject([{ doctorId: 'd1', total: 1, today: 1, nextStartsAt: second(61) }])
})
