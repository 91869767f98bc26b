import { expect, test } from 'vitest'
import { addAgentActivity } from '../../src/features/calls/agent-state/agent-state-store.ts'
import { followAgentStates } from '../../src/features/calls/streams/follow-agent-states.ts'
import { followCalls, type LiveCallEvent } from '../../src/features/calls/streams/follow-calls.ts'
import { factsOf } from '../../src/features/calls/state/call-facts.ts'
import { updateCall } from '../../src/features/calls/state/update-call.ts'
import type { ReportedCallFacts } from '../../src/ports/call-facts.ts'
import type { Store } from '../../src/ports/store.ts'
import { createTestClock } from '../harness/clock.ts'
import { createCallsDesk } from '../harness/calls-desk.ts'
import { createLossyDesk } from '../harness/lossy-desk.ts'

const ringing = { direction: 'INBOUND', phoneNumber: '+919812345670', startedAt: new Date().toISOString() } as const

const ucidOf = (result: IteratorResult<LiveCallEvent, unknown>): string | null => (result.done === true ? null : result.value.call.ucid)

test('streams that begin together read the live calls of the workspace once, and a call wakes only the streams of its agent', async () => {
  await using desk = await createCallsDesk()
  const reads: string[] = []
  const { store } = desk
  const counted: Store = {
    ...store,
    getMany: (keys) => (reads.push(...keys), store.getMany(keys)),
    sortedRange: (list, range) => (reads.push(list), store.sortedRange(list, range)),
  }
  const ports = { ...desk.callPorts, store: counted }
  const ring = async (ucid: string, agentId: string): Promise<void> => {
    await updateCall(
      desk.callPorts,
      { workspaceId: desk.workspaceId, ucid },
      factsOf({ ...ringing, agentId }, { source: 'LIVE', receivedAt: Date.now() }),
    )
  }
  const readsOf = (part: string): number => reads.filter((key) => key.startsWith(part)).length
  await ring('4001', 'agent1')
  await ring('4002', 'agent2')
  const actors = [await desk.signIn('agent1@demo.example'), await desk.signIn('agent2@demo.example')] as const
  const leaving = new AbortController()
  const streams = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const stream = await followCalls(ports, actors[index % 2 === 0 ? 0 : 1], leaving.signal)
      return stream[Symbol.asyncIterator]()
    }),
  )
  const first = await Promise.all(streams.map((stream) => stream.next()))
  expect(first.map(ucidOf)).toEqual(Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? '4001' : '4002')))
  expect(readsOf('calls-live:')).toBeLessThanOrEqual(2)
  reads.length = 0
  const next = streams.map((stream) => stream.next())
  await ring('4003', 'agent1')
  const shown = await Promise.all(next.filter((_, index) => index % 2 === 0))
  expect(new Set(shown.map(ucidOf))).toEqual(new Set(['4003']))
  // Only the ten streams of the agent have read the call.
  expect(readsOf('call:')).toBe(10)
  leaving.abort()
  await Promise.all(next)
})

test('an agent gets a ringing call once more when it goes to another agent, and then no more of it', async () => {
  await using desk = await createCallsDesk()
  const { callPorts: ports, workspaceId } = desk
  let now = Date.now()
  const change = async (ucid: string, facts: ReportedCallFacts): Promise<void> => {
    now += 1_000
    await updateCall(ports, { workspaceId, ucid }, factsOf(facts, { source: 'LIVE', receivedAt: now }))
  }
  const actor = await desk.signIn('agent1@demo.example')
  await change('6001', { ...ringing, agentId: 'agent1' })
  const leaving = new AbortController()
  const stream = (await followCalls(ports, actor, leaving.signal))[Symbol.asyncIterator]()
  expect((await stream.next()).value).toMatchObject({ kind: 'SNAPSHOT', call: { ucid: '6001', agentId: 'agent1' } })
  const next = stream.next()
  await change('6001', { ...ringing, agentId: 'agent2' })
  expect((await next).value).toMatchObject({ kind: 'CHANGED', call: { ucid: '6001', phase: 'RINGING', agentId: 'agent2' } })
  const own = stream.next()
  await change('6001', { answeredAt: new Date(now).toISOString() })
  await change('6002', { ...ringing, agentId: 'agent1' })
  expect((await own).value).toMatchObject({ call: { ucid: '6002' } })
  leaving.abort()
  await stream.return?.()
})

test('after missed notifications a stream gets what ended or went to another agent meanwhile', async () => {
  await using desk = await createCallsDesk()
  const { workspaceId } = desk
  const { actor, ports, losing } = await createLossyDesk(desk)
  let now = Date.now()
  const change = async (ucid: string, facts: ReportedCallFacts): Promise<void> => {
    now += 1_000
    await updateCall(ports, { workspaceId, ucid }, factsOf(facts, { source: 'LIVE', receivedAt: now }))
  }
  for (const ucid of ['7001', '7002', '7003']) await change(ucid, { ...ringing, agentId: 'agent1' })
  const leaving = new AbortController()
  const stream = (await followCalls(ports, actor, leaving.signal))[Symbol.asyncIterator]()
  const first = [await stream.next(), await stream.next(), await stream.next()]
  expect(first.map(ucidOf)).toEqual(['7001', '7002', '7003'])
  await losing(async () => {
    await change('7001', { endedAt: new Date(now).toISOString(), answered: false })
    await change('7002', { agentId: 'agent2' })
  })
  const events = [await stream.next(), await stream.next(), await stream.next()].map(
    ({ value }: IteratorResult<LiveCallEvent, unknown>) => value,
  )
  expect(events.toSorted((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other)))).toMatchObject([
    { kind: 'CHANGED', call: { ucid: '7001', phase: 'MISSED' } },
    { kind: 'CHANGED', call: { ucid: '7002', agentId: 'agent2' } },
    { kind: 'CHANGED', call: { ucid: '7003', phase: 'RINGING' } },
  ])
  leaving.abort()
  await stream.return?.()
})

test("a manager's stream reads the states of agents that change together with one read", async () => {
  await using desk = await createCallsDesk()
  const { store, workspaceId } = desk
  const reads: number[] = []
  const alone: string[] = []
  const counted: Store = {
    ...store,
    get: (key) => (alone.push(key), store.get(key)),
    getMany: (keys) => (reads.push(keys.length), store.getMany(keys)),
  }
  const since = new Date().toISOString()
  const agentIds = Array.from({ length: 50 }, (_, index) => `many${index}`)
  for (const agentId of agentIds) {
    await addAgentActivity(desk.callPorts, { workspaceId, agentId }, { state: 'READY', reason: null, since, receivedAt: Date.now() })
  }
  const leaving = new AbortController()
  const member = await desk.signIn('manager@demo.example')
  const manager = { ...member, principal: { ...member.principal, role: 'MANAGER' as const } }
  const stream = await followAgentStates({ ...desk.callPorts, store: counted }, manager, leaving.signal)
  const seen: string[] = []
  for await (const { providerAgentId } of stream) {
    seen.push(providerAgentId)
    if (seen.length === agentIds.length) leaving.abort()
  }
  expect(seen.toSorted()).toEqual(agentIds.toSorted())
  // The list of those that exist, then their states.
  expect(reads).toEqual([50, 50])
  expect(alone.filter((key) => key.startsWith('agent-presence:'))).toEqual([])
})

test('a slow manager gets calls as they are, not as they were when their batch was read', async () => {
  const clock = createTestClock(new Date().toISOString())
  await using desk = await createCallsDesk({ clock })
  const { workspaceId } = desk
  const change = async (ucid: string, facts: ReportedCallFacts): Promise<void> => {
    await updateCall(desk.callPorts, { workspaceId, ucid }, factsOf(facts, { source: 'LIVE', receivedAt: clock.now() }))
  }
  for (const ucid of ['5001', '5002']) await change(ucid, ringing)
  const leaving = new AbortController()
  const member = await desk.signIn('manager@demo.example')
  const manager = { ...member, principal: { ...member.principal, role: 'MANAGER' as const } }
  const stream = (await followCalls({ ...desk.callPorts, clock }, manager, leaving.signal))[Symbol.asyncIterator]()
  expect((await stream.next()).value).toMatchObject({ kind: 'SNAPSHOT', call: { phase: 'RINGING' } })
  clock.advance(1_000)
  for (const ucid of ['5001', '5002']) await change(ucid, { answeredAt: new Date(clock.now()).toISOString() })
  expect((await stream.next()).value).toMatchObject({ kind: 'SNAPSHOT', call: { phase: 'ANSWERED' } })
  leaving.abort()
  await stream.return?.()
})
