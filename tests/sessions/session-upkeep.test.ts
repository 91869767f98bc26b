import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { cleanUpSessions } from '../../src/features/sessions/clean-up-sessions.ts'
import { endSession } from '../../src/features/sessions/end-session.ts'
import { heartbeat } from '../../src/features/sessions/heartbeat.ts'
import { listSessions, liveSessions } from '../../src/features/sessions/list-sessions.ts'
import { releaseSession } from '../../src/features/sessions/release-session.ts'
import { startSession } from '../../src/features/sessions/start-session.ts'
import type { Store } from '../../src/ports/store.ts'
import { createSessionDesk, endTest, type Instance, type SessionDesk } from '../harness/session-desk.ts'
import { waitFor } from '../harness/wait-for.ts'
import { doDue } from '../harness/do-due.ts'

const hour = 3_600_000
const agent1 = 'agent1@demo.example'

let desk: SessionDesk
let service: Instance
let other: Instance
beforeAll(async () => {
  desk = await createSessionDesk()
})
beforeEach(() => {
  service = desk.instance()
  other = desk.instance()
})
afterEach(async () => {
  await endTest(desk, service)
  desk.standIns.telephony.forgetCalls()
})
afterAll(() => desk[Symbol.asyncDispose]())

const lockKey = (): string => `sessions:${desk.workspaceId}:lock:agent1`
const statusAtProvider = (): string => desk.standIns.telephony.agent({ agentId: 'agent1' }).status
const states = (): unknown[] => desk.events.map((event) => event.type === 'agent.state' && event.state)
const signOuts = (): number => desk.standIns.telephony.calls('AgentAuthentication').filter(({ body }) => body.includes('logout')).length

async function signedIn(): Promise<Awaited<ReturnType<Instance['logIn']>>> {
  const answer = await service.logIn(agent1)
  await waitFor(() => desk.events.length > 0)
  return answer
}

describe('a session that expires', () => {
  test('is signed out at the provider by one of the instances, and EXPIRED is published once', async () => {
    const { started } = await signedIn()
    desk.clock.advance(hour)
    await Promise.all([doDue(cleanUpSessions, service.ports), doDue(cleanUpSessions, other.ports), doDue(cleanUpSessions, service.ports)])
    await Promise.all([doDue(cleanUpSessions, service.ports), doDue(cleanUpSessions, other.ports)])
    expect(statusAtProvider()).toBe('loggedOut')
    expect(signOuts()).toBe(1)
    expect(states()).toEqual(['SIGNED_IN', 'EXPIRED'])
    expect(desk.events[1]).toMatchObject({ agentId: started?.session.agentId, workspaceId: desk.workspaceId })
  })

  test('does not expire while heartbeats arrive', async () => {
    const { principal } = await signedIn()
    for (let heartbeats = 0; heartbeats < 5; heartbeats += 1) {
      desk.clock.advance(50 * 60_000)
      await heartbeat(service.ports, { principal })
      await doDue(cleanUpSessions, service.ports)
    }
    expect(signOuts()).toBe(0)
    expect(states()).toEqual(['SIGNED_IN'])
  })

  test('stays signed in at the provider if its agent has signed in again', async () => {
    await signedIn()
    desk.clock.advance(hour)
    await service.logIn(agent1)
    await Promise.all([doDue(cleanUpSessions, service.ports), doDue(cleanUpSessions, other.ports)])
    expect(statusAtProvider()).toBe('AUX')
    expect(signOuts()).toBe(0)
  })

  test('stays signed in if its agent signs in again while the sign-out is under way', async () => {
    await signedIn()
    desk.clock.advance(hour)
    desk.standIns.telephony.fault({ operation: 'AgentAuthentication', delayMs: 300, times: 1 })
    const sweeping = doDue(cleanUpSessions, service.ports)
    await waitFor(() => signOuts() === 1)
    const again = await other.logIn(agent1)
    await sweeping
    expect(again.started?.telephony.signedIn).toBe(true)
    expect(statusAtProvider()).toBe('AUX')
    await expect(heartbeat(other.ports, again)).resolves.toMatchObject({ lockedAt: again.started?.session.lockedAt })
  })

  test('is signed out later if the provider is down, and EXPIRED is published once', async () => {
    await signedIn()
    desk.clock.advance(hour)
    desk.standIns.telephony.fault({ operation: 'AgentAuthentication', act: 'refuse', status: 503, times: 4 })
    await doDue(cleanUpSessions, service.ports)
    expect(statusAtProvider()).toBe('AUX')
    await waitFor(async () => {
      desk.clock.advance(61_000)
      await doDue(cleanUpSessions, service.ports)
      return statusAtProvider() === 'loggedOut'
    })
    expect(states()).toEqual(['SIGNED_IN', 'EXPIRED'])
  })
})

test('a process that dies before it sent its answer leaves the lock for a minute and no session at the provider', async () => {
  const { principal, tokens } = await service.logIn('agent2@demo.example')
  await endSession(service.ports, { principal })
  const { record } = await service.ports.agentRecordCache.ofMember(principal, tokens.accessToken.token)
  if (!record) throw new Error('agent2 has a record')
  const status = (): string => desk.standIns.telephony.agent({ agentId: 'agent2' }).status
  // Neither confirmed nor abandoned, as if this process had died.
  const { signal } = new AbortController()
  await startSession(service.ports, { principal, accessToken: tokens.accessToken.token, clientAddress: '203.0.113.7' }, { record, signal })
  expect(status()).toBe('AUX')
  await expect(other.logIn('agent2@demo.example')).rejects.toMatchObject({ reason: 'SESSION_LOCKED' })
  desk.clock.advance(60_000)
  await doDue(cleanUpSessions, other.ports)
  expect(status()).toBe('loggedOut')
  await expect(other.logIn('agent2@demo.example')).resolves.toMatchObject({ started: { telephony: { signedIn: true } } })
})

test('the live sessions are read with three reads, however many they are', async () => {
  for (const name of ['agent1', 'agent2', 'agent3']) await service.logIn(`${name}@demo.example`)
  const { store } = service.ports
  const reads: string[] = []
  const counted: Store = {
    ...store,
    get: (key) => (reads.push(key), store.get(key)),
    getMany: (keys) => (reads.push(...keys.slice(0, 1)), store.getMany(keys)),
    entry: (key) => (reads.push(key), store.entry(key)),
    sortedRange: (list, range) => (reads.push(list), store.sortedRange(list, range)),
  }
  const sessions = await liveSessions({ store: counted }, desk.workspaceId)
  expect(sessions.map(({ providerAgentId }) => providerAgentId)).toEqual(['agent1', 'agent2', 'agent3'])
  expect(reads).toHaveLength(3)
})

describe('a manager', () => {
  test('a lock in another form hides no other session', async () => {
    await service.logIn('agent1@demo.example')
    await service.logIn('agent2@demo.example')
    const otherKey = `sessions:${desk.workspaceId}:lock:agent2`
    await desk.store.set(otherKey, '{"form":"newer"}')
    expect(await liveSessions({ store: desk.store }, desk.workspaceId)).toMatchObject([{ providerAgentId: 'agent1' }])
    await desk.store.delete(otherKey)
  })

  test('lists all sessions, an agent only their own', async () => {
    const one = await signedIn()
    const two = await service.logIn('agent3@demo.example', { address: '198.51.100.2' })
    const manager = await service.logIn('manager@demo.example')
    await heartbeat(service.ports, one)
    const all = await listSessions(other.ports, manager)
    expect(all).toMatchObject([
      {
        agentName: 'Asha Menon',
        memberId: one.principal.memberId,
        ip: '203.0.113.7',
        lastHeartbeatAt: new Date(desk.clock.now()).toISOString(),
      },
      { agentName: 'Farah Khan', memberId: two.principal.memberId, ip: '198.51.100.2', lastHeartbeatAt: null },
    ])
    expect(await listSessions(other.ports, two)).toMatchObject([{ agentName: 'Farah Khan' }])
    await endSession(service.ports, two)
    expect(await listSessions(other.ports, manager)).toHaveLength(1)
  })

  test('releases a session: lock, provider, audit entry with the reason; the heartbeat of its holder is refused', async () => {
    const { principal, started } = await signedIn()
    const manager = (await service.logIn('manager@demo.example')).principal
    const agentId = started?.session.agentId ?? ''
    const actor = { principal: manager, clientAddress: '198.51.100.9' }
    await expect(releaseSession(other.ports, actor, { agentId, reason: 'laptop died' })).resolves.toEqual({
      released: true,
      providerSignedOut: true,
    })
    expect(await desk.store.get(lockKey())).toBeNull()
    expect(statusAtProvider()).toBe('loggedOut')
    expect(states()).toEqual(['SIGNED_IN', 'SIGNED_OUT'])
    const entries = await desk.audit.read(desk.workspaceId, { limit: 1 })
    expect(entries).toMatchObject([
      {
        action: 'session.released',
        actor: { userId: manager.userId, memberId: manager.memberId, ip: '198.51.100.9' },
        target: { kind: 'agent', id: agentId },
        details: { reason: 'laptop died', memberId: principal.memberId },
      },
    ])
    await expect(heartbeat(service.ports, { principal })).rejects.toMatchObject({ reason: 'SESSION_GONE' })
    await expect(releaseSession(other.ports, actor, { agentId, reason: 'again' })).rejects.toMatchObject({ reason: 'NOT_FOUND' })
    await expect(service.logIn(agent1)).resolves.toMatchObject({ started: { telephony: { signedIn: true } } })
  })

  test('of another workspace finds no session to release', async () => {
    const { started } = await signedIn()
    const stranger = await service.logIn('manager@acme.example', { workspace: 'acme' })
    expect(await listSessions(service.ports, stranger)).toEqual([])
    const actor = { principal: stranger.principal, clientAddress: '198.51.100.9' }
    await expect(releaseSession(service.ports, actor, { agentId: started?.session.agentId ?? '', reason: 'x' })).rejects.toMatchObject({
      reason: 'NOT_FOUND',
    })
    expect(await desk.store.get(lockKey())).not.toBeNull()
  })
})

describe('a member who is removed from the workspace', () => {
  test('loses session, provider sign-in and caches as soon as the platform reports it', async () => {
    await using own = await createSessionDesk()
    const instance = own.instance()
    const { principal, tokens } = await instance.logIn(agent1)
    own.standIns.platform.removeMember({ workspace: 'demo', email: agent1 })
    own.clock.advance(60_000)
    await expect(instance.ports.principals.resolve(tokens.accessToken.token)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
    const key = `sessions:${own.workspaceId}:lock:agent1`
    await waitFor(async () => (await own.store.get(key)) === null)
    await waitFor(() => own.standIns.telephony.agent({ agentId: 'agent1' }).status === 'loggedOut')
    expect(await own.store.get(`agents:${own.workspaceId}:record:${principal.memberId}`)).toBeNull()
    expect(own.events.map((event) => event.type === 'agent.state' && event.state)).toContain('SIGNED_OUT')
  })

  test('is not confused with a member whose token has expired', async () => {
    const { tokens } = await signedIn()
    desk.standIns.platform.expireTokens(['ACCESS'])
    desk.clock.advance(61_000)
    await expect(service.ports.principals.resolve(tokens.accessToken.token)).rejects.toMatchObject({ reason: 'TOKEN_REFUSED' })
    expect(await desk.store.get(lockKey())).not.toBeNull()
    expect(states()).toEqual(['SIGNED_IN'])
  })
})
