import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  addMissedCall,
  countWaitingCalls,
  linkMissedCall,
  listMissedCalls,
  markCalledBack,
  removeMissedCall,
} from '../../src/features/calls/missed-calls/missed-call-store.ts'
import { factsOf } from '../../src/features/calls/state/call-facts.ts'
import { addCallFacts } from '../../src/features/calls/state/call-state-store.ts'
import { type NewCallback, scheduleCallback } from '../../src/features/calls/worklist-entries/scheduled-callbacks.ts'
import { changeEntry, checkClaims, entryIdOf, readEntry } from '../../src/features/calls/worklist-entries/entry-store.ts'
import { dueAtOf } from '../../src/features/calls/worklist-entries/entry.ts'
import { bindClaim, claimEntry, takeClaim } from '../../src/features/calls/worklist/claim-entry.ts'
import { giveBackEntry } from '../../src/features/calls/worklist/give-back-entry.ts'
import { readAgent } from '../../src/features/sessions/read-agent.ts'
import { finishEntry } from '../../src/features/calls/worklist/finish-entry.ts'
import { listWorklist } from '../../src/features/calls/worklist/list-worklist.ts'
import { noteReached, readReached } from '../../src/features/calls/worklist-entries/last-reached.ts'
import { assignEntry, scheduleEntry } from '../../src/features/calls/worklist/plan-entry.ts'
import { queuedTaskWrites, queueTaskDone, taskIdOf, taskWrites } from '../../src/features/calls/worklist-entries/task-queue.ts'
import { writeTasks } from '../../src/features/calls/worklist/write-tasks.ts'
import { readAgentStates, addAgentActivity } from '../../src/features/calls/agent-state/agent-state-store.ts'
import { confirmNotices, readNotices, sendNotice } from '../../src/features/sessions/agent-notices.ts'
import { liveSessions } from '../../src/features/sessions/list-sessions.ts'
import { scheduleCheck } from '../../src/features/sessions/session-checks.ts'
import { takeLock } from '../../src/features/sessions/session-lock.ts'
import { writeSessionRecord } from '../../src/features/sessions/session-records.ts'
import { AppError } from '../../src/kernel/errors.ts'
import { newId } from '../../src/kernel/ids.ts'
import type { CallbackTask, CallbackTasks } from '../../src/ports/callback-tasks.ts'
import type { Store } from '../../src/ports/store.ts'
import { type CallsDesk, createCallsDesk } from '../harness/calls-desk.ts'
import { createTestClock, type TestClock } from '../harness/clock.ts'
import { failingStore } from '../harness/failing-store.ts'
import { doDue } from '../harness/do-due.ts'

const phoneNumber = '+919811400001'
const day = 86_400_000

let clock: TestClock
let desk: CallsDesk
beforeEach(async () => {
  clock = createTestClock()
  desk = await createCallsDesk({ clock })
})
afterEach(() => desk[Symbol.asyncDispose]())

const ports = (store: Store = desk.store) => ({ ...desk.callPorts, clock, store })
const inMs = (ms: number): string => new Date(clock.now() + ms).toISOString()
const keyOf = (number = phoneNumber) => ({ workspaceId: desk.workspaceId, id: entryIdOf(desk.workspaceId, number) })
const waiting = async () => (await countWaitingCalls(ports(), desk.workspaceId)).count

async function miss(ucid: string, at = inMs(0)): Promise<void> {
  await addMissedCall(ports(), desk.workspaceId, { ucid, phoneNumber, did: null, campaignName: null, leadId: null, at })
}
async function addCallback(ucid: string, leadId: string | null = null): Promise<void> {
  const callback = { ucid, phoneNumber, at: inMs(3_600_000), scheduledAt: inMs(0), leadId, assignee: null, isCorrection: false }
  await scheduleCallback(ports(), desk.workspaceId, callback)
}

/** The tasks that were written, and tries of all kinds. */
function recordedTasks(refuse = false) {
  const done = new Set<string>()
  const seen = { tries: 0, done }
  const write = async (id: string, status: string | undefined): Promise<void> => {
    seen.tries += 1
    if (refuse) throw new AppError('PROVIDER_REFUSED')
    if (status === 'DONE') done.add(id)
  }
  const callbackTasks: CallbackTasks = {
    create: async (_access, { id, status }) => (await write(id, status), { created: true }),
    update: (_access, id, { status }) => write(id, status),
    byIds: async () => new Map(),
  }
  return { seen, callbackTasks }
}

test.each(['missed-call:', 'missed-calls-waiting:', 'callback-task'])(
  'a call that reached the person settles everything, although the store failed halfway at %s',
  async (area) => {
    await miss('one')
    await addCallback('two')
    const { seen, callbackTasks } = recordedTasks()
    await doDue(writeTasks, { ...ports(), callbackTasks })
    clock.advance(60_000)
    const reached = { ucid: 'three', at: inMs(0), phoneNumber, isOutbound: true, agentId: null }
    const failing = failingStore(desk.store, (key) => key.startsWith(area))
    await expect(markCalledBack(ports(failing), desk.workspaceId, reached)).rejects.toMatchObject({ reason: 'STORE_UNAVAILABLE' })
    // The webhook is processed again.
    await markCalledBack(ports(), desk.workspaceId, reached)
    await doDue(writeTasks, { ...ports(), callbackTasks })
    expect([await waiting(), seen.done.size]).toEqual([0, 1])
    expect(await readEntry(ports(), keyOf())).toMatchObject({ closed: { outcome: 'REACHED' } })
  },
)

test.each(['missed-call:', 'missed-calls-waiting:', 'callback-task'])(
  'closing an entry again settles what the first time left, because the store failed halfway at %s',
  async (area) => {
    await miss('one')
    await addCallback('two')
    const { seen, callbackTasks } = recordedTasks()
    await doDue(writeTasks, { ...ports(), callbackTasks })
    const actor = await desk.signIn('agent1@demo.example')
    const request = { id: keyOf().id, outcome: 'NOT_NEEDED' } as const
    const failing = failingStore(desk.store, (key) => key.startsWith(area))
    await expect(finishEntry(ports(failing), actor, request)).rejects.toMatchObject({ reason: 'STORE_UNAVAILABLE' })
    await finishEntry(ports(), actor, request)
    await doDue(writeTasks, { ...ports(), callbackTasks })
    expect([await waiting(), seen.done.size]).toEqual([0, 1])
    const audited = await desk.callPorts.audit.read(desk.workspaceId, { limit: 10 })
    expect(JSON.stringify(audited).split('worklist.finished').length - 1).toBe(1)
  },
)

test('a lead that a missed call gets while it is marked as called back is not lost', async () => {
  await miss('one')
  const { workspaceId } = desk
  let isLinked = false
  const store: Store = {
    ...desk.store,
    get: async (key) => {
      const value = await desk.store.get(key)
      if (key === `missed-call:${workspaceId}:one` && !isLinked) {
        isLinked = true
        await linkMissedCall(ports(), { workspaceId, ucid: 'one' }, 'the-lead')
      }
      return value
    },
  }
  clock.advance(1_000)
  await markCalledBack(ports(store), workspaceId, { ucid: 'two', at: inMs(0), phoneNumber, isOutbound: true, agentId: null })
  const {
    nodes: [item],
  } = await listMissedCalls(ports(), workspaceId, { first: 1, waitingOnly: false })
  expect(item).toMatchObject({ ucid: 'one', leadId: 'the-lead', calledBackUcid: 'two' })
})

test('a person whom a manager scheduled for a later month is still listed then', async () => {
  await miss('one')
  const actor = await desk.signIn('manager@demo.example')
  await scheduleEntry(ports(), actor, { id: keyOf().id, dueAt: inMs(300 * day) })
  clock.advance(299 * day)
  expect((await listWorklist(ports(), actor, { first: 10, includeLater: false })).nodes).toEqual([])
  clock.advance(2 * day)
  expect((await listWorklist(ports(), actor, { first: 10, includeLater: false })).nodes).toHaveLength(1)
})

test('a task that another version of the service has queued in another form holds up no other', async () => {
  const member = JSON.stringify([desk.workspaceId, 'of-tomorrow'])
  await desk.store.set(`callback-task:${member}`, '{"version":2}', { ttlMs: 7 * day })
  await queuedTaskWrites.add(ports(), { workspaceId: desk.workspaceId, id: 'of-tomorrow' }, clock.now())
  await addCallback('one', 'a-lead')
  const { seen, callbackTasks } = recordedTasks()
  const leadRecords = { ...desk.callPorts.leadRecords, byId: async () => null }
  expect([await doDue(writeTasks, { ...ports(), callbackTasks, leadRecords }), seen.tries]).toEqual([1, 1])
  clock.advance(8 * day)
  await doDue(writeTasks, { ...ports(), callbackTasks, leadRecords })
  expect(await queuedTaskWrites.items.range(ports(), desk.workspaceId, { limit: 10 })).toEqual([])
})

test('what another version of the service has stored in another form hides no person, missed call, agent or notice', async () => {
  const { workspaceId, store } = desk
  const keep = { ttlMs: day }
  const foreign = newId()
  await miss('one')
  await store.set(`missed-call:${workspaceId}:${foreign}`, '{"version":2}', keep)
  await store.sortedAdd(`missed-calls:${workspaceId}`, foreign, clock.now())
  await store.set(`worklist-entry:${workspaceId}:${foreign}`, '{"version":2}', keep)
  await store.sortedAdd(`worklist:${workspaceId}`, foreign, clock.now())
  const actor = await desk.signIn('manager@demo.example')
  expect((await listMissedCalls(ports(), workspaceId, { first: 10, waitingOnly: false })).nodes.map(({ ucid }) => ucid)).toEqual(['one'])
  expect((await listWorklist(ports(), actor, { first: 10, includeLater: false })).nodes).toHaveLength(1)

  const since = inMs(0)
  const activity = { state: 'READY', reason: null, since, receivedAt: clock.now() } as const
  await addAgentActivity(ports(), { workspaceId, agentId: 'a1' }, activity)
  await store.set(`agent-presence:${workspaceId}:a2`, '{"version":2}', keep)
  await store.sortedAdd(`agents-reported:${workspaceId}`, 'a2', clock.now())
  expect([...(await readAgentStates(ports(), workspaceId)).keys()]).toEqual(['a1'])
  for (const providerAgentId of ['a1', 'a2']) {
    const lock = { memberId: 'm1', ip: '203.0.113.7', lockedAt: since }
    await takeLock(store, { agentKey: { workspaceId, providerAgentId }, lock })
    await scheduleCheck(store, { workspaceId, providerAgentId }, clock.now())
    await store.set(`sessions:${workspaceId}:record:${providerAgentId}`, '{"version":2}', keep)
  }
  const record = { agentId: 'r1', agentName: 'Asha', memberId: 'm1', lockedAt: since, credentials: null, isOver: false, takenOverBy: null }
  await writeSessionRecord(ports(), { workspaceId, providerAgentId: 'a1' }, record)
  const sessions = await liveSessions(ports(), workspaceId)
  expect(sessions.map(({ agentName }) => agentName).toSorted((a, b) => a.localeCompare(b))).toEqual(['a2', 'Asha'])

  const member = { workspaceId, memberId: 'm1' }
  await sendNotice(ports(), actor, { memberId: 'm1', kind: 'STATE_CHANGED', state: 'READY' })
  await store.sortedAdd(`agent-notices:${workspaceId}:m1`, '{"kind":"TRAINING"}', clock.now())
  const [notice] = await readNotices(ports(), member)
  expect(notice?.kind).toBe('STATE_CHANGED')
  expect(await confirmNotices(ports(), member, [notice?.id ?? ''])).toEqual([])
})

test('a task that the platform refuses is written again ever more rarely', async () => {
  await addCallback('one', 'a-lead')
  const { seen, callbackTasks } = recordedTasks(true)
  const leadRecords = { ...desk.callPorts.leadRecords, byId: async () => null }
  for (let elapsed = 0; elapsed < day; elapsed += 15_000) {
    await doDue(writeTasks, { ...ports(), callbackTasks, leadRecords })
    clock.advance(15_000)
  }
  expect(seen.tries).toBeGreaterThan(50)
  expect(seen.tries).toBeLessThan(200)
})

test("a callback that was scheduled in a call stays, although the provider's clock is ahead of ours", async () => {
  const ahead = { ucid: 'one', at: inMs(180_000), phoneNumber, isOutbound: true, agentId: null }
  await markCalledBack(ports(), desk.workspaceId, ahead)
  await addCallback('one')
  expect((await readEntry(ports(), keyOf()))?.callbacks).toHaveLength(1)
  await markCalledBack(ports(), desk.workspaceId, ahead)
  expect(await readEntry(ports(), keyOf())).toMatchObject({ callbacks: [{ ucid: 'one' }], closed: null })
})

test('a claim that had ended by its time is neither ended nor overridden by others', async () => {
  await miss('one')
  const [first, second] = [await desk.signIn('agent1@demo.example'), await desk.signIn('agent2@demo.example')]
  const agent = await readAgent(ports(), second)
  await claimEntry(ports(), first, keyOf().id)
  clock.advance(day)
  await giveBackEntry(ports(), second, { id: keyOf().id })
  await claimEntry(ports(), first, keyOf().id)
  clock.advance(day)
  if (agent) await takeClaim(ports(), second, { agent, id: keyOf().id, overrides: true })
  expect(await readEntry(ports(), keyOf())).toMatchObject({ claim: { memberId: second.principal.memberId } })
  expect(await desk.callPorts.audit.read(desk.workspaceId, { limit: 10 })).toEqual([])
})

test('a manager does not end the claim of a call that began while they asked', async () => {
  await miss('one')
  const [agent, manager] = await Promise.all(['agent1@demo.example', 'manager@demo.example'].map((email) => desk.signIn(email)))
  if (!agent || !manager) throw new Error('not signed in')
  const { workspaceId, id } = keyOf()
  const answered = { direction: 'OUTBOUND', startedAt: inMs(0), answeredAt: inMs(0) } as const
  await addCallFacts(ports(), { workspaceId, ucid: 'live' }, factsOf(answered, { source: 'LIVE', receivedAt: clock.now() }))
  const bound = (): Store => {
    let isBound = false
    return {
      ...desk.store,
      get: async (key) => {
        const value = await desk.store.get(key)
        if (key === `worklist-entry:${workspaceId}:${id}` && !isBound) {
          isBound = true
          await bindClaim(ports(), keyOf(), { memberId: agent.principal.memberId, ucid: 'live' })
        }
        return value
      },
    }
  }
  const asManager = { ...manager, principal: { ...manager.principal, role: 'MANAGER' as const } }
  for (const end of [
    (own: ReturnType<typeof ports>) => giveBackEntry(own, asManager, { id }),
    (own: ReturnType<typeof ports>) => assignEntry(own, asManager, { id, agentId: null, endClaim: true }),
  ]) {
    await bindClaim(ports(), keyOf(), { memberId: agent.principal.memberId, ucid: 'over' })
    await claimEntry(ports(), agent, id)
    await expect(end(ports(bound()))).rejects.toMatchObject({ reason: 'WRONG_STATE' })
    expect(await readEntry(ports(), keyOf())).toMatchObject({ claim: { memberId: agent.principal.memberId, ucid: 'live' } })
  }
})

test('the audit log has nothing of what the store did not make', async () => {
  await miss('one')
  const [agent, manager] = await Promise.all(['agent1', 'manager'].map((name) => desk.signIn(`${name}@demo.example`)))
  if (!agent || !manager) throw new Error('both sign in')
  const { id } = keyOf()
  const { claim } = await claimEntry(ports(), agent, id)
  const asManager = { ...manager, principal: { ...manager.principal, role: 'MANAGER' as const } }
  const audited = () => desk.callPorts.audit.read(desk.workspaceId, { limit: 10 })
  const before = await audited()
  const unrecorded = ports({ ...desk.store, compareAndSet: () => Promise.reject(new AppError('STORE_UNAVAILABLE')) })
  const acts = [
    giveBackEntry(unrecorded, asManager, { id }),
    assignEntry(unrecorded, asManager, { id, agentId: null, endClaim: true }),
    scheduleEntry(unrecorded, asManager, { id, dueAt: inMs(day) }),
    finishEntry(unrecorded, asManager, { id, outcome: 'NOT_NEEDED' }),
  ]
  for (const act of acts) await expect(act).rejects.toMatchObject({ reason: 'STORE_UNAVAILABLE' })
  expect(await readEntry(ports(), keyOf())).toMatchObject({ claim, closed: null })
  expect(await audited()).toEqual(before)
})

test('while the call of a claim is being made, nobody else gets the person', async () => {
  await miss('one')
  const [first, second] = await Promise.all(['agent1@demo.example', 'agent2@demo.example'].map((email) => desk.signIn(email)))
  if (!first || !second) throw new Error('not signed in')
  const [agent, other] = await Promise.all([first, second].map((actor) => readAgent(ports(), actor)))
  if (!agent || !other) throw new Error('no agents')
  const { id } = keyOf()
  const manager = { ...second, principal: { ...second.principal, role: 'MANAGER' as const } }
  const ways = [
    () => giveBackEntry(ports(), first, { id }),
    () => giveBackEntry(ports(), manager, { id }),
    () => assignEntry(ports(), manager, { id, agentId: null, endClaim: true }),
    () => takeClaim(ports(), manager, { agent: other, id, overrides: true, dials: true }),
  ]
  await takeClaim(ports(), first, { agent, id, dials: true })
  await claimEntry(ports(), first, id)
  for (const way of ways) await expect(way()).rejects.toMatchObject({ reason: 'WRONG_STATE' })
  await bindClaim(ports(), keyOf(), { memberId: first.principal.memberId, ucid: 'over' })
  await giveBackEntry(ports(), manager, { id })
  // A dialling that died holds the person for seconds only.
  await takeClaim(ports(), first, { agent, id, dials: true })
  clock.advance(24_000)
  await expect(ways[3]?.()).rejects.toMatchObject({ reason: 'WRONG_STATE' })
  clock.advance(1_000)
  expect(await takeClaim(ports(), manager, { agent: other, id, overrides: true, dials: true })).not.toBeNull()
})

test('two who do the same with a person at once are audited once', async () => {
  const [one, two] = await Promise.all(['agent1', 'manager'].map((name) => desk.signIn(`${name}@demo.example`)))
  if (!one || !two) throw new Error('both sign in')
  const managers = [one, two].map((actor) => ({ ...actor, principal: { ...actor.principal, role: 'MANAGER' as const } }))
  const { id } = keyOf()
  await miss('one')
  const agent = await desk.signIn('agent2@demo.example')
  await claimEntry(ports(), agent, id)
  await Promise.all(managers.map((actor) => giveBackEntry(ports(), actor, { id })))
  await Promise.all(managers.map((actor) => finishEntry(ports(), actor, { id, outcome: 'NOT_NEEDED' })))
  const audited = await desk.callPorts.audit.read(desk.workspaceId, { limit: 10 })
  expect(audited.map(({ action }) => action)).toEqual(['worklist.finished', 'worklist.claimEnded'])
})

test('a claim ends in the moment that it names', async () => {
  await miss('one')
  const [first, second] = await Promise.all(['agent1@demo.example', 'agent2@demo.example'].map((email) => desk.signIn(email)))
  if (!first || !second) throw new Error('not signed in')
  const { claim } = await claimEntry(ports(), first, keyOf().id)
  clock.advance(Date.parse(claim?.until ?? '') - clock.now() - 1)
  await expect(claimEntry(ports(), second, keyOf().id)).rejects.toMatchObject({ reason: 'ALREADY_CLAIMED' })
  clock.advance(1)
  expect(await claimEntry(ports(), second, keyOf().id)).toMatchObject({ claim: { memberId: second.principal.memberId } })
})

test('a callback that is scheduled in the moment in which the person is reached stays', async () => {
  await miss('one')
  await markCalledBack(ports(), desk.workspaceId, { ucid: 'two', at: inMs(0), phoneNumber, isOutbound: true, agentId: null })
  await addCallback('three')
  expect(await readEntry(ports(), keyOf())).toMatchObject({ callbacks: [{ ucid: 'three' }], closed: null })
})

test('of two calls that reached a person in the same moment the first counts, and a callback of that moment stays', async () => {
  const reached = { ucid: 'first', at: inMs(0), isOutbound: true, agentId: null }
  await noteReached(ports(), keyOf(), reached)
  await noteReached(ports(), keyOf(), { ...reached, ucid: 'second' })
  expect(await readReached(ports(), keyOf())).toEqual(reached)
  await addCallback('three')
  expect(await readEntry(ports(), keyOf())).toMatchObject({ callbacks: [{ ucid: 'three' }] })
})

test('a person is due from the very moment on, which a manager sets within five minutes ago and a year ahead', async () => {
  const actor = await desk.signIn('manager@demo.example')
  await addCallback('one')
  const due = async () => (await listWorklist(ports(), actor, { first: 5, includeLater: false })).nodes.length
  clock.advance(3_600_000 - 1)
  expect(await due()).toBe(0)
  clock.advance(1)
  expect(await due()).toBe(1)
  const schedule = (ms: number) => scheduleEntry(ports(), actor, { id: keyOf().id, dueAt: inMs(ms) })
  for (const ms of [-5 * 60_000, 365 * day]) expect(await schedule(ms)).toMatchObject({ dueAt: inMs(ms) })
  for (const ms of [-5 * 60_000 - 1, 365 * day + 1]) await expect(schedule(ms)).rejects.toMatchObject({ reason: 'INVALID_INPUT' })
})

test('a callback replaces the time that was set, also while missed calls wait', async () => {
  const actor = await desk.signIn('manager@demo.example')
  await miss('one', inMs(0))
  await scheduleEntry(ports(), actor, { id: keyOf().id, dueAt: inMs(day) })
  const callback = {
    ucid: 'two',
    phoneNumber,
    leadId: null,
    assignee: null,
    at: inMs(3_600_000),
    scheduledAt: inMs(0),
    isCorrection: false,
  }
  await scheduleCallback(ports(), desk.workspaceId, callback)
  const entry = await readEntry(ports(), keyOf())
  expect(entry && dueAtOf(entry)).toBe(callback.at)
})

test('a later missed call or callback replaces the time that was set; a repetition does not', async () => {
  const actor = await desk.signIn('manager@demo.example')
  const { id } = keyOf()
  const missedAt = inMs(0)
  await miss('one', missedAt)
  const dueAt = async () => {
    const entry = await readEntry(ports(), keyOf())
    return entry && dueAtOf(entry)
  }
  const moved = inMs(30 * day)
  await scheduleEntry(ports(), actor, { id, dueAt: moved })
  await miss('one', missedAt)
  expect(await dueAt()).toBe(moved)
  clock.advance(day)
  await miss('two')
  expect(await dueAt()).toBe(missedAt)
  await markCalledBack(ports(), desk.workspaceId, { ucid: 'three', at: inMs(0), phoneNumber, isOutbound: true, agentId: null })
  const callback = {
    ucid: 'three',
    phoneNumber,
    leadId: null,
    assignee: null,
    at: inMs(7_200_000),
    scheduledAt: inMs(0),
    isCorrection: false,
  }
  const schedule = (more: Partial<typeof callback> = {}) => scheduleCallback(ports(), desk.workspaceId, { ...callback, ...more })
  await schedule()
  await scheduleEntry(ports(), actor, { id, dueAt: inMs(3_600_000) })
  await schedule()
  expect(await dueAt()).toBe(inMs(3_600_000))
  expect(await readEntry(ports(), keyOf())).toMatchObject({ callbacks: [{ ucid: 'three', at: inMs(3_600_000) }] })
  clock.advance(1_000)
  const corrected = inMs(day)
  await schedule({ at: corrected, scheduledAt: inMs(0), isCorrection: true })
  expect(await dueAt()).toBe(corrected)
})

test('the call of a claim rings for ten minutes at most', async () => {
  await miss('one')
  const startedAt = inMs(0)
  const call = { workspaceId: desk.workspaceId, ucid: 'ringing' }
  await addCallFacts(ports(), call, factsOf({ direction: 'OUTBOUND', startedAt }, { source: 'OWN', receivedAt: clock.now() }))
  const entry = await readEntry(ports(), keyOf())
  if (!entry) throw new Error('the call was missed')
  const claim = { memberId: 'm', agentId: 'a', name: 'n', claimedAt: startedAt, until: startedAt, ucid: 'ringing', dialsUntil: null }
  const isLive = async () => (await checkClaims(ports(), desk.workspaceId, [{ ...entry, claim }])).liveUcids.has('ringing')
  clock.advance(10 * 60_000 - 1)
  expect(await isLive()).toBe(true)
  clock.advance(1)
  expect(await isLive()).toBe(false)
})

const numbered = (index: number): string => `+91981140100${index}`
async function missEach(times: readonly number[]): Promise<void> {
  for (const [index, ms] of times.entries()) {
    const call = { ucid: `call-${index}`, phoneNumber: numbered(index), did: null, campaignName: null, leadId: null, at: inMs(ms) }
    await addMissedCall(ports(), desk.workspaceId, call)
  }
}

test('pages of missed calls neither repeat nor skip one, whatever is added or removed meanwhile', async () => {
  await missEach([0, 0, 0, 1, 1, 2, 3])
  const page = (first: number, after: string | null = null) =>
    listMissedCalls(ports(), desk.workspaceId, { first, after, waitingOnly: false })
  const ucids = ({ nodes }: Awaited<ReturnType<typeof page>>) => nodes.map(({ ucid }) => ucid)
  const newestFirst = ['call-6', 'call-5', 'call-4', 'call-3', 'call-2', 'call-1', 'call-0']
  expect(ucids(await page(7))).toEqual(newestFirst)
  expect([(await page(7)).pageInfo.hasNextPage, (await page(6)).pageInfo.hasNextPage]).toEqual([false, true])
  const first = await page(5)
  await addMissedCall(ports(), desk.workspaceId, { ucid: 'newer', phoneNumber, did: null, campaignName: null, leadId: null, at: inMs(4) })
  // Also the call of the cursor.
  for (const ucid of ['call-6', 'call-2']) await removeMissedCall(ports(), { workspaceId: desk.workspaceId, ucid })
  const second = await page(2, first.pageInfo.endCursor)
  expect([ucids(first), ucids(second)]).toEqual([newestFirst.slice(0, 5), newestFirst.slice(5)])
  expect([first.pageInfo.hasPreviousPage, second.pageInfo]).toMatchObject([false, { hasPreviousPage: true, hasNextPage: false }])
  expect(second.edges.map(({ node }) => node.ucid)).toEqual(ucids(second))
  expect(second.pageInfo.startCursor).toBe(second.edges[0]?.cursor)
  expect(await page(2, second.pageInfo.endCursor)).toMatchObject({ nodes: [], pageInfo: { endCursor: null, hasNextPage: false } })
})

test('a page of the worklist begins behind the one before; a person who is moved between them comes at the new place', async () => {
  await missEach([-6, -5, -5, -5, -4, -3])
  const actor = await desk.signIn('manager@demo.example')
  const page = (first: number, after: string | null = null) => listWorklist(ports(), actor, { first, after, includeLater: true })
  const people = ({ nodes }: Awaited<ReturnType<typeof page>>) => nodes.map(({ entry }) => entry.phoneNumber)
  const all = people(await page(6))
  expect([all[0], all[4], all[5], (await page(6)).pageInfo.hasNextPage]).toEqual([numbered(0), numbered(4), numbered(5), false])
  const first = await page(3)
  expect([people(first), first.pageInfo.hasNextPage]).toEqual([all.slice(0, 3), true])
  // One of the first page moves behind all others, and one of the next page is no longer to be called.
  await scheduleEntry(ports(), actor, { id: keyOf(numbered(0)).id, dueAt: inMs(day) })
  await markCalledBack(ports(), desk.workspaceId, { ucid: 'later', phoneNumber: numbered(4), at: inMs(0), isOutbound: true, agentId: null })
  const second = await page(3, first.pageInfo.endCursor)
  expect([people(second), second.pageInfo.hasNextPage]).toEqual([[all[3], numbered(5), numbered(0)], false])
})

test('a disposition that is repeated after the person was called back schedules no second one', async () => {
  await addCallback('one')
  clock.advance(1_000)
  await markCalledBack(ports(), desk.workspaceId, { ucid: 'two', phoneNumber, at: inMs(0), isOutbound: true, agentId: null })
  expect(await readEntry(ports(), keyOf())).toMatchObject({ callbacks: [], closed: { ucid: 'two' } })
  const callback = {
    ucid: 'one',
    phoneNumber,
    at: inMs(3_600_000),
    scheduledAt: inMs(-1_000),
    leadId: null,
    assignee: null,
    isCorrection: false,
  }
  await scheduleCallback(ports(), desk.workspaceId, callback)
  expect(await readEntry(ports(), keyOf())).toMatchObject({ callbacks: [], closed: { ucid: 'two' } })
})

/** The platform's tasks, which a test changes in place. Those whose ids are `hidden` only the service sees. */
function platformTasks() {
  const tasks = new Map<string, CallbackTask>()
  const hidden = new Set<string>()
  const state = { isServiceAway: false, sizes: new Array<number>() }
  const callbackTasks: CallbackTasks = {
    async create(_access, { id, dueAt = null, assigneeId = null }) {
      const created = !tasks.has(id)
      if (created) tasks.set(id, { isDone: false, dueAt, assigneeId })
      return { created }
    },
    async update(_access, id, { dueAt, assigneeId, status }) {
      const known = tasks.get(id)
      if (!known) return
      const isDone = status === undefined ? known.isDone : status === 'DONE'
      tasks.set(id, { isDone, dueAt: dueAt ?? known.dueAt, assigneeId: assigneeId === undefined ? known.assigneeId : assigneeId })
    },
    async byIds(access, ids) {
      state.sizes.push(ids.length)
      if (access.kind === 'SERVICE' && state.isServiceAway) throw new AppError('OVERLOADED')
      return new Map([...tasks].filter(([id]) => ids.includes(id) && (access.kind === 'SERVICE' || !hidden.has(id))))
    },
  }
  const leadRecords = { ...desk.callPorts.leadRecords, byId: async () => null }
  const own = (store?: Store) => ({ ...ports(store), callbackTasks, leadRecords })
  return { tasks, hidden, state, own }
}
const taskId = (ucid: string) => taskIdOf({ workspaceId: desk.workspaceId, ucid })

test('a member whose role sees only some tasks removes no callback; one that is gone for the service too is removed', async () => {
  const { tasks, hidden, state, own } = platformTasks()
  const actor = await desk.signIn('agent1@demo.example')
  await addCallback('one', 'a-lead')
  await doDue(writeTasks, own())
  hidden.add(taskId('one'))
  const callbacks = async () => {
    await listWorklist(own(), actor, { first: 10, includeLater: true })
    return (await readEntry(ports(), keyOf()))?.callbacks.length
  }
  expect(await callbacks()).toBe(1)
  tasks.delete(taskId('one'))
  state.isServiceAway = true
  expect(await callbacks()).toBe(1)
  state.isServiceAway = false
  expect(await callbacks()).toBe(0)
})

test('a read of tasks with the rights of the service leaves requests to what is written, and is cancelled when nobody waits', async () => {
  const { hidden, own } = platformTasks()
  const actor = await desk.signIn('agent1@demo.example')
  await addCallback('one', 'a-lead')
  await doDue(writeTasks, own())
  hidden.add(taskId('one'))
  const reads: { lane: string; signal: AbortSignal | undefined }[] = []
  const { callbackTasks } = own()
  const slow: CallbackTasks = {
    ...callbackTasks,
    async byIds(access, ids, signal) {
      if (access.kind === 'PERSON') return callbackTasks.byIds(access, ids)
      reads.push({ lane: access.lane, signal })
      return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new AppError('DEADLINE_PASSED'))))
    },
  }
  await listWorklist({ ...own(), callbackTasks: slow }, actor, { first: 10, includeLater: true })
  expect(reads).toMatchObject([{ lane: 'RETRIES', signal: { aborted: true } }])
  expect(await readEntry(ports(), keyOf())).toMatchObject({ callbacks: [{ ucid: 'one' }] })
})

test('a late report of a call that was missed before a person was scheduled does not change when they are due', async () => {
  const actor = await desk.signIn('manager@demo.example')
  await miss('one')
  const before = inMs(1_000)
  clock.advance(60_000)
  const dueAt = inMs(day)
  await scheduleEntry(ports(), actor, { id: keyOf().id, dueAt })
  await miss('late', before)
  expect(await readEntry(ports(), keyOf())).toMatchObject({ dueAt, missed: [{ ucid: 'one' }, { ucid: 'late' }] })
  clock.advance(1_000)
  await miss('after')
  expect(await readEntry(ports(), keyOf())).toMatchObject({ dueAt: null, dueSetAt: null })
})

const scheduled = (ucid: string, more: Partial<NewCallback> = {}): NewCallback => ({
  ucid,
  phoneNumber,
  at: inMs(3_600_000),
  scheduledAt: inMs(0),
  leadId: 'a-lead',
  assignee: null,
  isCorrection: false,
  ...more,
})

test('a disposition that is repeated changes neither who has the person nor when they are due, and reopens nobody', async () => {
  const { tasks, own } = platformTasks()
  const [actor, other] = await Promise.all(['manager@demo.example', 'agent2@demo.example'].map((email) => desk.signIn(email)))
  const agent = other && (await readAgent(ports(), other))
  if (!actor || !agent) throw new Error('both sign in')
  const first = scheduled('one', { assignee: { memberId: newId(), agentId: null, name: 'First' } })
  await scheduleCallback(ports(), desk.workspaceId, first)
  await doDue(writeTasks, own())
  const { id } = keyOf()
  const asManager = { ...actor, principal: { ...actor.principal, role: 'MANAGER' as const } }
  await assignEntry(ports(), asManager, { id, agentId: agent.record.id })
  await scheduleEntry(ports(), asManager, { id, dueAt: inMs(day) })
  const planned = await readEntry(ports(), keyOf())
  await scheduleCallback(ports(), desk.workspaceId, first)
  expect(await readEntry(ports(), keyOf())).toEqual(planned)
  await doDue(writeTasks, own())
  expect(tasks.get(taskId('one'))).toEqual({ isDone: false, dueAt: inMs(day), assigneeId: other.principal.memberId })
  clock.advance(1_000)
  const finished = await finishEntry(ports(), actor, { id, outcome: 'NOT_NEEDED' })
  await scheduleCallback(ports(), desk.workspaceId, first)
  expect(await readEntry(ports(), keyOf())).toEqual(finished)
})

test('a callback whose first attempt comes late is added although the person was finished meanwhile; a repetition adds it no second time', async () => {
  const { tasks, own } = platformTasks()
  const actor = await desk.signIn('agent1@demo.example')
  const { id } = keyOf()
  await miss('earlier')
  const late = scheduled('one')
  clock.advance(15_000)
  await finishEntry(ports(), actor, { id, outcome: 'NOT_NEEDED' })
  await scheduleCallback(ports(), desk.workspaceId, late)
  await doDue(writeTasks, own())
  expect(await readEntry(ports(), keyOf())).toMatchObject({ callbacks: [{ ucid: 'one', isWritten: true }], closed: null })
  expect(tasks.get(taskId('one'))).toMatchObject({ isDone: false })
  await finishEntry(ports(), actor, { id, outcome: 'NOT_NEEDED' })
  // The person is open again for another reason.
  await miss('next')
  const open = await readEntry(ports(), keyOf())
  await scheduleCallback(ports(), desk.workspaceId, late)
  expect(await readEntry(ports(), keyOf())).toEqual(open)
  expect(open?.callbacks).toEqual([])
})

test('a correction that is repeated opens neither a task that was completed meanwhile nor a finished person', async () => {
  const { tasks, own } = platformTasks()
  const actor = await desk.signIn('agent1@demo.example')
  await scheduleCallback(ports(), desk.workspaceId, scheduled('one'))
  await doDue(writeTasks, own())
  clock.advance(1_000)
  const correction = scheduled('one', { at: inMs(day), isCorrection: true })
  const noQueue = failingStore(desk.store, (key) => key.startsWith('callback-task'))
  await expect(scheduleCallback(ports(noQueue), desk.workspaceId, correction)).rejects.toMatchObject({ reason: 'STORE_UNAVAILABLE' })
  // The process died before it queued the change: the repetition makes it.
  await scheduleCallback(ports(), desk.workspaceId, correction)
  await doDue(writeTasks, own())
  expect(tasks.get(taskId('one'))).toMatchObject({ dueAt: correction.at })
  const completed = { isDone: true, dueAt: correction.at, assigneeId: null }
  tasks.set(taskId('one'), completed)
  for (const isListed of [false, true]) {
    if (isListed) await listWorklist(own(), actor, { first: 10, includeLater: true })
    await scheduleCallback(ports(), desk.workspaceId, correction)
    await doDue(writeTasks, own())
    expect(tasks.get(taskId('one'))).toEqual(completed)
  }
  expect(await readEntry(ports(), keyOf())).toMatchObject({ callbacks: [], closed: { outcome: null } })
})

test('reads the tasks of a whole page, at most 60 with one request', async () => {
  const { tasks, state, own } = platformTasks()
  const actor = await desk.signIn('agent1@demo.example')
  const last = { ucid: 'call-129', phoneNumber: '+919811500129' }
  for (let index = 0; index < 130; index += 1) {
    const number = `+9198115${String(index).padStart(5, '0')}`
    const callback = scheduled(`call-${index}`, { phoneNumber: number, at: inMs(3_600_000 + index) })
    await scheduleCallback(ports(), desk.workspaceId, callback)
  }
  while ((await doDue(writeTasks, own())) > 0) expect(tasks.size).toBeLessThanOrEqual(130)
  const dueAt = inMs(7_200_000)
  tasks.set(taskId(last.ucid), { isDone: false, dueAt, assigneeId: null })
  state.sizes.length = 0
  await listWorklist(own(), actor, { first: 200, includeLater: true })
  expect(state.sizes).toEqual([60, 60, 10])
  expect(await readEntry(ports(), keyOf(last.phoneNumber))).toMatchObject({ callbacks: [{ at: dueAt }] })
})

test('a callback whose process died before it queued the task gets it, also if somebody moved the person meanwhile', async () => {
  const { tasks, own } = platformTasks()
  const actor = await desk.signIn('manager@demo.example')
  const callback = scheduled('one')
  const noQueue = failingStore(desk.store, (key) => key.startsWith('callback-task'))
  await expect(scheduleCallback(ports(noQueue), desk.workspaceId, callback)).rejects.toMatchObject({ reason: 'STORE_UNAVAILABLE' })
  const dueAt = inMs(day)
  await scheduleEntry(ports(), actor, { id: keyOf().id, dueAt })
  await scheduleCallback(ports(), desk.workspaceId, callback)
  await doDue(writeTasks, own())
  expect(tasks.get(taskId('one'))).toEqual({ isDone: false, dueAt, assigneeId: null })
  await listWorklist(own(), actor, { first: 10, includeLater: true })
  expect(await readEntry(ports(), keyOf())).toMatchObject({ callbacks: [{ ucid: 'one', at: dueAt, isWritten: true }] })
})

test('a move of a person whose callback has no task yet creates the task', async () => {
  const { tasks, own } = platformTasks()
  const actor = await desk.signIn('manager@demo.example')
  const noQueue = failingStore(desk.store, (key) => key.startsWith('callback-task'))
  await expect(scheduleCallback(ports(noQueue), desk.workspaceId, scheduled('one'))).rejects.toMatchObject({ reason: 'STORE_UNAVAILABLE' })
  await scheduleEntry(ports(), actor, { id: keyOf().id, dueAt: inMs(day) })
  await doDue(writeTasks, own())
  expect(tasks.get(taskId('one'))).toMatchObject({ dueAt: inMs(day) })
})

test('a slow reading or write of a task does not replace what somebody set meanwhile', async () => {
  const { own } = platformTasks()
  const actor = await desk.signIn('manager@demo.example')
  const { id } = keyOf()
  await scheduleCallback(ports(), desk.workspaceId, scheduled('one'))
  const moved = inMs(day)
  const slow = (): CallbackTasks => {
    const { callbackTasks } = own()
    return {
      ...callbackTasks,
      async byIds(access, ids) {
        const read = await callbackTasks.byIds(access, ids)
        await scheduleEntry(ports(), actor, { id, dueAt: moved })
        await doDue(writeTasks, own())
        return new Map([...read].map(([key, task]) => [key, { ...task, isDone: true }]))
      },
    }
  }
  await doDue(writeTasks, own())
  await listWorklist({ ...own(), callbackTasks: slow() }, actor, { first: 10, includeLater: true })
  const callback = { ucid: 'one', at: moved, isWritten: true }
  expect(await readEntry(ports(), keyOf())).toMatchObject({ callbacks: [callback], closed: null })
  // The entry changes first, its task is queued next: in between, an earlier write may be finished.
  await scheduleEntry(ports(), actor, { id, dueAt: inMs(2 * day) })
  const later = inMs(3 * day)
  await changeEntry(ports(), keyOf(), (entry) => ({ ...entry, callbacks: entry.callbacks.map((one) => ({ ...one, at: later })) }))
  await doDue(writeTasks, own())
  expect(await readEntry(ports(), keyOf())).toMatchObject({ callbacks: [{ at: later, isWritten: false }] })
  await scheduleEntry(ports(), actor, { id, dueAt: later })
  const asManager = { ...actor, principal: { ...actor.principal, role: 'MANAGER' as const } }
  await assignEntry(ports(), asManager, { id, agentId: null })
  const assigneeId = newId()
  await changeEntry(ports(), keyOf(), (entry) => ({ ...entry, callbacks: entry.callbacks.map((one) => ({ ...one, assigneeId })) }))
  await doDue(writeTasks, own())
  expect(await readEntry(ports(), keyOf())).toMatchObject({ callbacks: [{ at: later, assigneeId, isWritten: false }] })
})

test('of more than ten callbacks of a person, those that were scheduled first are dropped', async () => {
  for (let index = 0; index < 11; index += 1) {
    await scheduleCallback(ports(), desk.workspaceId, scheduled(`call-${index}`, { at: inMs((index + 1) * 3_600_000) }))
    clock.advance(1_000)
  }
  const callbacks = (await readEntry(ports(), keyOf()))?.callbacks.map(({ ucid }) => ucid)
  expect(callbacks).toEqual(Array.from({ length: 10 }, (_, index) => `call-${index + 1}`))
})

test('a task that a newer version has queued in another form is put off, and no change replaces it', async () => {
  const [newers, own] = ['c1', 'c2'].map((ucid) => ({ workspaceId: desk.workspaceId, ucid, phoneNumber }))
  if (!newers || !own) throw new Error('two people')
  const text = JSON.stringify({ form: 'of a newer version' })
  await desk.store.set(taskWrites.keyText(newers), text)
  await queuedTaskWrites.add(ports(), { workspaceId: desk.workspaceId, id: newers.ucid }, clock.now())
  await queueTaskDone(ports(), own)
  await expect(queueTaskDone(ports(), newers)).rejects.toThrow('Invalid input')
  expect(await doDue(writeTasks, ports())).toBe(1)
  expect((await queuedTaskWrites.items.range(ports(), desk.workspaceId, { limit: 5 })).map(({ member }) => member)).toEqual([newers.ucid])
  expect(await desk.store.get(taskWrites.keyText(newers))).toBe(text)
})
