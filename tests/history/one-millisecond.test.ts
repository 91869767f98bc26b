import { expect, test } from 'vitest'
import { noteWorkspace } from '../../src/features/calls/state/record-queue.ts'
import { readCallsStarted } from '../../src/features/calls/state/call-state-store.ts'
import { keepHistory } from '../../src/features/history/keep-history.ts'
import { readHistory } from '../../src/features/history/read-history.ts'
import { rebuildDay } from '../../src/features/supervision/rebuild-day.ts'
import { clinicDayAt } from '../../src/kernel/clinic-day.ts'
import { isoMoment } from '../../src/kernel/clock.ts'
import { AppError } from '../../src/kernel/errors.ts'
import type { CallRecords } from '../../src/ports/call-records.ts'
import { asService } from '../../src/ports/record-access.ts'
import { createCallsDesk } from '../harness/calls-desk.ts'
import { createTestClock } from '../harness/clock.ts'

/** More calls of one millisecond than one request of the platform returns (200), as an import makes them; and a few around it. */
const sameStart = 430
const perWrite = 60

async function createImport(clock: ReturnType<typeof createTestClock>) {
  await using starting = new AsyncDisposableStack()
  const desk = starting.use(await createCallsDesk({ clock, requestsPerMinute: 100_000 }))
  desk.standIns.platform.setApiKeyLimit(1_000_000)
  const { workspaceId } = desk
  const { callRecords } = desk.callPorts
  const at = clock.now() - 60_000
  const calls = Array.from({ length: sameStart + 20 }, (_, index) => {
    const startedAt = isoMoment(index < sameStart ? at : at + (index % 2 === 0 ? index : -index))
    return { ucid: `import-${index}`, values: { direction: 'INBOUND', status: 'MISSED', startedAt, endedAt: startedAt } as const }
  })
  for (let from = 0; from < calls.length; from += perWrite)
    await callRecords.writeMany(asService(workspaceId, 'RECORDINGS'), calls.slice(from, from + perWrite))
  const agentEntries = { read: async () => [] }
  const ports = { ...desk.callPorts, clock, agentEntries, configuration: desk.configuration }
  const closing = starting.move()
  return { desk, ports, workspaceId, ucids: calls.map(({ ucid }) => ucid).toSorted(), [Symbol.asyncDispose]: () => closing.disposeAsync() }
}

/** Fails one request in two: the work goes on where it stopped. */
function interrupted(callRecords: CallRecords): CallRecords {
  let asked = 0
  return {
    ...callRecords,
    search: async (...wanted) => {
      asked += 1
      if (asked % 2 === 0) throw new AppError('PROVIDER_UNAVAILABLE')
      return callRecords.search(...wanted)
    },
  }
}

test('a day with more calls of one millisecond than a page is rebuilt whole, also with interruptions', async () => {
  const clock = createTestClock('2025-01-15T09:00:00.000Z')
  await using made = await createImport(clock)
  const { workspaceId, ucids } = made
  const ports = { ...made.ports, callRecords: interrupted(made.ports.callRecords) }
  const day = clinicDayAt(clock.now(), 'Asia/Kolkata')
  let failures = 0
  for (let isDone = false; !isDone && failures < 10;) {
    isDone = await rebuildDay(ports, workspaceId, day).then(
      () => true,
      () => false,
    )
    if (!isDone) failures += 1
  }
  expect(failures).toBe(2)
  const known = await Array.fromAsync(readCallsStarted(ports, workspaceId, day))
  expect(known.map(({ ucid }) => ucid).toSorted()).toEqual(ucids)
})

test('the history counts each call of such a millisecond once, also with interruptions', async () => {
  const clock = createTestClock('2025-01-15T09:00:00.000Z')
  await using made = await createImport(clock)
  const { workspaceId, ucids, desk } = made
  clock.advance(86_400_000)
  const ports = { ...made.ports, callRecords: interrupted(made.ports.callRecords) }
  await noteWorkspace(ports, workspaceId)
  const actor = await desk.signIn('manager@demo.example')
  const manager = { ...actor, principal: { ...actor.principal, role: 'MANAGER' as const } }
  const ask = () => readHistory(ports, manager, { from: '2025-01-15', to: '2025-01-15', groupBy: 'DAY' })
  for (let runs = 0; runs < 12; runs += 1) {
    clock.advance(10_000)
    await keepHistory(ports)
  }
  expect(await ask()).toMatchObject({ incompleteDays: [], rows: [{ date: '2025-01-15', calls: ucids.length }] })
})
