import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSessionDesk, type SessionDesk, type Instance } from './harness/session-desk.ts'

let desk: SessionDesk
let service: Instance
beforeAll(async () => {
  desk = await createSessionDesk()
  service = desk.instance()
})
afterAll(() => desk[Symbol.asyncDispose]())

test('a manager, a user and a member without a role sign in and get no session', async () => {
  const manager = await service.logIn('manager@demo.example')
  expect(manager).toMatchObject({ wizardRequired: true, started: null, agent: null })
  expect(manager.principal).toMatchObject({ role: 'MANAGER', email: 'manager@demo.example', workspace: 'demo', agentId: null })
  expect(manager.principal.workspaceId).toBe(desk.workspaceId)
  const user = await service.logIn('user@demo.example')
  expect(user).toMatchObject({ wizardRequired: false, started: null, principal: { role: 'USER' } })
  expect(await service.logIn('guest@demo.example')).toMatchObject({ started: null, principal: { role: null } })
})

test('an agent signs in, takes the session, is signed in at the provider and gets SIP credentials', async () => {
  const { tokens, principal, started, agent } = await service.logIn('agent1@demo.example', { address: '203.0.113.9' })
  expect(principal.role).toBe('AGENT')
  expect(agent).toMatchObject({ name: 'Asha Rao', providerAgentId: 'agent1', campaignName: 'Inbound_Appointments' })
  expect(started?.session).toMatchObject({
    agentId: agent?.id,
    memberId: principal.memberId,
    ip: '203.0.113.9',
    heartbeatIntervalSeconds: 300,
  })
  expect(Date.parse(started?.session.expiresAt ?? '') - desk.clock.now()).toBe(3_600_000)
  expect(started?.telephony).toEqual({ signedIn: true, reason: null })
  expect(started?.sip).toEqual({
    uri: 'sip:5231@sip.sandbox.example',
    username: '5231',
    password: 'sandbox-sip-5231',
    domain: 'sip.sandbox.example',
    wsPort: 444,
    wsUrl: 'wss://sip.sandbox.example:444',
  })
  expect(desk.standIns.telephony.agent({ agentId: 'agent1' }).status).toBe('AUX')
  await expect(service.auth.principals.resolve(tokens.accessToken.token)).resolves.toEqual(principal)
  const lock = await desk.store.entry(`sessions:${desk.workspaceId}:lock:agent1`)
  expect(Object.keys(JSON.parse(lock?.value ?? ''))).toEqual(['memberId', 'ip', 'lockedAt'])
})
