import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { AuthPorts } from '../../src/features/auth/auth-ports.ts'
import { lookUpPrincipal } from '../../src/features/auth/look-up-principal.ts'
import { newId } from '../../src/kernel/ids.ts'
import { createSessionDesk, endTest, type Instance, type SessionDesk } from '../harness/session-desk.ts'
import { waitFor } from '../harness/wait-for.ts'

const agent1 = 'agent1@demo.example'

let desk: SessionDesk
let service: Instance
beforeAll(async () => {
  desk = await createSessionDesk()
})
beforeEach(() => {
  service = desk.instance()
  desk.standIns.platform.forgetCalls()
  desk.standIns.telephony.forgetCalls()
})
afterEach(() => endTest(desk, service))
afterAll(() => desk[Symbol.asyncDispose]())

const operations = (): readonly string[] => desk.standIns.platform.calls().map(({ operation }) => operation)
const lock = () => desk.store.get(`sessions:${desk.workspaceId}:lock:agent1`)

test('the platform is asked for the agent record before it has answered the profile, the provider is not', async () => {
  const answerProfile = desk.standIns.platform.holdAnswers('currentUser')
  const signingIn = service.logIn(agent1)
  await waitFor(() => operations().some((operation) => operation.includes('agents')), { what: 'the request for the agent record' })
  expect(await lock()).toBeNull()
  expect(desk.standIns.telephony.calls()).toEqual([])
  answerProfile()
  expect((await signingIn).started?.telephony).toEqual({ signedIn: true, reason: null })
  expect(operations().filter((operation) => operation.includes('agents'))).toHaveLength(1)
})

test('the provider gets the sign-in before it has answered the request for a token, and none for a person without an agent record', async () => {
  const { provider } = desk.section('telephony')
  desk.standIns.telephony.accountMode({ mode: 'token' })
  desk.configure('telephony', { provider: provider && { ...provider, authentication: 'TOKEN' } })
  const answerToken = desk.standIns.telephony.holdAnswers('generateToken')
  try {
    await service.logIn('manager@demo.example')
    expect(desk.standIns.telephony.calls()).toEqual([])
    const signingIn = service.logIn(agent1)
    await waitFor(() => desk.standIns.telephony.calls('AgentAuthentication').length === 1, { what: 'the sign-in at the provider' })
    expect(desk.standIns.telephony.calls('generateToken')).toHaveLength(1)
    answerToken()
    expect((await signingIn).started?.telephony.signedIn).toBe(true)
  } finally {
    desk.standIns.telephony.accountMode({ mode: 'apiKey' })
    desk.configure('telephony', { provider })
  }
})

test('a profile that fails leaves no lock and no request to the provider, whatever the agent record says', async () => {
  desk.standIns.platform.fault({ operation: 'currentUser', act: 'refuse', status: 503 })
  await expect(service.logIn(agent1)).rejects.toMatchObject({ reason: 'PROVIDER_UNAVAILABLE' })
  expect(await lock()).toBeNull()
  expect(desk.standIns.telephony.calls()).toEqual([])
})

test('an agent record that cannot be read is asked for no more often by a sign-in than by a request', async () => {
  const { tokens } = await service.logIn(agent1)
  const readings = () => operations().filter((operation) => operation.includes('agents')).length
  const failing = async (reading: (own: Instance) => Promise<unknown>): Promise<number> => {
    desk.clock.advance(2 * 60_000)
    desk.standIns.platform.forgetCalls()
    await expect(reading(desk.instance())).rejects.toMatchObject({ reason: 'PROVIDER_UNAVAILABLE' })
    return readings()
  }
  desk.standIns.platform.fault({ operation: 'agents', act: 'refuse', status: 503 })
  const ofRequest = await failing((own) => own.ports.principals.resolve(tokens.accessToken.token))
  expect(await failing((own) => own.logIn(agent1))).toBe(ofRequest)
})

test('nothing of a workspace is stored before its profile says that it is served here', async () => {
  const { tokens } = await service.logIn(agent1)
  desk.clock.advance(2 * 60_000)
  const { ports } = desk.instance()
  const early: Promise<unknown>[] = []
  const own: AuthPorts = {
    ...ports,
    agentRecordCache: {
      ...ports.agentRecordCache,
      ofMember(...request) {
        const reading = ports.agentRecordCache.ofMember(...request)
        early.push(reading)
        return reading
      },
    },
    identity: {
      ...ports.identity,
      async profile(accessToken) {
        await waitFor(() => early.length === 1)
        await early[0]
        const profile = await ports.identity.profile(accessToken)
        return { ...profile, workspace: { ...profile.workspace, subdomain: 'not-served' } }
      },
    },
  }
  const looking = lookUpPrincipal(own, tokens.accessToken.token, { isJustIssued: true })
  await expect(looking).rejects.toMatchObject({ reason: 'WORKSPACE_NOT_SERVED' })
  expect((await desk.store.keys('agents', null)).keys).toEqual([])
})

test('the agent record is that of the member whom the profile names, not of the one in the token', async () => {
  const profile = {
    id: 'u',
    email: agent1,
    firstName: '',
    lastName: '',
    workspaceMember: { id: newId(), name: null, roles: [] },
    currentWorkspace: { id: desk.workspaceId, subdomain: 'demo' },
  }
  const body = JSON.stringify({ data: { currentUser: profile } })
  desk.standIns.platform.fault({ operation: 'currentUser', act: 'refuse', status: 200, body })
  const { principal, started } = await service.logIn(agent1)
  expect({ principal, started }).toMatchObject({ principal: { memberId: profile.workspaceMember.id, agentId: null }, started: null })
  expect(desk.standIns.telephony.calls()).toEqual([])
})

test('for the token of a client, nothing is asked beside its profile', async () => {
  const { tokens } = await service.logIn('user@demo.example')
  desk.standIns.platform.expireTokens(['ACCESS'])
  desk.standIns.platform.forgetCalls()
  const other = desk.instance()
  await expect(other.ports.principals.resolve(tokens.accessToken.token)).rejects.toMatchObject({ reason: 'TOKEN_REFUSED' })
  expect(operations()).toEqual([expect.stringContaining('currentUser')])
})
