import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { AppError } from '../../src/kernel/errors.ts'
import { cleanUpSessions } from '../../src/features/sessions/clean-up-sessions.ts'
import { endSession } from '../../src/features/sessions/end-session.ts'
import { heartbeat } from '../../src/features/sessions/heartbeat.ts'
import { readAgent } from '../../src/features/sessions/read-agent.ts'
import type { Store } from '../../src/ports/store.ts'
import { failingStore } from '../harness/failing-store.ts'
import { createSessionDesk, endTest, type Instance, type SessionDesk } from '../harness/session-desk.ts'
import { waitFor } from '../harness/wait-for.ts'
import { doDue } from '../harness/do-due.ts'

const hour = 3_600_000
const agent1 = 'agent1@demo.example'

let desk: SessionDesk
let service: Instance
beforeAll(async () => {
  desk = await createSessionDesk()
})
beforeEach(() => {
  service = desk.instance()
})
afterEach(() => endTest(desk, service))
afterAll(() => desk[Symbol.asyncDispose]())

const lockKey = (): string => `sessions:${desk.workspaceId}:lock:agent1`
const statusAtProvider = (agentId = 'agent1'): string => desk.standIns.telephony.agent({ agentId }).status

describe('starting the session', () => {
  test('stores member, address, time and an id in the lock, provisionally until the answer is sent, then for an hour', async () => {
    const answer = service.logIn(agent1, { address: '203.0.113.9' })
    const { principal, started } = await answer
    await waitFor(async () => ((await desk.store.entry(lockKey()))?.expiresAt ?? 0) - desk.clock.now() === hour)
    const entry = await desk.store.entry(lockKey())
    const lockedAt = started?.session.lockedAt
    const id: unknown = expect.any(String)
    expect(JSON.parse(entry?.value ?? '')).toEqual({ memberId: principal.memberId, ip: '203.0.113.9', lockedAt, id })
    expect(started?.session.expiresAt).toBe(new Date(desk.clock.now() + hour).toISOString())
    expect(desk.events).toMatchObject([{ type: 'agent.state', state: 'SIGNED_IN', agentId: started?.session.agentId }])
  })

  test('rejects a second sign-in with the address and the time of the first', async () => {
    const { started } = await service.logIn(agent1, { address: '203.0.113.9' })
    const second = service.logIn(agent1, { address: '198.51.100.1' })
    await expect(second).rejects.toMatchObject({
      reason: 'SESSION_LOCKED',
      code: 'CONFLICT',
      message: 'Agent is already signed in from 203.0.113.9',
      data: { ip: '203.0.113.9', lockedAt: started?.session.lockedAt },
    })
  })

  test('rejects a second member with the same provider agent', async () => {
    await usingAgentRecord({ providerAgentId: 'agent1' }, async () => {
      await service.logIn(agent1)
      await expect(service.logIn('agent2@demo.example')).rejects.toMatchObject({ reason: 'SESSION_LOCKED' })
    })
  })

  test('uses the configured default agent for members whose records name no provider agent', async () => {
    desk.configure('telephony', { defaultAgentId: 'agent1', defaultAgentPassword: 'demo-agent1-password' })
    await usingAgentRecord({ providerAgentId: '', providerAgentPassword: '' }, async () => {
      const { started } = await service.logIn('agent2@demo.example')
      expect(started?.telephony.signedIn).toBe(true)
      expect(statusAtProvider('agent1')).toBe('AUX')
      await expect(service.logIn(agent1)).rejects.toMatchObject({ reason: 'SESSION_LOCKED' })
    })
    desk.configure('telephony', { defaultAgentId: null, defaultAgentPassword: null })
  })

  test('accepts one of 20 concurrent sign-ins of one agent on two instances', async () => {
    const instances = [service, desk.instance()] as const
    const all = await Promise.allSettled(Array.from({ length: 20 }, (_, index) => instances[index % 2 === 0 ? 0 : 1].logIn(agent1)))
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const refused = all.filter((one) => one.status === 'rejected').map(({ reason }) => String(reason instanceof AppError && reason.reason))
    expect(new Set(refused)).toEqual(new Set(['SESSION_LOCKED']))
    expect(statusAtProvider()).toBe('AUX')
  })
})

/** Changes agent2's record on the platform while the step runs. */
async function usingAgentRecord(change: Record<string, string>, step: () => Promise<void>): Promise<void> {
  const { platform } = desk.standIns
  const [record] = platform.records('demo', 'agent', { name: { eq: 'Ravi Kumar' } })
  const write = async (data: Record<string, unknown>): Promise<void> => {
    const query = 'mutation($id: UUID!, $data: AgentUpdateInput!) { updateAgent(id: $id, data: $data) { id } }'
    const response = await fetch(`${platform.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${platform.apiKeyOf('demo')}` },
      body: JSON.stringify({ query, variables: { id: record?.['id'], data } }),
    })
    expect(await response.json()).not.toHaveProperty('errors')
    desk.clock.advance(61_000)
  }
  await write(change)
  await step()
  await write(Object.fromEntries(Object.keys(change).map((name) => [name, record?.[name]])))
}

describe('the telephony provider', () => {
  test('accepts the sign-in of an agent who is already signed in there', async () => {
    await service.logIn(agent1)
    await desk.store.delete(lockKey())
    expect((await service.logIn(agent1)).started?.telephony).toEqual({ signedIn: true, reason: null })
  })

  test('does not stop the sign-in if it is not configured, and the answer gives the reason', async () => {
    const { provider } = desk.section('telephony')
    desk.configure('telephony', { provider: null })
    const { started } = await service.logIn(agent1)
    expect(started?.telephony).toEqual({ signedIn: false, reason: 'Telephony is not configured' })
    desk.configure('telephony', { provider })
  })

  test('does not stop the sign-in if it is down, and the answer gives the reason', async () => {
    desk.standIns.telephony.fault({ act: 'refuse', status: 503 })
    const { started } = await service.logIn(agent1)
    expect(started?.telephony.signedIn).toBe(false)
    expect(started?.telephony.reason).toMatch(/\w+/)
    expect(started?.session.agentId).toBeTruthy()
  })

  test('is used with the SIP settings and the campaign that are configured now', async () => {
    const before = desk.section('telephony')
    const { tokens, principal } = await service.logIn(agent1)
    desk.configure('telephony', { campaignName: 'Evening', sip: { domain: 'sip.other.example', wsPort: 8_443, wsPath: '/' } })
    expect(await readAgent(service.ports, { principal, accessToken: tokens.accessToken.token })).toMatchObject({ campaignName: 'Evening' })
    await endSession(service.ports, { principal })
    const { started } = await service.logIn(agent1)
    expect(started).toMatchObject({ agent: { campaignName: 'Evening' }, sip: { domain: 'sip.other.example', wsPort: 8_443 } })
    desk.configure('telephony', before)
  })
})

describe('a failure after the lock was taken releases it', () => {
  test.each(['sessions:', 'agents:'])('a store that fails on %s…', async (area) => {
    const broken = desk.instance({ store: failingStore(desk.store, (key) => key.startsWith(area) && /checks|secrets/.test(key)) })
    await expect(broken.logIn(agent1)).rejects.toMatchObject({ reason: 'STORE_UNAVAILABLE' })
    expect(await desk.store.get(lockKey())).toBeNull()
    expect(statusAtProvider()).toBe('loggedOut')
  })

  test('a store that takes the lock later than the sign-in waits for it', async () => {
    const answer = Promise.withResolvers<void>()
    const lateStore: Store = {
      ...desk.store,
      async setIfAbsent(key, ...value) {
        const isSet = await desk.store.setIfAbsent(key, ...value)
        if (key === lockKey()) await answer.promise
        return isSet
      },
    }
    await expect(desk.instance({ store: lateStore }).logIn(agent1)).rejects.toMatchObject({ reason: 'STORE_UNAVAILABLE' })
    answer.resolve()
    await waitFor(async () => (await desk.store.get(lockKey())) === null)
    await expect(service.logIn(agent1)).resolves.toMatchObject({ started: { telephony: { signedIn: true } } })
  })

  test('a client that is gone before the provider has answered', async () => {
    const leaving = new AbortController()
    desk.standIns.telephony.fault({ operation: 'AgentAuthentication', act: 'answer', delayMs: 200 })
    const signingIn = service.logIn(agent1, { signal: leaving.signal })
    await waitFor(() => desk.standIns.telephony.calls('AgentAuthentication').length > 0)
    leaving.abort()
    await expect(signingIn).rejects.toThrow(AppError)
    await waitFor(async () => (await desk.store.get(lockKey())) === null)
    expect(statusAtProvider()).toBe('loggedOut')
  })

  test('a client that is gone when the answer is ready', async () => {
    await service.logIn(agent1, { arrives: false })
    await waitFor(async () => (await desk.store.get(lockKey())) === null)
    await waitFor(() => statusAtProvider() === 'loggedOut')
    await expect(service.logIn(agent1)).resolves.toMatchObject({ started: { telephony: { signedIn: true } } })
  })
})

describe('heartbeat', () => {
  test('renews the hour for the holder', async () => {
    const { principal, started } = await service.logIn(agent1)
    desk.clock.advance(50 * 60_000)
    const session = await heartbeat(service.ports, { principal }, started?.session.lockedAt)
    expect(session).toMatchObject({ ...started?.session, expiresAt: new Date(desk.clock.now() + hour).toISOString() })
    desk.clock.advance(50 * 60_000)
    await expect(heartbeat(service.ports, { principal })).resolves.toMatchObject({ lockedAt: started?.session.lockedAt })
  })

  test('never restores an expired session', async () => {
    const { principal } = await service.logIn(agent1)
    await waitFor(async () => ((await desk.store.entry(lockKey()))?.expiresAt ?? 0) - desk.clock.now() === hour)
    desk.clock.advance(hour + 1)
    await expect(heartbeat(service.ports, { principal })).rejects.toMatchObject({ reason: 'SESSION_GONE', code: 'NOT_FOUND' })
    expect(await desk.store.get(lockKey())).toBeNull()
  })

  test('of a former session of the same member changes nothing', async () => {
    const first = await service.logIn(agent1)
    await endSession(service.ports, first)
    desk.clock.advance(1_000)
    const second = await service.logIn(agent1)
    const before = await desk.store.entry(lockKey())
    desk.clock.advance(1_000)
    await expect(heartbeat(service.ports, first, first.started?.session.lockedAt)).rejects.toMatchObject({
      reason: 'SESSION_GONE',
    })
    await expect(endSession(service.ports, first, first.started?.session.lockedAt)).resolves.toEqual({
      released: false,
      providerSignedOut: false,
    })
    expect(await desk.store.entry(lockKey())).toEqual(before)
    expect(before?.value).toContain(second.started?.session.lockedAt)
    expect(statusAtProvider()).toBe('AUX')
  })
})

describe('logout', () => {
  test('releases the lock, signs out at the provider, publishes the event, and is repeatable', async () => {
    const { principal } = await service.logIn(agent1)
    await expect(endSession(service.ports, { principal })).resolves.toEqual({ released: true, providerSignedOut: true })
    expect(await desk.store.get(lockKey())).toBeNull()
    expect(statusAtProvider()).toBe('loggedOut')
    expect(desk.events.map((event) => event.type === 'agent.state' && event.state)).toEqual(['SIGNED_IN', 'SIGNED_OUT'])
    await expect(endSession(service.ports, { principal })).resolves.toEqual({ released: false, providerSignedOut: false })
  })

  test('releases the lock although the store refuses to schedule the check of the sign-out', async () => {
    const { principal } = await service.logIn(agent1)
    const broken = desk.instance({ store: failingStore(desk.store, (key) => key.endsWith(':checks')) })
    await expect(endSession(broken.ports, { principal })).resolves.toMatchObject({ released: true })
    expect(await desk.store.get(lockKey())).toBeNull()
    await waitFor(() => statusAtProvider() === 'loggedOut')
  })

  test('makes the next sign-in read the agent record from the platform', async () => {
    const { principal } = await service.logIn(agent1)
    await endSession(service.ports, { principal })
    desk.standIns.platform.forgetCalls()
    await service.logIn(agent1)
    expect(desk.standIns.platform.calls('agents')).toHaveLength(1)
  })

  test.each(['refuse', 'hang'] as const)(
    'releases the lock even if the provider answers with %s; the agent is signed out there later, once',
    async (act) => {
      const { principal } = await service.logIn(agent1)
      desk.standIns.telephony.fault({ operation: 'AgentAuthentication', act, status: 503, times: 2 })
      await expect(endSession(service.ports, { principal })).resolves.toEqual({ released: true, providerSignedOut: false })
      expect(await desk.store.get(lockKey())).toBeNull()
      desk.standIns.telephony.clearFaults()
      await waitFor(async () => {
        desk.clock.advance(61_000)
        await doDue(cleanUpSessions, service.ports)
        return statusAtProvider() === 'loggedOut'
      })
      expect(desk.events.map((event) => event.type === 'agent.state' && event.state)).toEqual(['SIGNED_IN', 'SIGNED_OUT'])
    },
  )
})
