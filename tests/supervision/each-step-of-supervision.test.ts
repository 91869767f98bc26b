import { afterAll, beforeAll, expect, test } from 'vitest'
import { factsOf } from '../../src/features/calls/state/call-facts.ts'
import { addCallFacts } from '../../src/features/calls/state/call-state-store.ts'
import { queueRecord } from '../../src/features/calls/state/record-queue.ts'
import { completeTodaysCalls } from '../../src/features/supervision/complete-todays-calls.ts'
import { computeOverview, readOverview } from '../../src/features/supervision/read-overview.ts'
import { rebuildDay } from '../../src/features/supervision/rebuild-day.ts'
import { createSupervisionState } from '../../src/features/supervision/supervision-state.ts'
import type { SupervisionPorts } from '../../src/features/supervision/supervision-ports.ts'
import { isoMoment } from '../../src/kernel/clock.ts'
import { clinicDayAt } from '../../src/kernel/clinic-day.ts'
import { newId } from '../../src/kernel/ids.ts'
import { failEachStep, type Outcomes } from '../harness/each-step.ts'
import { createWiredDesk, type WiredDesk } from '../harness/wired-desk.ts'

/** Every step of these use cases fails once. A failure that is in no list fails the use case with the same error. */

let desk: WiredDesk
let ports: SupervisionPorts
const stack = new AsyncDisposableStack()
beforeAll(async () => {
  desk = stack.use(await createWiredDesk())
  ports = { ...desk.auth, ...stack.use(createSupervisionState(desk.auth)) }
})
afterAll(() => stack.disposeAsync())

const outcomes = <Subject>(prepare: () => Promise<Subject>, run: (subject: Subject) => Promise<unknown>): Promise<Outcomes> =>
  failEachStep(desk.steps, { prepare, run })

/** The next day, with a call of it, none of which is complete. */
const nextDay = async () => {
  desk.clock.advance(86_400_000)
  const key = { workspaceId: desk.workspaceId, ucid: newId() }
  const at = isoMoment(desk.clock.now())
  const facts = { direction: 'INBOUND', phoneNumber: '+919811590001', startedAt: at, endedAt: at, answered: false } as const
  await addCallFacts(ports, key, factsOf(facts, { source: 'LIVE', receivedAt: desk.clock.now() }))
  await queueRecord(ports, key)
  return clinicDayAt(desk.clock.now(), 'Asia/Kolkata')
}

test("today's calls, of one workspace and of all", async () => {
  expect(await outcomes(nextDay, (day) => rebuildDay(ports, desk.workspaceId, day))).toEqual({})
  expect(await outcomes(nextDay, () => completeTodaysCalls(ports))).toEqual({
    tolerated: ['configuration.read platform', 'store.get supervision-stored-since:*'],
  })
})

test('the overview', async () => {
  // The slots are read again; the agents are not, because that takes as long as the platform takes.
  const later = async () => desk.clock.advance(16_000)
  const manager = await desk.signIn('manager@demo.example')
  await readOverview(ports, manager)
  expect(await outcomes(later, () => computeOverview(ports, desk.workspaceId))).toEqual({ tolerated: ['doctorDirectory.read'] })
})
