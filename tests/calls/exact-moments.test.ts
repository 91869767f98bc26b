import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CallPorts } from '../../src/features/calls/state/call-ports.ts'
import { addMissedCall } from '../../src/features/calls/missed-calls/missed-call-store.ts'
import { reconcileCalls } from '../../src/features/calls/reconciliation/reconcile-calls.ts'
import { newState, readState, writeState } from '../../src/features/calls/reconciliation/reconciliation-state.ts'
import { changePerson, readEntry } from '../../src/features/calls/worklist-entries/entry-store.ts'
import { listWorklist } from '../../src/features/calls/worklist/list-worklist.ts'
import { isoMoment } from '../../src/kernel/clock.ts'
import { newId } from '../../src/kernel/ids.ts'
import { createFakeTelephony } from '../harness/fake-telephony.ts'
import { createWiredDesk, type WiredDesk } from '../harness/wired-desk.ts'

/** The use cases of calls at the very moment, or the very number, from which on they do something else. */

let desk: WiredDesk
beforeAll(async () => {
  desk = await createWiredDesk()
})
afterAll(() => desk[Symbol.asyncDispose]())

const minute = 60_000

test('missed calls are compared from the beginning of the time on, not before', async () => {
  const began = desk.clock.now()
  await writeState(desk.calls, desk.workspaceId, newState(began))
  desk.clock.advance(5 * minute)
  const missed = [began - 1, began, began + 1].map((at, index) => ({
    ucid: newId(),
    phoneNumber: `+91981159200${index}`,
    did: null,
    agentId: null,
    at: isoMoment(at),
  }))
  const ports: CallPorts = { ...desk.calls, telephonyOf: async () => createFakeTelephony({ missedCalls: async () => missed }) }
  await reconcileCalls(ports, { workspaceId: desk.workspaceId, awaySince: 0 })
  expect(await readState(desk.calls, desk.workspaceId)).toMatchObject({ addedInAll: 2, completeUntil: desk.clock.now() - 5_000 })
})

test.each([
  [0, 5 * minute - 1, false],
  [0, 5 * minute, true],
  [minute, minute, false],
  [minute + 1, minute + 1, true],
])('a service that was away until %i ms after the last comparison compares %i ms after it: %s', async (awayMs, afterMs, isDue) => {
  const began = desk.clock.now()
  await writeState(desk.calls, desk.workspaceId, newState(began))
  desk.clock.advance(afterMs)
  const ports: CallPorts = { ...desk.calls, telephonyOf: async () => createFakeTelephony() }
  await reconcileCalls(ports, { workspaceId: desk.workspaceId, awaySince: began + awayMs })
  expect((await readState(desk.calls, desk.workspaceId))?.lastRunAt).toBe(isDue ? desk.clock.now() : began)
})

test('a worklist that takes several reads of the store shows each person once, also if somebody of the first is done on the platform', async () => {
  const actor = await desk.signIn('agent1@demo.example')
  const at = isoMoment(desk.clock.now())
  for (let index = 0; index < 203; index += 1) {
    const call = { ucid: newId(), phoneNumber: `+9198${String(40_000_000 + index)}`, did: null, campaignName: null, leadId: null, at }
    await addMissedCall(desk.calls, desk.workspaceId, call)
  }
  const callback = { ucid: newId(), at, scheduledAt: at, leadId: null, assigneeId: null, isWritten: true }
  await changePerson(desk.calls, { workspaceId: desk.workspaceId, phoneNumber: '+919840000300' }, (entry) => ({
    ...entry,
    callbacks: [callback],
  }))
  const ports: CallPorts = { ...desk.calls, callbackTasks: { ...desk.calls.callbackTasks, byIds: async () => new Map() } }
  const shown: string[] = []
  for (let after: string | null = null, isMore = true; isMore;) {
    const page = await listWorklist(ports, actor, { first: 200, includeLater: true, ...(after !== null && { after }) })
    shown.push(...page.nodes.map(({ entry }) => entry.phoneNumber))
    after = page.pageInfo.endCursor
    isMore = page.pageInfo.hasNextPage
  }
  expect([shown.length, new Set(shown).size]).toEqual([203, 203])
})

test('there is no entry with an id that is none', async () => {
  for (const id of ['', 'x', 'a:b']) expect(await readEntry(desk.calls, { workspaceId: desk.workspaceId, id })).toBeNull()
})
