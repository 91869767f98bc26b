import { afterAll, beforeAll, expect, test } from 'vitest'
import { logIn } from '../../src/features/auth/log-in.ts'
import { factsOf } from '../../src/features/calls/state/call-facts.ts'
import type { CallPorts } from '../../src/features/calls/state/call-ports.ts'
import { submitDisposition } from '../../src/features/calls/dispositions/submit-disposition.ts'
import { trackUpdate } from '../../src/features/calls/tracking/track-update.ts'
import { updateCall } from '../../src/features/calls/state/update-call.ts'
import { queuedRecords } from '../../src/features/calls/state/record-queue.ts'
import { writeRecords } from '../../src/features/calls/records/write-records.ts'
import { heartbeat } from '../../src/features/sessions/heartbeat.ts'
import { sessionTopic } from '../../src/features/sessions/session-events.ts'
import { isoMoment } from '../../src/kernel/clock.ts'
import { newId } from '../../src/kernel/ids.ts'
import { createLog } from '../../src/kernel/log.ts'
import type { ReportedCallFacts } from '../../src/ports/call-facts.ts'
import { sandboxPassword } from '../../src/sandbox/platform/seed.ts'
import { createFakeTelephony } from '../harness/fake-telephony.ts'
import { createWiredDesk, type WiredDesk } from '../harness/wired-desk.ts'
import { doDue } from '../harness/do-due.ts'

/** What a piece of work costs the store, an entry of the audit log included, the counters of rate limits not. A number that grows needs a reason. */

let desk: WiredDesk
let auth: WiredDesk['auth']
let calls: CallPorts
beforeAll(async () => {
  desk = await createWiredDesk()
  const telephony = desk.steps.around({ telephonyOf: async () => createFakeTelephony() })
  auth = { ...desk.auth, ...telephony }
  calls = { ...desk.calls, ...telephony }
})
afterAll(() => desk[Symbol.asyncDispose]())

const isCommand = (name: string): boolean => /^store\.|^audit\.record\b/.test(name)

async function commandsOf(run: () => Promise<unknown>): Promise<number> {
  const { settled, names } = await desk.steps.watch(run)
  if (settled.status === 'rejected') throw settled.reason
  return names.filter(isCommand).length
}

/** Until the answer has been sent, and the session lasts. */
async function signIn(): Promise<void> {
  const confirmed = Promise.withResolvers<void>()
  desk.ports.notifications.subscribe(sessionTopic, () => confirmed.resolve())
  const afterAnswer: ((sent: boolean) => void)[] = []
  const { signal } = new AbortController()
  const context = {
    origin: null,
    signal,
    log: createLog('silent'),
    clientAddress: '203.0.113.7',
    afterAnswer: (callback: (sent: boolean) => void) => void afterAnswer.push(callback),
    allowAtLeast: () => {},
    pausing: <Result>(wait: () => Promise<Result>) => wait(),
  }
  await logIn(auth, context, { email: 'agent1@demo.example', password: sandboxPassword, workspace: 'demo' })
  for (const callback of afterAnswer) callback(true)
  await confirmed.promise
}

test('of a sign-in and a heartbeat', async () => {
  const free = () => auth.store.delete(`sessions:${desk.workspaceId}:lock:agent1`)
  await signIn()
  await free()
  const agent = await desk.signIn('agent1@demo.example')
  const counted = { signIn: await commandsOf(signIn), heartbeat: await commandsOf(() => heartbeat(auth, agent)) }
  expect(counted).toEqual({ signIn: 14, heartbeat: 5 })
})

/** Ten calls that are due for their record. */
async function changeTen(startedAt: string): Promise<void> {
  for (let n = 0; n < 10; n += 1) {
    const facts = { direction: 'INBOUND', phoneNumber: `+9198200001${n}0`, startedAt } as const
    const origin = { source: 'LIVE', receivedAt: desk.clock.now() } as const
    await updateCall(calls, { workspaceId: desk.workspaceId, ucid: newId() }, factsOf(facts, origin))
  }
  desk.clock.advance(1_000)
}

test('of a call from ring to outcome', async () => {
  const agent = await desk.signIn('agent1@demo.example')
  await desk.beginSession(agent, 'agent1')
  const ucid = newId()
  const startedAt = isoMoment(desk.clock.now())
  const at = (seconds: number): string => isoMoment(Date.parse(startedAt) + seconds * 1_000)
  const report = (source: 'LIVE' | 'RECORD', more: ReportedCallFacts) => async (): Promise<void> => {
    desk.clock.advance(5_000)
    const facts = {
      direction: 'INBOUND',
      phoneNumber: '+919820000001',
      did: '+918049202040',
      agentId: 'agent1',
      startedAt,
      ...more,
    } as const
    const update = { about: 'CALL', ucid, source, facts, automaticDisposition: null } as const
    await trackUpdate(calls, { workspaceId: desk.workspaceId, provider: 'ozonetel', receivedAt: desk.clock.now(), update })
  }
  const ended = { answeredAt: at(5), answered: true, endedAt: at(60) }
  const counted = {
    ring: await commandsOf(report('LIVE', {})),
    answer: await commandsOf(report('LIVE', { answeredAt: at(5) })),
    end: await commandsOf(report('LIVE', ended)),
    record: await commandsOf(report('RECORD', { ...ended, recordingUrl: 'https://recordings.example/1.mp3' })),
    outcome: await commandsOf(() =>
      submitDisposition(calls, agent, { ucid, disposition: 'Information Given', notes: '', next: { state: 'READY' } }),
    ),
    written: await commandsOf(() => {
      desk.clock.advance(1_000)
      return doDue(writeRecords, calls)
    }),
    idle: await commandsOf(() => doDue(writeRecords, calls)),
    writtenTen: (await changeTen(startedAt), await commandsOf(() => doDue(writeRecords, calls))),
  }
  expect(counted).toEqual({ ring: 10, answer: 12, end: 13, record: 13, outcome: 21, written: 12, idle: 1, writtenTen: 21 })
  // A workspace without such calls is not looked at again and again.
  await writeRecords(calls).carryOver?.()
  expect(await queuedRecords.workspaces(calls)).toEqual([])
})
