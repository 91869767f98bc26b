import { afterAll, beforeAll, expect, test } from 'vitest'
import { factsOf } from '../../src/features/calls/state/call-facts.ts'
import { compareSoon } from '../../src/features/calls/reconciliation/compare-soon.ts'
import { reconcileCalls, type ReconcilePorts } from '../../src/features/calls/reconciliation/reconcile-calls.ts'
import { updateCall } from '../../src/features/calls/state/update-call.ts'
import { isoMoment } from '../../src/kernel/clock.ts'
import { newId } from '../../src/kernel/ids.ts'
import type { CallRecordQuery, Telephony } from '../../src/ports/telephony.ts'
import { createTestClock } from '../harness/clock.ts'
import { type CallsDesk, createCallsDesk } from '../harness/calls-desk.ts'

/** When calls are compared with the provider's records, and which records are read. */

const minute = 60_000
const clock = createTestClock()
let desk: CallsDesk
let telephony: Telephony
beforeAll(async () => {
  desk = await createCallsDesk({ clock })
  telephony = await desk.telephonyOf(desk.workspaceId)
})
afterAll(() => desk[Symbol.asyncDispose]())

/** A workspace whose provider has no records, with the times of the records that were read. */
async function newWorkspace() {
  const workspaceId = newId()
  const read: CallRecordQuery[] = []
  const callRecordPage: Telephony['callRecordPage'] = async (query) => {
    read.push(query)
    return { records: [], unreadable: 0, next: null }
  }
  const capabilities = new Set(['CALL_RECORDS'] as const)
  const ports: ReconcilePorts = { ...desk.callPorts, clock, telephonyOf: async () => ({ ...telephony, capabilities, callRecordPage }) }
  const run = () => reconcileCalls(ports, { workspaceId, awaySince: 0 })
  await run()
  clock.advance(2 * minute)
  await run()
  expect(read).toEqual([])
  return { workspaceId, ports, run, read }
}

test('a wanted comparison is made at once, and once, in its workspace only', async () => {
  const [one, other] = [await newWorkspace(), await newWorkspace()]
  await compareSoon(one.ports, one.workspaceId)
  await compareSoon(one.ports, one.workspaceId)
  await Promise.all([one.run(), other.run()])
  await Promise.all([one.run(), other.run()])
  expect([one.read.length, other.read.length]).toEqual([1, 0])
})

test('the record of a call that began before the compared time is read by its start, at most every half hour', async () => {
  const { workspaceId, ports, run, read } = await newWorkspace()
  const { provider } = await desk.configuration.read(workspaceId, 'telephony')
  const start = clock.now()
  const facts = { startedAt: isoMoment(start), answeredAt: isoMoment(start), provider: provider?.id ?? null }
  await updateCall(
    { ...ports, notifications: desk.callPorts.notifications },
    { workspaceId, ucid: '1' },
    factsOf(facts, { source: 'LIVE', receivedAt: start }),
  )
  const compare = async (ms: number): Promise<readonly string[]> => {
    clock.advance(ms)
    read.length = 0
    for (let count = 0; count < 4; count += 1) await run()
    return read.map(({ from }) => from)
  }
  expect(await compare(100 * minute)).toHaveLength(1)
  expect(await compare(100 * minute)).toHaveLength(1)
  expect(await compare(10 * minute)).toEqual([isoMoment(start - 30_000), expect.any(String)])
  expect(await compare(10 * minute)).toHaveLength(1)
  expect(await compare(30 * minute)).toEqual([isoMoment(start - 30_000), expect.any(String)])
})
