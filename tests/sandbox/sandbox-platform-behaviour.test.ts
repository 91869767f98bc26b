import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import { buildClientSchema, getIntrospectionQuery, type IntrospectionQuery, isEnumType, isObjectType, validateSchema } from 'graphql'
import { describe, expect, test } from 'vitest'
import { telephonyAccounts } from '../../src/sandbox/accounts.ts'
import { startPlatform } from '../../src/sandbox/platform/platform.ts'
import { sandboxWorkspaces } from '../../src/sandbox/platform/seed.ts'
import { startStandIn } from '../../src/sandbox/stand-in.ts'
import { createTestClock } from '../harness/clock.ts'
import { createPlatformClient } from '../harness/platform-client.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { waitFor } from '../harness/wait-for.ts'

const renewDocument = 'mutation ($appToken: String!) { renewToken(appToken: $appToken) { tokens { refreshToken { token } } } }'

test('activity of what is gone a moment later is not written, and harms nothing', async () => {
  await using platform = await startPlatform({ dataFile: null })
  const client = createPlatformClient(platform)
  const { access: token } = await client.signIn('agent1')
  const { access: manager } = await client.signIn('manager')
  const make = 'mutation ($id: ID) { createLead(data: { id: $id, name: "Brief" }) { id } }'
  const destroy = 'mutation ($id: UUID!) { destroyLead(id: $id) { id } }'
  const id = '7d3e9c52-5f0a-4f2e-9d7b-1f6f4b8f9a10'
  await client.ask('/graphql', make, { token, variables: { id } })
  await client.ask('/graphql', destroy, { token: manager, variables: { id } })
  await client.ask('/graphql', 'mutation { createLead(data: { name: "Lasting" }) { id } }', { token })
  platform.removeMember({ workspace: 'demo', email: 'agent1@demo.example' })
  const [lasting] = platform.records('demo', 'lead', { name: { eq: 'Lasting' } })
  const [entry] = await waitFor(() => {
    const found = platform.records('demo', 'timelineActivity', { targetLeadId: { eq: lasting?.['id'] } })
    return found.length > 0 ? found : null
  })
  expect(entry).toMatchObject({ name: 'lead.created', workspaceMemberId: null })
  expect(platform.records('demo', 'timelineActivity', { targetLeadId: { eq: id } })).toEqual([])
})

test('a fresh platform has the roles Admin, Member and Guest, and no custom object', async () => {
  await using platform = await startPlatform({ dataFile: null, isFresh: true })
  const client = createPlatformClient(platform)
  const { access: token } = await client.signIn('manager')
  expect(await client.ask('/metadata', '{ getRoles { label workspaceMembers { userEmail } } }', { token })).toEqual({
    data: {
      getRoles: [
        { label: 'Admin', workspaceMembers: [{ userEmail: 'manager@demo.example' }] },
        {
          label: 'Member',
          workspaceMembers: ['user', 'agent1', 'agent2', 'agent3'].map((name) => ({ userEmail: `${name}@demo.example` })),
        },
        { label: 'Guest', workspaceMembers: [{ userEmail: 'guest@demo.example' }] },
      ],
    },
  })
  const objects = await client.ask('/metadata', '{ objects(paging: { first: 1000 }) { edges { node { nameSingular } } } }', {
    token,
  })
  expect(JSON.stringify(objects)).toContain('"nameSingular":"person"')
  expect(JSON.stringify(objects)).not.toMatch(/"(agent|lead|call|doctor|visitSlot)"/)
  expect(await client.ask('/graphql', '{ leads { totalCount } }', { token })).toMatchObject({
    errors: [{ message: 'Cannot query field "leads" on type "Query".' }],
  })
})

describe.each(sandboxWorkspaces)('the workspace %s', (workspace) => {
  test.each([
    ['manager', 'Manager'],
    ['agent1', 'User'],
    ['agent2', 'User'],
    ['agent3', 'User'],
    ['user', 'User'],
    ['guest', 'Guest'],
  ])('has %s with the role %s', async (name, role) => {
    await using platform = await startPlatform({ dataFile: null })
    const client = createPlatformClient(platform)
    const { access } = await client.signIn(name, workspace)
    const query = '{ currentUser { email workspaceMember { roles { label } } currentWorkspace { subdomain } } }'
    expect(await client.ask('/metadata', query, { token: access })).toEqual({
      data: {
        currentUser: {
          email: `${name}@${workspace}.example`,
          workspaceMember: { roles: [{ label: role }] },
          currentWorkspace: { subdomain: workspace },
        },
      },
    })
  })

  test('has the agents of its telephony account, and records that belong together', async () => {
    await using platform = await startPlatform({ dataFile: null, recordingBaseUrl: 'http://127.0.0.1:9' })
    const agents = platform.records(workspace, 'agent')
    const agentIds = new Set(agents.map(({ providerAgentId }) => providerAgentId))
    expect(agentIds).toEqual(new Set(telephonyAccounts[workspace].agents.map(({ id }) => id)))
    const members = new Map(platform.records(workspace, 'workspaceMember').map(({ id, userEmail }) => [id, userEmail]))
    for (const { providerAgentId, workspaceMemberId } of agents) {
      expect(members.get(workspaceMemberId)).toBe(`${String(providerAgentId)}@${workspace}.example`)
    }
    expect(platform.records(workspace, 'lead').length).toBeGreaterThan(12)
    expect(platform.records(workspace, 'visitSlot', { state: { eq: 'FREE' } }).length).toBeGreaterThan(12)
    const recordings = platform.records(workspace, 'call').map(({ recording }) => JSON.stringify(recording))
    expect(recordings.filter((links) => links.includes('http://127.0.0.1:9/recordings/call-001.wav'))).toHaveLength(1)
  })
})

test('everything survives a restart: members, tokens, records, objects', async () => {
  await using directory = await createTempDir()
  const dataFile = join(directory.path, 'platform.sqlite')
  const before = await startPlatform({ dataFile })
  const { access, refresh } = await createPlatformClient(before).signIn('manager')
  const token = access
  await createPlatformClient(before).ask('/graphql', 'mutation { createLead(data: { name: "Kept" }) { id } }', { token })
  const object = { nameSingular: 'ward', namePlural: 'wards', labelSingular: 'Ward', labelPlural: 'Wards' }
  const makeObject = 'mutation ($object: CreateObjectInput!) { createOneObject(input: { object: $object }) { id } }'
  await createPlatformClient(before).ask('/metadata', makeObject, { token, variables: { object } })
  await createPlatformClient(before).ask('/metadata', renewDocument, { variables: { appToken: refresh } })
  const apiKey = before.apiKeyOf('demo')
  await before[Symbol.asyncDispose]()

  await using after = await startPlatform({ dataFile })
  const client = createPlatformClient(after)
  const query = '{ leads(filter: { name: { eq: "Kept" } }) { totalCount } wards { totalCount } agents { totalCount } }'
  expect(await client.ask('/graphql', query, { token })).toEqual({
    data: { leads: { totalCount: 1 }, wards: { totalCount: 0 }, agents: { totalCount: 3 } },
  })
  expect(await client.ask('/metadata', renewDocument, { variables: { appToken: refresh } })).not.toHaveProperty('errors')
  expect(after.apiKeyOf('demo')).toBe(apiKey)
  expect(await client.ask('/graphql', '{ calls(first: 1) { totalCount } }', { token: apiKey })).toEqual({
    data: { calls: { totalCount: 24 } },
  })
})

test('of eight that compare and set at once one wins', async () => {
  await using platform = await startPlatform({ dataFile: null })
  const client = createPlatformClient(platform)
  const { access } = await client.signIn('agent1')
  const [slot] = platform.records('demo', 'visitSlot', { state: { eq: 'FREE' } })
  const book = `mutation ($id: UUID!) { updateVisitSlots(filter: { id: { eq: $id }, state: { eq: FREE } }, data: { state: HELD }) { id } }`
  const ask = (): Promise<unknown> => client.ask('/graphql', book, { token: access, variables: { id: slot?.['id'] } })
  const answers = await Promise.all(Array.from({ length: 8 }, ask))
  const lost = { data: { updateVisitSlots: [] } }
  expect(answers).toContainEqual({ data: { updateVisitSlots: [{ id: slot?.['id'] }] } })
  expect(answers.filter((answer) => JSON.stringify(answer) === JSON.stringify(lost))).toHaveLength(7)
})

test('a list within a record ends after sixty rows', async () => {
  await using platform = await startPlatform({ dataFile: null })
  const client = createPlatformClient(platform)
  const { access: token } = await client.signIn('agent1')
  const [lead] = platform.records('demo', 'lead')
  const id = lead?.['id']
  const data = Array.from({ length: 61 }, (_, index) => ({ name: `Call ${index}`, leadId: id }))
  await client.ask('/graphql', 'mutation ($data: [CallCreateInput!]!) { createCalls(data: $data) { id } }', { token, variables: { data } })
  const query = '{ leads(first: 1) { edges { node { id calls { totalCount pageInfo { hasNextPage } } } } } }'
  const node = { id, calls: { totalCount: 60, pageInfo: { hasNextPage: false } } }
  expect(await client.ask('/graphql', query, { token })).toEqual({ data: { leads: { edges: [{ node }] } } })
})

test('six renewals at once with one refresh token all succeed', async () => {
  await using platform = await startPlatform({ dataFile: null })
  const client = createPlatformClient(platform)
  const { refresh } = await client.signIn('agent1')
  const renew = (): Promise<unknown> => client.ask('/metadata', renewDocument, { variables: { appToken: refresh } })
  for (const answer of await Promise.all(Array.from({ length: 6 }, renew))) expect(answer).not.toHaveProperty('errors')
})

test("the schema of records is whole and in the platform's style", async () => {
  await using platform = await startPlatform({ dataFile: null })
  const client = createPlatformClient(platform)
  const { access } = await client.signIn('agent1')
  const answer = await client.ask('/graphql', getIntrospectionQuery(), { token: access })
  const schema = buildClientSchema(introspectionOf(answer))
  expect(validateSchema(schema)).toEqual([])
  const lead = schema.getType('Lead')
  const status = schema.getType('LeadStatusEnum')
  expect(isObjectType(lead) && String(lead.getFields()['calls']?.type)).toBe('CallConnection')
  expect(isEnumType(status) && status.getValues().map(({ name }) => name)).toEqual(['NEW', 'IN_PROGRESS', 'WON', 'LOST'])
  expect(String(schema.getQueryType()?.getFields()['leads']?.type)).toBe('LeadConnection')
  expect(Object.keys(schema.getMutationType()?.getFields() ?? {})).toEqual(
    expect.arrayContaining(['createLead', 'updateLeads', 'restorePeople']),
  )
})

function introspectionOf(answer: unknown): IntrospectionQuery {
  if (isIntrospectionAnswer(answer)) return answer.data
  throw new Error('that is no introspection')
}

function isIntrospectionAnswer(answer: unknown): answer is { data: IntrospectionQuery } {
  return JSON.stringify(answer).startsWith('{"data":{"__schema":')
}

test('a webhook gets what it asked for, signed', async () => {
  await using receiver = await startStandIn({ name: 'receiver', handle: () => ({ body: 'ok' }) })
  const clock = createTestClock()
  await using platform = await startPlatform({ clock, dataFile: null })
  const client = createPlatformClient(platform)
  const { access: token } = await client.signIn('manager')
  const input = { targetUrl: `${receiver.url}/hook`, operations: ['lead.*'], secret: 'shared-secret' }
  await client.ask('/metadata', 'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { id } }', {
    token,
    variables: { input },
  })
  await client.ask(
    '/graphql',
    'mutation { createDoctor(data: { name: "Dr. Unheard" }) { id } createLead(data: { name: "Heard" }) { id } }',
    { token },
  )

  const [call] = await waitFor(() => (receiver.calls().length > 0 ? receiver.calls() : null))
  expect(receiver.calls()).toHaveLength(1)
  expect(JSON.parse(call?.body ?? '')).toMatchObject({
    eventName: 'lead.created',
    objectMetadata: { nameSingular: 'lead' },
    workspaceId: platform.workspaceIdOf('demo'),
    record: { name: 'Heard', status: null, emails: { primaryEmail: '', additionalEmails: [] } },
  })
  const timestamp = String(clock.now())
  expect(call?.headers['x-twenty-webhook-timestamp']).toBe(timestamp)
  const signature = createHmac('sha256', 'shared-secret').update(`${timestamp}:${call?.body}`).digest('hex')
  expect(call?.headers['x-twenty-webhook-signature']).toBe(signature)
})

test('a request without a query is never answered', async () => {
  await using platform = await startPlatform({ dataFile: null })
  const client = createPlatformClient(platform)
  const stop = new AbortController()
  const outcome = { answered: false }
  const headers = { 'content-type': 'application/json' }
  const waiting = fetch(`${platform.url}/graphql`, { method: 'POST', headers, body: '{}', signal: stop.signal }).then(() => {
    outcome.answered = true
  })
  await waitFor(() => platform.calls('POST /graphql').length === 1)
  await client.signIn('agent1')
  expect(outcome.answered).toBe(false)
  stop.abort()
  await expect(waiting).rejects.toThrow('aborted')
})

test('more records for load are added, and a reset takes all back', async () => {
  await using platform = await startPlatform({ dataFile: null })
  const client = createPlatformClient(platform)
  const { access: token } = await client.signIn('manager')
  platform.seed('demo', { leads: 300, calls: 500 })
  const counts = '{ leads(first: 500) { totalCount edges { node { id } } } calls(first: 1) { totalCount } }'
  const full = await client.ask('/graphql', counts, { token })
  expect(full).toMatchObject({ data: { leads: { totalCount: 316 }, calls: { totalCount: 524 } } })
  expect(JSON.stringify(full).match(/"node"/g)).toHaveLength(200)

  await platform.reset()
  expect(await client.ask('/graphql', counts, { token })).toMatchObject({ errors: [{ message: 'Token invalid.' }] })
  const { access } = await client.signIn('manager')
  expect(await client.ask('/graphql', counts, { token: access })).toMatchObject({ data: { leads: { totalCount: 16 } } })
})
