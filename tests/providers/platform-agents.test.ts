import { afterEach, beforeEach, expect, test } from 'vitest'
import type { PlatformSection } from '../../src/ports/configuration/platform.ts'
import { newId } from '../../src/kernel/ids.ts'
import { asService } from '../../src/ports/record-access.ts'
import { type CallsDesk, createCallsDesk } from '../harness/calls-desk.ts'
import { createTestClock } from '../harness/clock.ts'
import { createPlatformClient } from '../harness/platform-client.ts'

let desk: CallsDesk
beforeEach(async () => {
  desk = await createCallsDesk()
})
afterEach(() => desk[Symbol.asyncDispose]())

async function nameAgents(names: Partial<PlatformSection['objects']['agent']>): Promise<void> {
  const { objects } = await desk.configuration.read(desk.workspaceId, 'platform')
  desk.configure('platform', { objects: { ...objects, agent: { ...objects.agent, ...names } } })
}

test('reads an agent object whose name has parts, as soon as it exists', async () => {
  const { principal } = await desk.signIn('user@demo.example')
  const { access: token } = await createPlatformClient(desk.standIns.platform).signIn('manager')
  const { agentRecords, dataModel } = desk.ports
  const read = () => agentRecords.ofMember(principal, token)
  const { objects } = await desk.configuration.read(desk.workspaceId, 'platform')
  await nameAgents({ singular: 'operator', plural: 'operators', fields: { ...objects.agent.fields, name: 'fullName' } })
  expect(await read()).toBeNull()

  const labels = { singularLabel: 'Operator', pluralLabel: 'Operators', icon: 'IconHeadset' }
  const objectId = await dataModel.createObject(token, { singular: 'operator', plural: 'operators', ...labels })
  const field = { objectId, isUnique: false, options: [], relation: null }
  await dataModel.createField(token, { ...field, name: 'fullName', label: 'Full name', description: 'Name', type: 'FULL_NAME' })
  const members = (await dataModel.objects(token)).find(({ singular }) => singular === 'workspaceMember')
  const relation = { targetId: members?.id ?? '', backLabel: 'Operators', backIcon: 'IconHeadset' }
  await dataModel.createField(token, {
    ...field,
    name: 'workspaceMember',
    label: 'Member',
    description: 'Member',
    type: 'RELATION',
    relation,
  })
  const data = { id: newId(), fullName: { firstName: 'Meera', lastName: 'Iyer' }, workspaceMemberId: principal.memberId }
  const create = 'mutation ($data: OperatorCreateInput!) { createOperator(data: $data) { id } }'
  await createPlatformClient(desk.standIns.platform).ask('/graphql', create, { token, variables: { data } })

  expect(await read()).toMatchObject({
    id: data.id,
    name: 'Meera Iyer',
    memberId: principal.memberId,
    sipExtension: null,
    sipPassword: null,
  })
})

test('a member is no agent if the workspace has no relation from agents to members', async () => {
  const { principal, accessToken } = await desk.signIn('agent1@demo.example')
  expect(await desk.ports.agentRecords.ofMember(principal, accessToken)).toMatchObject({ providerAgentId: 'agent1' })
  const { objects } = await desk.configuration.read(desk.workspaceId, 'platform')
  await nameAgents({ fields: { ...objects.agent.fields, workspaceMember: 'noSuchField' } })
  expect(await desk.ports.agentRecords.ofMember(principal, accessToken)).toBeNull()
})

test('finds every agent of a workspace with more agents than a page of the platform has', async () => {
  const { agentDirectory } = desk.ports
  desk.standIns.platform.seedAgents('demo', 450)
  const access = asService(desk.workspaceId, 'WEBHOOKS')
  desk.standIns.platform.forgetCalls()
  for (const number of [1, 200, 201, 450]) {
    expect(await agentDirectory.recordOf(access, `load${number}`)).toMatchObject({ name: `Load ${number}` })
  }
  expect((await agentDirectory.all(access)).length).toBeGreaterThanOrEqual(453)
  expect(desk.standIns.platform.calls('agents')).toHaveLength(3)
})

test('finds an agent who was created since the others were read, and asks for one who is unknown at most every half minute', async () => {
  const clock = createTestClock()
  await using own = await createCallsDesk({ clock })
  const { agentDirectory } = own.ports
  const access = asService(own.workspaceId, 'WEBHOOKS')
  own.standIns.platform.forgetCalls()
  const find = (providerAgentId: string) => agentDirectory.recordOf(access, providerAgentId)
  expect(await find('load1')).toBeNull()
  own.standIns.platform.seedAgents('demo', 1)
  clock.advance(29_999)
  expect(await find('load1')).toBeNull()
  expect(own.standIns.platform.calls('agents')).toHaveLength(1)
  clock.advance(1)
  own.standIns.platform.fault({ operation: 'agents', act: 'refuse', status: 503 })
  await expect(find('load1')).rejects.toMatchObject({ reason: 'PROVIDER_UNAVAILABLE' })
  expect(await find('agent1')).toMatchObject({ providerAgentId: 'agent1' })
  own.standIns.platform.clearFaults()
  own.standIns.platform.forgetCalls()
  expect(await find('load1')).toMatchObject({ name: 'Load 1' })
  clock.advance(299_999)
  expect(await find('agent1')).not.toBeNull()
  expect(own.standIns.platform.calls('agents')).toHaveLength(1)
})

test('nobody waits for the reading that an unknown agent causes, except who asks for an unknown one', async () => {
  const clock = createTestClock()
  await using own = await createCallsDesk({ clock })
  const { platform } = own.standIns
  const access = asService(own.workspaceId, 'WEBHOOKS')
  const find = (providerAgentId: string) => own.ports.agentDirectory.recordOf(access, providerAgentId)
  expect(await find('load1')).toBeNull()
  platform.seedAgents('demo', 2)
  clock.advance(30_000)
  platform.forgetCalls()
  const answer = platform.holdAnswers('agents')
  const unknown = [find('load1'), find('load2')]
  expect(await find('agent1')).toMatchObject({ providerAgentId: 'agent1' })
  expect((await own.ports.agentDirectory.all(access)).length).toBeGreaterThan(0)
  answer()
  expect(await Promise.all(unknown)).toMatchObject([{ name: 'Load 1' }, { name: 'Load 2' }])
  expect(platform.calls('agents')).toHaveLength(1)
})

test('an unknown agent costs two requests a minute, however many pages of agents there are', async () => {
  const clock = createTestClock()
  await using own = await createCallsDesk({ clock })
  const access = asService(own.workspaceId, 'WEBHOOKS')
  own.standIns.platform.seedAgents('demo', 450)
  own.standIns.platform.forgetCalls()
  const requestsAfter = async (ms: number): Promise<number> => {
    clock.advance(ms)
    expect(await own.ports.agentDirectory.recordOf(access, 'nobody')).toBeNull()
    return own.standIns.platform.calls('agents').length
  }
  expect([await requestsAfter(0), await requestsAfter(89_999), await requestsAfter(1)]).toEqual([3, 3, 6])
})
