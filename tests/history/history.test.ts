import { expect, test } from 'vitest'
import type { Actor } from '../../src/access/actor.ts'
import { keepHistory } from '../../src/features/history/keep-history.ts'
import { type HistoryInput, readHistory } from '../../src/features/history/read-history.ts'
import { noteWorkspace } from '../../src/features/calls/state/record-queue.ts'
import { writeRecords } from '../../src/features/calls/records/write-records.ts'
import { clinicDayAt } from '../../src/kernel/clinic-day.ts'
import { asService } from '../../src/ports/record-access.ts'
import type { Store } from '../../src/ports/store.ts'
import { createSqliteStore } from '../../src/providers/store/sqlite.ts'
import { createDailyStats } from '../../src/features/supervision/daily-stats.ts'
import { answeredWithin } from '../../src/features/supervision/waits.ts'
import { type CallsDesk, createCallsDesk } from '../harness/calls-desk.ts'
import { createTestClock, type TestClock } from '../harness/clock.ts'
import { playWeek, type RawCall, type RawEvent, receive, recount } from '../harness/history-week.ts'
import { lateStore } from '../harness/late-store.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { retentionOf } from '../../src/wiring/stored-values.ts'
import { doDue } from '../harness/do-due.ts'

const zone = 'Asia/Kolkata'
const second = 1_000

/** Ports of the history on a test clock, with the records of the stand-in. */
function portsOf(desk: CallsDesk, clock: TestClock, store: Store = desk.store) {
  const { configuration, ports } = desk
  const agentEntries = { read: (workspaceId: string) => ports.agentDirectory.all(asService(workspaceId, 'INSIGHTS')) }
  return { ...desk.callPorts, clock, store, configuration, agentEntries }
}
function asManager(actor: Actor): Actor {
  return { ...actor, principal: { ...actor.principal, role: 'MANAGER' } }
}
type HistoryTestPorts = ReturnType<typeof portsOf>

/** Receives the events at their times, and counts every quarter of an hour. */
async function play(
  ports: HistoryTestPorts,
  clock: TestClock,
  { workspaceId, events }: { workspaceId: string; events: readonly RawEvent[] },
) {
  let countedAt = clock.now()
  for (const event of events) {
    clock.advance(Math.max(0, event.at - clock.now()))
    await receive(ports, workspaceId, event)
    if (clock.now() - countedAt < 3_600_000) continue
    countedAt = clock.now()
    await keepHistory(ports)
    await doDue(writeRecords, ports)
  }
}

/** Counts and writes until nothing is left. */
async function settle(ports: HistoryTestPorts, clock: TestClock): Promise<void> {
  clock.advance(10 * second)
  await keepHistory(ports)
  while ((await doDue(writeRecords, ports)) > 0) clock.advance(second)
}

const groupedBy = {
  TOTAL: () => ({}),
  DAY: ({ startedAt }: RawCall) => ({ date: clinicDayAt(startedAt, zone).date }),
  HOUR: ({ startedAt }: RawCall) => ({ hour: new Date(startedAt + 19_800_000).getUTCHours() }),
  AGENT: ({ agentId }: RawCall) => ({ agent: agentId }),
  CAMPAIGN: ({ campaignName }: RawCall) => ({ campaignName }),
  DAY_AND_AGENT: (call: RawCall) => ({ date: clinicDayAt(call.startedAt, zone).date, agent: call.agentId }),
  AGENT_AND_CAMPAIGN: ({ agentId, campaignName }: RawCall) => ({ agent: agentId, campaignName }),
  HOUR_AND_CAMPAIGN: ({ startedAt, campaignName }: RawCall) => ({ hour: new Date(startedAt + 19_800_000).getUTCHours(), campaignName }),
} as const satisfies Partial<Record<HistoryInput['groupBy'], (call: RawCall) => object>>

test('a week: the history is a recount of the raw events in every grouping, what was counted live, and the same after a loss', async () => {
  const clock = createTestClock('2025-01-12T18:30:00.000Z')
  await using desk = await createCallsDesk({ clock, requestsPerMinute: 100_000 })
  const { workspaceId } = desk
  desk.standIns.platform.setApiKeyLimit(1_000_000)
  const actor = asManager(await desk.signIn('manager@demo.example'))
  const ports = portsOf(desk, clock)
  const entries = await ports.agentEntries.read(workspaceId)
  const agents = entries.map(({ providerAgentId }) => providerAgentId).slice(0, 3)
  await noteWorkspace(ports, workspaceId)
  await keepHistory(ports)
  const { calls, events } = playWeek({ from: clock.now(), days: 7, callsPerDay: 16, agents })
  const [first, others] = [
    events.filter(({ at }) => at < Date.parse('2025-01-13T18:00:00Z')),
    events.filter(({ at }) => at >= Date.parse('2025-01-13T18:00:00Z')),
  ]
  await play(ports, clock, { workspaceId, events: first })
  await settle(ports, clock)
  const ask = (asked: HistoryTestPorts, input: Partial<HistoryInput> = {}) =>
    readHistory(asked, actor, { from: '2025-01-13', to: '2025-01-19', groupBy: 'DAY', ...input })
  {
    using live = createDailyStats(ports, workspaceId)
    const { waits, ...counted } = (await live.read(zone)).counters.total()
    const { rows, serviceLevelSeconds } = await ask(ports, { to: '2025-01-13' })
    expect(rows).toMatchObject([{ ...counted, answeredInTime: answeredWithin(waits, 20) }])
    expect([counted.calls, serviceLevelSeconds]).toEqual([16, 20])
  }
  await play(ports, clock, { workspaceId, events: others })
  await settle(ports, clock)

  const idOf = new Map(entries.map(({ id, providerAgentId }) => [providerAgentId, id]))
  const expectedRows = (groupBy: keyof typeof groupedBy) =>
    [...Map.groupBy(calls, (call) => JSON.stringify(groupedBy[groupBy](call)))].map(([, own]) => {
      const [sample] = own
      const { agent, ...group }: { agent?: string | null } = sample ? groupedBy[groupBy](sample) : {}
      return { ...group, ...(agent === undefined ? {} : { agentId: agent === null ? null : idOf.get(agent) }), ...recount(own, calls) }
    })
  for (const groupBy of [
    'TOTAL',
    'DAY',
    'HOUR',
    'AGENT',
    'CAMPAIGN',
    'DAY_AND_AGENT',
    'AGENT_AND_CAMPAIGN',
    'HOUR_AND_CAMPAIGN',
  ] as const) {
    const { rows, incompleteDays } = await ask(ports, { groupBy })
    expect(incompleteDays).toEqual([])
    const expected = expectedRows(groupBy)
    expect(rows).toHaveLength(expected.length)
    expect(rows).toEqual(expect.arrayContaining(expected.map((row): unknown => expect.objectContaining(row))))
  }
  const all = recount(calls, calls)
  // The week has what it should test.
  expect([all.returned > 1, all.unreached > 1, all.missed > 9]).toEqual([true, true, true])

  await using dir = await createTempDir()
  const lost = lateStore(createSqliteStore({ dataDir: dir.path, clock, retentionOf }))
  await using closing = new AsyncDisposableStack()
  closing.defer(() => lost.close())
  const again = portsOf(desk, clock, lost)
  await noteWorkspace(again, workspaceId)
  expect((await ask(again)).incompleteDays).toHaveLength(7)
  for (let runs = 0; runs < 10 && (await ask(again)).incompleteDays.length > 0; runs += 1) {
    await keepHistory(again)
    clock.advance(10 * second)
  }
  for (const groupBy of ['DAY_AND_AGENT', 'HOUR_AND_CAMPAIGN'] as const) {
    const ours = (await ask(ports, { groupBy })).rows
    expect((await ask(again, { groupBy })).rows.filter(({ calls: count }) => count > 0)).toEqual(ours)
  }
}, 60_000)
