import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Actor } from '../../src/access/actor.ts'
import { addAgentActivity } from '../../src/features/calls/agent-state/agent-state-store.ts'
import { factsOf } from '../../src/features/calls/state/call-facts.ts'
import { addCallFacts } from '../../src/features/calls/state/call-state-store.ts'
import { forgetChangedCalls } from '../../src/features/calls/state/changed-calls.ts'
import { noteWorkspace } from '../../src/features/calls/state/record-queue.ts'
import { keepHistory } from '../../src/features/history/keep-history.ts'
import { readAgentTimeline } from '../../src/features/history/read-agent-timeline.ts'
import { type HistoryInput, readHistory } from '../../src/features/history/read-history.ts'
import { createLog } from '../../src/kernel/log.ts'
import type { ReportedCallFacts } from '../../src/ports/call-facts.ts'
import { AppError } from '../../src/kernel/errors.ts'
import { derivedId } from '../../src/kernel/ids.ts'
import type { CallRecords, PlatformCall } from '../../src/ports/call-records.ts'
import type { Configuration } from '../../src/ports/configuration/configuration.ts'
import { callRecord } from '../../src/ports/records/call.ts'
import type { Store } from '../../src/ports/store.ts'
import { createSqliteStore } from '../../src/providers/store/sqlite.ts'
import { createTestClock } from '../harness/clock.ts'
import { failingStore } from '../harness/failing-store.ts'
import { fixedConfiguration } from '../harness/fixed-configuration.ts'
import { testPrincipal } from '../harness/gateway.ts'
import { lateStore } from '../harness/late-store.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { waitFor } from '../harness/wait-for.ts'
import { retentionOf } from '../../src/wiring/stored-values.ts'

const actor: Actor = { principal: testPrincipal({ role: 'MANAGER' }), accessToken: 'token', clientAddress: '127.0.0.1' }
const { workspaceId } = actor.principal
const agent = { id: '3f0c9a52-6d1e-4c4b-9a77-0b5d2e8f1c64', name: 'Asha', providerAgentId: '7', sipExtension: null }
const notUsed = () => Promise.reject(new Error('not used here'))
const noRecords: CallRecords = {
  ofLead: notUsed,
  withPhone: notUsed,
  byUcid: notUsed,
  byId: notUsed,
  write: notUsed,
  writeMany: notUsed,
  search: async () => [],
  answered: async () => [],
}

/** The history of a clinic in a zone, that begins to count now. */
async function createHistory(timeZone: string, startsAt: string, callRecords = noRecords) {
  const clock = createTestClock(startsAt)
  const dir = await createTempDir()
  const store = createSqliteStore({ dataDir: dir.path, clock, retentionOf })
  let zone = timeZone
  const configuration: Configuration = {
    read: (...section) => fixedConfiguration({ platform: { visits: { timeZone: zone } } }).read(...section),
  }
  const ports = {
    clock,
    store,
    configuration,
    callRecords,
    log: createLog('silent'),
    agentEntries: { read: async () => [agent] },
  }
  const count = async (disturbed: Store = store): Promise<void> => {
    clock.advance(10_000)
    await keepHistory({ ...ports, store: disturbed })
  }
  await noteWorkspace(ports, workspaceId)
  await count()
  return {
    clock,
    ports,
    count,
    moveTo: (next: string) => void (zone = next),
    report: (ucid: string, facts: Partial<ReportedCallFacts>, disturbed: Store = store) =>
      addCallFacts(
        { ...ports, store: disturbed },
        { workspaceId, ucid },
        factsOf({ direction: 'INBOUND', ...facts }, { source: 'RECORD', receivedAt: clock.now() }),
      ),
    ask: async (input: Omit<HistoryInput, 'groupBy'> & Partial<HistoryInput>) =>
      (await readHistory(ports, actor, { groupBy: 'DAY', ...input })).rows.filter(({ calls }) => calls > 0),
    async [Symbol.asyncDispose]() {
      await store.close()
      await dir[Symbol.asyncDispose]()
    },
  }
}

const starts = (rows: Awaited<ReturnType<Awaited<ReturnType<typeof createHistory>>['ask']>>) =>
  rows.map(({ date, hour, calls }) => [date, hour, calls])

test('a day of 25 hours has the hour that occurs twice as one, a day of 23 hours lacks one, and each call is in one day', async () => {
  await using autumn = await createHistory('Europe/Berlin', '2025-10-25T21:00:00.000Z')
  const hours = Array.from({ length: 27 }, (_, hour) => new Date(Date.parse('2025-10-25T21:30:00Z') + hour * 3_600_000).toISOString())
  autumn.clock.advance(28 * 3_600_000)
  // The end of the day notes its calls once more.
  await autumn.count()
  for (const [index, startedAt] of hours.entries()) await autumn.report(`a${index}`, { startedAt, answered: false, endedAt: startedAt })
  await autumn.count()
  const days = { from: '2025-10-25', to: '2025-10-27' }
  expect(starts(await autumn.ask(days))).toEqual([
    ['2025-10-25', null, 1],
    ['2025-10-26', null, 25],
    ['2025-10-27', null, 1],
  ])
  const byHour = await autumn.ask({ from: '2025-10-26', to: '2025-10-26', groupBy: 'DAY_AND_HOUR' })
  expect([byHour.length, byHour.find(({ hour }) => hour === 2)?.calls]).toEqual([24, 2])

  await using spring = await createHistory('Europe/Berlin', '2025-03-29T22:00:00.000Z')
  spring.clock.advance(26 * 3_600_000)
  await spring.count()
  for (let index = 0; index < 25; index += 1) {
    const startedAt = new Date(Date.parse('2025-03-29T22:30:00Z') + index * 3_600_000).toISOString()
    await spring.report(`s${index}`, { startedAt, answered: false, endedAt: startedAt })
  }
  await spring.count()
  const short = await spring.ask({ from: '2025-03-30', to: '2025-03-30', groupBy: 'DAY_AND_HOUR' })
  expect([short.length, short.some(({ hour }) => hour === 2)]).toEqual([23, false])
})

test('when the clinic moves to another time zone, each call stays in the hour that it was counted in', async () => {
  await using history = await createHistory('Asia/Kolkata', '2025-01-13T08:00:00.000Z')
  const startedAt = '2025-01-13T09:00:00.000Z'
  for (const ucid of ['one', 'two', 'three']) await history.report(ucid, { startedAt, answered: false, endedAt: startedAt })
  await history.count()
  history.clock.advance(2 * 3_600_000)
  history.moveTo('America/Los_Angeles')
  await history.count()
  await history.report('one', { startedAt, disposition: 'Booked' })
  const later = '2025-01-13T13:00:00.000Z'
  await history.report('four', { startedAt: later, answered: false, endedAt: later })
  history.clock.advance(26 * 3_600_000)
  // The end of the day notes its calls once more.
  await history.count()
  await history.count()
  const byHour = await history.ask({ from: '2025-01-12', to: '2025-01-15', groupBy: 'DAY_AND_HOUR' })
  expect(starts(byHour)).toEqual([
    ['2025-01-13', 5, 1],
    ['2025-01-13', 14, 3],
  ])
  expect(byHour[1]?.dispositions).toEqual([{ disposition: 'Booked', calls: 1 }])
})

test('a call whose start moves over midnight leaves the day that it was counted in', async () => {
  await using history = await createHistory('Asia/Kolkata', '2025-01-13T18:00:00.000Z')
  const days = { from: '2025-01-13', to: '2025-01-14' }
  history.clock.advance(3_600_000)
  await history.report('m', { startedAt: '2025-01-13T18:30:02.000Z' })
  await history.count()
  expect(starts(await history.ask(days))).toEqual([['2025-01-14', null, 1]])
  history.clock.advance(1_000)
  await history.report('m', { startedAt: '2025-01-13T18:29:58.000Z' })
  await history.count()
  expect(starts(await history.ask(days))).toEqual([['2025-01-13', null, 1]])
})

test('a crash after the start of a call has moved leaves the call in one day', async () => {
  await using history = await createHistory('Asia/Kolkata', '2025-01-13T18:00:00.000Z')
  const { store } = history.ports
  history.clock.advance(3_600_000)
  await history.report('m', { startedAt: '2025-01-13T18:30:02.000Z' })
  await history.count()
  history.clock.advance(1_000)
  const moved = { startedAt: '2025-01-13T18:29:58.000Z' }
  let isDead = false
  const dying: Store = {
    ...store,
    compareAndSet: async (...given) => {
      const isWritten = await store.compareAndSet(...given)
      isDead = true
      return isWritten
    },
    sortedAdd: async (...given) => {
      if (isDead) throw new Error('dead')
      await store.sortedAdd(...given)
    },
  }
  await expect(history.report('m', moved, dying)).rejects.toThrow('dead')
  // The provider's report is processed again after the restart.
  await history.report('m', moved)
  await history.count()
  expect(starts(await history.ask({ from: '2025-01-13', to: '2025-01-14' }))).toEqual([['2025-01-13', null, 1]])
})

test('an answered call without an outcome counts as that, and no longer when it gets one weeks later', async () => {
  await using history = await createHistory('Asia/Kolkata', '2025-01-13T08:00:00.000Z')
  const { ports, clock } = history
  const text = 'Wrap up time exceeded :120'
  const ended = { startedAt: '2025-01-13T09:00:00.000Z', endedAt: '2025-01-13T09:05:00.000Z', agentId: '7' }
  const calls = { closed: true, silent: true, missed: false, given: true }
  for (const [ucid, answered] of Object.entries(calls)) await history.report(ucid, { ...ended, answered })
  await history.report('given', { disposition: 'Booked' })
  await history.report('live', { startedAt: ended.startedAt, answeredAt: ended.startedAt })
  await addCallFacts(
    ports,
    { workspaceId, ucid: 'closed' },
    factsOf({ disposition: text }, { source: 'AUTOMATIC', receivedAt: clock.now() }),
  )
  await history.count()
  const day = { from: '2025-01-13', to: '2025-01-13' }
  const booked = { disposition: 'Booked', calls: 1 }
  expect(await history.ask(day)).toMatchObject([{ calls: 5, answered: 4, withoutOutcome: 2, dispositions: [booked] }])
  const timeline = async () => (await readAgentTimeline(ports, actor, { agentId: agent.id, date: '2025-01-13' })).calls
  const shown = async () => (await timeline()).find(({ ucid }) => ucid === 'closed')
  expect(await shown()).toMatchObject({ disposition: null, automaticDisposition: text })
  clock.advance(20 * 86_400_000)
  await addCallFacts(
    ports,
    { workspaceId, ucid: 'closed' },
    factsOf({ ...ended, answered: true, disposition: 'Complaint' }, { source: 'OWN', receivedAt: clock.now() }),
  )
  await history.count()
  expect(await history.ask(day)).toMatchObject([
    { calls: 5, answered: 4, withoutOutcome: 1, dispositions: [booked, { disposition: 'Complaint', calls: 1 }] },
  ])
  expect(await shown()).toMatchObject({ disposition: 'Complaint', automaticDisposition: null })
})

test('an outcome code may be any text', async () => {
  await using history = await createHistory('Asia/Kolkata', '2025-01-13T08:00:00.000Z')
  const startedAt = '2025-01-13T09:00:00.000Z'
  const codes = ['__proto__', '__proto__', 'constructor', 'Booked', 'toString']
  for (const [index, disposition] of codes.entries())
    await history.report(`c${index}`, { startedAt, answered: false, endedAt: startedAt, disposition })
  await history.count()
  const [row] = await history.ask({ from: '2025-01-13', to: '2025-01-13' })
  expect(row?.dispositions).toEqual([
    { disposition: '__proto__', calls: 2 },
    { disposition: 'Booked', calls: 1 },
    { disposition: 'constructor', calls: 1 },
    { disposition: 'toString', calls: 1 },
  ])
})

test('a year of hours is read in parts, with other work in between', async () => {
  await using history = await createHistory('Asia/Kolkata', '2025-01-13T08:00:00.000Z')
  let others = 0
  let isRead = false
  const other = (): void => {
    others += 1
    if (!isRead) setImmediate(other)
  }
  setImmediate(other)
  await history.ask({ from: '2024-01-14', to: '2025-01-13', groupBy: 'HOUR' })
  isRead = true
  expect(others).toBeGreaterThan(0)
})

test('calls that are read from the platform are all counted, however long the reading is interrupted', async () => {
  const empty = Object.fromEntries(Object.keys(callRecord.fields).map((field) => [field, null]))
  const hour = Date.parse('2024-10-05T06:00:00Z')
  const all = Array.from({ length: 450 }, (_, index): PlatformCall => ({
    ...callRecord.schema.parse({ ...empty, id: derivedId('call', String(index)), ucid: `p${index}` }),
    startedAt: new Date(hour - index * 1_000).toISOString(),
    endedAt: new Date(hour - index * 1_000).toISOString(),
  }))
  let isAway = true
  const search: CallRecords['search'] = async (_access, { from, to, skip = 0 }, first) => {
    if (isAway) throw new AppError('PROVIDER_UNAVAILABLE')
    return all.filter(({ startedAt }) => startedAt !== null && startedAt >= from && startedAt <= to).slice(skip, skip + first)
  }
  await using history = await createHistory('Asia/Kolkata', '2025-01-13T08:00:00.000Z', { ...noRecords, search })
  isAway = false
  await history.count()
  isAway = true
  await history.count()
  history.clock.advance(8 * 86_400_000)
  isAway = false
  for (let runs = 0; runs < 4; runs += 1) await history.count()
  expect(starts(await history.ask({ from: '2024-10-05', to: '2024-10-05' }))).toEqual([['2024-10-05', null, 450]])
})

test('what another version of the service has stored in another form stops no count, and hides no other day', async () => {
  await using history = await createHistory('Asia/Kolkata', '2025-01-13T08:00:00.000Z')
  const { store, clock } = history.ports
  const keep = { ttlMs: 86_400_000 }
  const report = (ucid: string, startedAt: string) => history.report(ucid, { startedAt, answered: false, endedAt: startedAt })
  const [early, late] = ['2025-01-13T08:00:01.000Z', '2025-01-13T09:30:00.000Z']
  clock.advance(3 * 3_600_000)
  await report('one', early)
  await report('two', late)
  await history.count()
  const [hour, otherHour] = ['2025-01-13T13', '2025-01-13T15']
  const rows = z.array(z.unknown()).parse(JSON.parse((await store.get(`history-calls:${workspaceId}:${hour}`)) ?? ''))
  const foreign = ['three', clock.now(), 'INBOUND', 'PARKED']
  await store.set(`history-calls:${workspaceId}:${hour}`, JSON.stringify([foreign, ...rows]), keep)
  await store.set(`history-hour:${workspaceId}:${otherHour}`, '[["7","Asha",null,[[1],[1],{}]]]', keep)
  await store.set(`history-day:${workspaceId}:2025-01-12`, '{"version":2}', keep)
  await store.sortedAdd(`calls-changed:${workspaceId}`, '["of another form"]', clock.now())
  const ask = (groupBy: HistoryInput['groupBy']) => readHistory(history.ports, actor, { from: '2025-01-12', to: '2025-01-13', groupBy })
  expect((await ask('DAY_AND_HOUR')).incompleteDays).toEqual(['2025-01-13'])
  await store.set(`history-calls:${workspaceId}:2025-01-13T14`, '{"version":2}', keep)
  await report('five', '2025-01-13T09:00:00.000Z')
  await report('four', early)
  await history.count()
  expect(await ask('DAY')).toMatchObject({ incompleteDays: ['2025-01-12'], rows: [{ date: '2025-01-13', calls: 3 }] })
  const byHour = await ask('DAY_AND_HOUR')
  expect([byHour.incompleteDays, starts([...byHour.rows])]).toEqual([
    [],
    [
      ['2025-01-13', 13, 2],
      ['2025-01-13', 15, 1],
    ],
  ])
  expect(await store.get(`history-calls:${workspaceId}:${hour}`)).toContain('PARKED')
  const timeline = await readAgentTimeline(history.ports, actor, { agentId: agent.id, date: '2025-01-13' })
  expect(timeline.calls).toEqual([])
  // It counts as lost: the calls from before are read from the platform again.
  await store.set(`history-rebuild:${workspaceId}`, '{"version":2}', keep)
  expect((await ask('DAY')).incompleteDays).toEqual(['2025-01-12', '2025-01-13'])
  await report('six', early)
  // The beginning notes all stored calls once more.
  await history.count()
  await history.count()
  expect(await ask('DAY')).toMatchObject({ incompleteDays: ['2025-01-12'], rows: [{ date: '2025-01-13', calls: 4 }] })
})

test('who loses the lease while counting, and breaks off, notes its calls again: another may have counted them before', async () => {
  await using history = await createHistory('Asia/Kolkata', '2025-01-13T08:00:00.000Z')
  const { clock, ports } = history
  for (const [ucid, startedAt] of [
    ['one', '2025-01-13T08:00:00.000Z'],
    ['two', '2025-01-13T09:00:00.000Z'],
  ] as const) {
    await history.report(ucid, { startedAt, answered: false, endedAt: startedAt })
  }
  let writes = 0
  const set: Store['set'] = async (key, value, options) => {
    if (!key.startsWith('history-hour:')) return ports.store.set(key, value, options)
    writes += 1
    if (writes > 1) throw new Error('broken off')
    // Another instance has the lease now, and has counted.
    await ports.store.set(`history-lease:${workspaceId}`, 'other ', { ttlMs: 1_000 })
    await forgetChangedCalls(ports, workspaceId, clock.now())
  }
  await history.count({ ...ports.store, set })
  await history.count()
  expect(starts(await history.ask({ from: '2025-01-13', to: '2025-01-13' }))).toEqual([['2025-01-13', null, 2]])
})

test('a fact that comes after a month changes no sum: the other calls of its hour are no longer stored', async () => {
  await using history = await createHistory('America/Los_Angeles', '2025-01-14T03:00:00.000Z')
  const startedAt = '2025-01-14T04:10:00.000Z'
  const days = { from: '2025-01-13', to: '2025-01-13' }
  history.clock.advance(2 * 3_600_000)
  for (const ucid of ['one', 'two', 'three']) await history.report(ucid, { startedAt, answered: false, endedAt: startedAt })
  await history.count()
  // The 13th ends in Los Angeles when it is 08:00 of the 14th in UTC.
  history.clock.advance(Date.parse('2025-02-14T02:00:00Z') - history.clock.now())
  await history.report('one', { startedAt, disposition: 'Booked' })
  await history.count()
  expect(starts(await history.ask(days))).toEqual([['2025-01-13', null, 3]])
  history.clock.advance(Date.parse('2025-02-14T03:30:00Z') - history.clock.now())
  await history.report('two', { startedAt, disposition: 'Booked' })
  await history.count()
  expect(starts(await history.ask(days))).toEqual([['2025-01-13', null, 3]])
})

test("an agent's timeline has their states from report to report, and their calls", async () => {
  await using history = await createHistory('Asia/Kolkata', '2025-01-13T18:00:00.000Z')
  const { ports, clock } = history
  const state = (since: string, name: 'READY' | 'NOT_READY', reason: string | null = null) =>
    addAgentActivity(ports, { workspaceId, agentId: '7' }, { state: name, reason, since, receivedAt: clock.now() })
  await state('2025-01-13T18:10:00.000Z', 'READY')
  clock.advance(12 * 3_600_000)
  await state('2025-01-14T05:00:00.000Z', 'NOT_READY', 'Lunch')
  await state('2025-01-14T05:30:00.000Z', 'READY')
  // Of the reports of one moment the last counts, and it changes nothing.
  await state('2025-01-14T05:40:00.000Z', 'NOT_READY', 'Tea')
  clock.advance(1)
  await state('2025-01-14T05:40:00.000Z', 'READY')
  const answeredAt = '2025-01-14T05:35:10.000Z'
  const call = { startedAt: '2025-01-14T05:35:00.000Z', answeredAt, answered: true, endedAt: '2025-01-14T05:36:10.000Z', talkSeconds: 60 }
  await history.report('own', { ...call, agentId: '7', campaignName: 'Main', disposition: 'Booked' })
  await history.report('of another', { ...call, agentId: '8' })
  await history.count()
  const timeline = await readAgentTimeline(ports, actor, { agentId: agent.id, date: '2025-01-14' })
  expect(timeline.agentName).toBe('Asha')
  expect(timeline.states).toEqual([
    { state: 'READY', reason: null, from: '2025-01-13T18:30:00.000Z', to: '2025-01-14T05:00:00.000Z' },
    { state: 'NOT_READY', reason: 'Lunch', from: '2025-01-14T05:00:00.000Z', to: '2025-01-14T05:30:00.000Z' },
    { state: 'READY', reason: null, from: '2025-01-14T05:30:00.000Z', to: null },
  ])
  expect(timeline.calls).toHaveLength(1)
  expect(timeline.calls[0]).toMatchObject({
    ucid: 'own',
    phase: 'COMPLETED',
    answeredAt,
    talkSeconds: 60,
    campaignName: 'Main',
    disposition: 'Booked',
  })
  const other = { ...actor, principal: testPrincipal({ role: 'AGENT', agentId: '11111111-1111-4111-8111-111111111111' }) }
  await expect(readAgentTimeline(ports, other, { agentId: agent.id, date: '2025-01-14' })).rejects.toMatchObject({ reason: 'NOT_YOURS' })
})

test('a state that ended at midnight is not part of the day that began then', async () => {
  await using history = await createHistory('Asia/Kolkata', '2025-01-13T18:00:00.000Z')
  const { ports, clock } = history
  const midnight = '2025-01-13T18:30:00.000Z'
  const state = (since: string, name: 'READY' | 'NOT_READY') =>
    addAgentActivity(ports, { workspaceId, agentId: '7' }, { state: name, reason: null, since, receivedAt: clock.now() })
  await state('2025-01-13T18:10:00.000Z', 'READY')
  clock.advance(31 * 60_000)
  await state(midnight, 'NOT_READY')
  const on = async (date: string) => (await readAgentTimeline(ports, actor, { agentId: agent.id, date })).states
  expect(await on('2025-01-13')).toEqual([{ state: 'READY', reason: null, from: '2025-01-13T18:10:00.000Z', to: midnight }])
  expect(await on('2025-01-14')).toEqual([{ state: 'NOT_READY', reason: null, from: midnight, to: null }])
})

test('the calls of a day are counted once more after it, although all notes of their changes were lost', async () => {
  await using history = await createHistory('Asia/Kolkata', '2025-01-13T08:00:00.000Z')
  const { ports, clock } = history
  const startedAt = '2025-01-13T09:00:00.000Z'
  clock.advance(2 * 3_600_000)
  await history.report('c1', { startedAt, answered: false, endedAt: startedAt })
  await forgetChangedCalls(ports, workspaceId, clock.now())
  await history.count()
  expect(await history.ask({ from: '2025-01-13', to: '2025-01-13' })).toEqual([])
  // Two hours after midnight. A run that cannot note them is repeated; what is noted is counted after five seconds, in the next run.
  clock.advance(Date.parse('2025-01-13T20:30:00.000Z') - clock.now())
  await history.count(failingStore(ports.store, (key) => key.startsWith('calls-changed')))
  await history.count(lateStore(ports.store))
  await history.count()
  expect(starts(await history.ask({ from: '2025-01-13', to: '2025-01-13' }))).toEqual([['2025-01-13', null, 1]])
})

const hourMs = 3_600_000
const emptyRecord = Object.fromEntries(Object.keys(callRecord.fields).map((field) => [field, null]))
const recordOf = (ucid: string, values: Partial<PlatformCall>): PlatformCall => ({
  ...callRecord.schema.parse({ ...emptyRecord, id: derivedId('call', ucid), ucid }),
  direction: 'INBOUND',
  ...values,
})

test('of calls whose record has no end, those of the last four hours go on, and the others do not count', async () => {
  const now = Date.parse('2025-01-13T08:00:00.000Z')
  // The first count is ten seconds later.
  const border = now + 10_000 - 4 * hourMs
  const all = [border, border - 1].map((at) => recordOf(`c${at}`, { startedAt: new Date(at).toISOString() }))
  await using history = await createHistory('Asia/Kolkata', new Date(now).toISOString(), { ...noRecords, search: async () => all })
  expect(starts(await history.ask({ from: '2025-01-13', to: '2025-01-13' }))).toEqual([['2025-01-13', null, 1]])
})

test('a missed call was returned by an answer from its own moment until 30 days later', async () => {
  const missedAt = '2025-01-10T06:00:00.000Z'
  const until = Date.parse(missedAt) + 30 * 86_400_000
  const answers = [Date.parse(missedAt) - 1, Date.parse(missedAt), until, until + 1].map((at, index) => ({
    missed: recordOf(`missed${index}`, { phoneNumber: `+91981150010${index}`, status: 'MISSED', startedAt: missedAt, endedAt: missedAt }),
    answer: recordOf(`answer${index}`, { phoneNumber: `+91981150010${index}`, answeredAt: new Date(at).toISOString() }),
  }))
  const callRecords: CallRecords = {
    ...noRecords,
    search: async () => answers.map(({ missed }) => missed),
    answered: async () => answers.map(({ answer }) => answer),
  }
  await using history = await createHistory('Asia/Kolkata', '2025-02-20T08:00:00.000Z', callRecords)
  const [day] = await history.ask({ from: '2025-01-10', to: '2025-01-10' })
  expect([day?.missed, day?.returned]).toEqual([4, 2])
  expect(day?.averageReturnSeconds).toBe(15 * 86_400)
})

test('a workspace whose platform does not answer holds up no other', async () => {
  await using history = await createHistory('Asia/Kolkata', '2026-02-10T04:00:00.000Z')
  const { ports, clock } = history
  const asked = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<void>()
  const callRecords: CallRecords = {
    ...noRecords,
    search: async (access) => {
      if (access.workspaceId !== 'slow') return []
      asked.resolve()
      await answer.promise
      return []
    },
  }
  // It is the first of the list.
  await noteWorkspace({ ...ports, clock: { ...clock, now: () => clock.now() - 60_000 } }, 'slow')
  await history.report('c1', { startedAt: '2026-02-10T04:00:00.000Z', phoneNumber: '+919812345670', endedAt: '2026-02-10T04:01:00.000Z' })
  clock.advance(10_000)
  const counting = keepHistory({ ...ports, callRecords })
  await asked.promise
  const rows = await waitFor(async () => {
    const found = await history.ask({ from: '2026-02-10', to: '2026-02-10' })
    return found.length > 0 && found
  })
  expect(rows).toMatchObject([{ calls: 1 }])
  answer.resolve()
  await counting
})
