import type { Actor } from '../../../src/access/actor.ts'
import { noteWorkspace } from '../../../src/features/calls/state/record-queue.ts'
import { keepHistory } from '../../../src/features/history/keep-history.ts'
import { type HistoryRow, readHistory } from '../../../src/features/history/read-history.ts'
import { clinicDayAt } from '../../../src/kernel/clinic-day.ts'
import { asService } from '../../../src/ports/record-access.ts'
import { createSqliteStore } from '../../../src/providers/store/sqlite.ts'
import { createCallsDesk } from '../../harness/calls-desk.ts'
import { createTestClock } from '../../harness/clock.ts'
import { playWeek, type RawCall, receive, recount } from '../../harness/history-week.ts'
import { createTempDir } from '../../harness/temp-dir.ts'
import { type Figure, say } from '../stage/report.ts'
import { proveMonth } from './month.ts'
import { retentionOf } from '../../../src/wiring/stored-values.ts'

const zone = 'Asia/Kolkata'
const agents = 100
const callsPerDay = 10_000
const days = 7
const dayMs = 86_400_000
const countEveryMs = 300_000

/** A week of 10,000 calls a day, every figure compared with a recount; then questions about a month of such days over HTTP. */
export async function proveWeek(): Promise<readonly Figure[]> {
  const from = clinicDayAt(Date.now() - (days + 1) * dayMs, zone).from
  const clock = createTestClock(new Date(from).toISOString())
  await using desk = await createCallsDesk()
  await using dir = await createTempDir()
  const store = createSqliteStore({ dataDir: dir.path, clock, retentionOf })
  await using closing = new AsyncDisposableStack()
  closing.defer(() => store.close())
  desk.standIns.platform.seedAgents('demo', agents)
  const { workspaceId } = desk
  // Before the counting: it takes minutes, in which the stand-in closes idle connections.
  const actor = await managerOf(() => desk.signIn('manager@demo.example'))
  const entries = await desk.ports.agentDirectory.all(asService(workspaceId, 'INSIGHTS'))
  const playing = entries.filter(({ providerAgentId }) => providerAgentId.startsWith('load'))
  const agentDirectory = { all: async () => entries, recordOf: async () => null }
  const callRecords = { ...desk.ports.callRecords, began: async () => [], answered: async () => [] }
  // Nobody receives events here.
  const bus = { ...desk.callPorts.bus, publish: async () => undefined }
  const ports = { ...desk.callPorts, agentDirectory, bus, callRecords, clock, store, agentEntries: { read: async () => entries } }
  await noteWorkspace(ports, workspaceId)
  await keepHistory(ports)
  const { calls, events } = playWeek({ from, days, callsPerDay, agents: playing.map(({ providerAgentId }) => providerAgentId) })
  say(`${events.length} events of ${calls.length} calls of ${playing.length} agents`)
  let countedAt = clock.now()
  let longestMs = 0
  for (const [index, event] of events.entries()) {
    if (index % 20_000 === 0) say(`${index} events, counting took at most ${longestMs.toFixed(0)} ms`)
    clock.advance(Math.max(0, event.at - clock.now()))
    await receive(ports, workspaceId, event)
    if (clock.now() - countedAt < countEveryMs) continue
    countedAt = clock.now()
    const startedAt = performance.now()
    await keepHistory(ports)
    longestMs = Math.max(longestMs, performance.now() - startedAt)
  }
  clock.advance(10_000)
  await keepHistory(ports)
  say('all are counted; comparing')
  const dates = [...new Set(calls.map(({ startedAt }) => clinicDayAt(startedAt, zone).date))].toSorted()
  const ids = new Map(entries.map(({ id, providerAgentId }) => [providerAgentId, id]))
  const range = { from: dates[0] ?? '', to: dates.at(-1) ?? '' }
  const compared = { figures: 0, wrong: [] as string[] }
  for (const groupBy of ['TOTAL', 'DAY', 'HOUR', 'AGENT', 'CAMPAIGN', 'DAY_AND_AGENT', 'DAY_AND_CAMPAIGN', 'HOUR_AND_AGENT'] as const) {
    const { rows } = await readHistory(ports, actor, { ...range, groupBy })
    compare(compared, { rows, expected: expectedRows(calls, { groupBy, ids }) })
  }
  const { figures, wrong } = compared
  const week: Figure = {
    claim: `${callsPerDay} calls a day of ${agents} agents for ${days} days, with callbacks and outcomes that change a day later: every figure of 8 groupings beside a recount of the raw calls`,
    figure: wrong.length === 0 ? `${figures} figures, all equal` : `${wrong.length} of ${figures} differ: ${wrong.slice(0, 3).join('; ')}`,
    holds: wrong.length === 0 && figures > 0,
  }
  const counting: Figure = {
    claim: 'Counting what changed in five minutes, the longest of the week (it runs every 10 s)',
    figure: `${longestMs.toFixed(0)} ms`,
    holds: longestMs < 10_000,
  }
  return [week, counting, ...(await proveMonth(store, { workspaceId, dates }))]
}

async function managerOf(signIn: () => Promise<Actor>): Promise<Actor> {
  const actor = await signIn()
  return { ...actor, principal: { ...actor.principal, role: 'MANAGER' } }
}

type Grouping = { readonly groupBy: string; readonly ids: ReadonlyMap<string, string> }
type Group = Partial<Pick<HistoryRow, 'date' | 'hour' | 'agentId' | 'campaignName'>>

function expectedRows(calls: readonly RawCall[], { groupBy, ids }: Grouping) {
  const answersOf = Map.groupBy(calls, ({ phoneNumber }) => phoneNumber)
  const groupOf = ({ startedAt, agentId, campaignName }: RawCall): Group => ({
    ...(groupBy.includes('DAY') ? { date: clinicDayAt(startedAt, zone).date } : {}),
    ...(groupBy.includes('HOUR') ? { hour: new Date(startedAt + 19_800_000).getUTCHours() } : {}),
    ...(groupBy.includes('AGENT') ? { agentId: ids.get(agentId ?? '') ?? null } : {}),
    ...(groupBy.includes('CAMPAIGN') ? { campaignName } : {}),
  })
  return [...Map.groupBy(calls, (call) => JSON.stringify(groupOf(call)))].map(([key, own]) => ({
    key,
    group: own[0] ? groupOf(own[0]) : {},
    figures: recount(
      own,
      own.flatMap(({ phoneNumber }) => answersOf.get(phoneNumber) ?? []),
    ),
  }))
}

type Compared = { figures: number; readonly wrong: string[] }

function compare(compared: Compared, { rows, expected }: { rows: readonly HistoryRow[]; expected: ReturnType<typeof expectedRows> }): void {
  if (rows.length !== expected.length) compared.wrong.push(`${rows.length} rows instead of ${expected.length}`)
  const placeOf = ({ date = null, hour = null, agentId = null, campaignName = null }: Group) =>
    JSON.stringify([date, hour, agentId, campaignName])
  const byGroup = new Map(rows.map((row) => [placeOf(row), row]))
  for (const { key, group, figures } of expected) {
    const known = new Map(Object.entries(byGroup.get(placeOf(group)) ?? {}))
    for (const [name, value] of Object.entries(figures)) {
      compared.figures += 1
      if (JSON.stringify(known.get(name)) !== JSON.stringify(value)) {
        compared.wrong.push(`${key} ${name}: ${JSON.stringify(known.get(name))} instead of ${JSON.stringify(value)}`)
      }
    }
  }
}
