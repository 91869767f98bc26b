import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApiKey } from '../harness/api-key.ts'
import { createTestApp, type TestApp, type TestSignIn } from '../harness/app.ts'

let app: TestApp
let agent: TestSignIn
let manager: TestSignIn
beforeAll(async () => {
  app = await createTestApp()
  agent = await app.signIn('agent1@demo.example')
  manager = await app.signIn('manager@demo.example')
})
afterAll(() => app[Symbol.asyncDispose]())

describe('the combined endpoint', () => {
  test('answers root fields of the records, of the metadata endpoint and of ours in one query', async () => {
    const { data, errors } = await app.graphql('{ me { role } currentUser { id } people(first: 3) { totalCount } }', { token: agent.token })
    expect(errors).toBeUndefined()
    expect(Object.keys(data ?? {})).toEqual(['me', 'currentUser', 'people'])
    expect(data).toMatchObject({ me: { role: 'AGENT' }, people: {} })
  })

  test('the stitched schema has both endpoints, with prefixes for what the records have too', async () => {
    const query = `{
      __schema { queryType { fields { name } } mutationType { fields { name } } }
      prefixed: __type(name: "MetadataWorkspaceMember") { fields { name } }
      records: __type(name: "WorkspaceMember") { fields { name } }
      me { role }
      getRoles { label }
      people(first: 1) { totalCount }
    }`
    const { data, errors } = await app.graphql(query, { token: manager.token })
    expect(errors).toBeUndefined()
    const text = JSON.stringify(data)
    for (const name of ['me', 'currentUser', 'people', 'createOneObject', 'createLead', 'agentLogin'])
      expect(text).toContain(`"name":"${name}"`)
    expect(JSON.stringify(data?.['prefixed'])).toContain('"name":"roles"')
    expect(JSON.stringify(data?.['records'])).toContain('timelineActivities')
    expect(data?.['getRoles']).toContainEqual({ label: 'Manager' })
  })

  test('asks a query once more if the platform closes its connection before an answer, and never a mutation', async () => {
    const platform = app.standIns.platform
    const query = '{ leads(first: 1) { edges { node { id insight { summary } } } } }'
    const before = await app.graphql(query, { token: agent.token })
    expect(before.errors).toBeUndefined()
    platform.fault({ operation: 'leads', act: 'cut', times: 1 })
    expect(await app.graphql(query, { token: agent.token })).toEqual(before)
    platform.fault({ operation: 'leads', act: 'cut', times: 2 })
    expect(await app.graphql(query, { token: agent.token })).toMatchObject({ errors: [{ extensions: { reason: 'PROVIDER_UNAVAILABLE' } }] })
    platform.forgetCalls()
    platform.fault({ operation: 'updateLead', act: 'cutAfter', times: 1 })
    const id = /"id":"([^"]+)"/.exec(JSON.stringify(before.data))?.[1]
    const mutation = 'mutation($id: UUID!) { updateLead(id: $id, data: {}) { id insight { summary } } }'
    const changed = await app.graphql(mutation, { token: agent.token, variables: { id } })
    expect(changed).toMatchObject({ errors: [{ extensions: { reason: 'PROVIDER_UNAVAILABLE' } }] })
    expect(platform.calls('updateLead')).toHaveLength(1)
    platform.clearFaults()
  })

  test('API keys may introspect and read the fields that we add, and none of our root fields', async () => {
    const key = await createApiKey(app, manager.token)
    const introspection = await app.graphql('{ __schema { queryType { fields { name } } } }', { token: key })
    expect(introspection.errors).toBeUndefined()
    expect(JSON.stringify(introspection.data)).toContain('"currentUser"')
    const added = await app.graphql(
      '{ leads(first: 2) { edges { node { id insight { summary } } } } calls(first: 1) { edges { node { analysis { callId } } } } }',
      { token: key },
    )
    expect(added.errors).toBeUndefined()
    expect(JSON.stringify(added.data)).toContain('"insight":')
    const own = await app.graphql('{ me { role } leads(first: 1) { edges { node { insight { summary } } } } }', { token: key })
    expect(own.errors).toMatchObject([{ path: ['me'], extensions: { code: 'UNAUTHENTICATED' } }])
    const forged = await app.graphql('{ __schema { queryType { name } } }', { token: `${key}x` })
    expect(forged.errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }])
  })

  test('an operation without a token says so for every side', async () => {
    const mixed = await app.graphql('{ me { role } currentUser { id } leads(first: 1) { totalCount } }')
    expect(mixed.errors).toMatchObject([
      { path: ['me'], extensions: { code: 'UNAUTHENTICATED' } },
      { message: 'Forbidden resource', extensions: { code: 'FORBIDDEN' } },
      {
        message: expect.stringMatching(/^Cannot query field "leads" on type "Query". Sign in first: /) as unknown,
        extensions: { code: 'UNAUTHENTICATED' },
      },
    ])
    const records = await app.graphql('{ leads(first: 1) { totalCount } }')
    expect(records.errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED', reason: 'TOKEN_MISSING' } }])
  })

  test('the errors of two root fields keep their texts and codes on the stitched schema', async () => {
    const two = (field: string) =>
      `calls(filter: { ${field}: { like: "a", ilike: "b" } }) { totalCount } agents(filter: { name: { like: "a", ilike: "b" } }) { totalCount }`
    const fault = {
      message: 'Filter for field "name" must have exactly one operator',
      extensions: { code: 'BAD_USER_INPUT', subCode: 'INVALID_ARGS_FILTER' },
    }
    const answer = await app.graphql(`{ ${two('ucid')} leads(first: 1) { edges { node { insight { id } } } } }`, { token: agent.token })
    expect(answer).toMatchObject({
      data: { calls: null, agents: null, leads: {} },
      errors: [{ ...fault, message: fault.message.replace('name', 'ucid') }, fault],
    })
  })

  test('a null for an argument of ours is the client’s fault, also beside a link', async () => {
    for (const link of ['', 'lead { id }']) {
      const query = `query($n: Int) { missedCalls(first: $n) { nodes { ucid ${link} } } }`
      const answer = await app.graphql(query, { token: manager.token, variables: { n: null } })
      expect(answer).toMatchObject({
        errors: [
          {
            message: expect.stringContaining('"first"') as unknown,
            path: ['missedCalls'],
            extensions: { code: 'BAD_USER_INPUT', reason: 'INVALID_INPUT' },
          },
        ],
      })
    }
  })

  test.each([
    ['{ leads(first: 1) { edges { node { id: name insight { id } } } } }', 'id: name'],
    [
      '{ leads(first: 1) { edges { node { ...A ...B } } } } fragment A on Lead { insight { id } } fragment B on Lead { aiSummary: name }',
      'aiSummary: name',
    ],
    ['{ calls(first: 1) { edges { node { ... on Call { id: createdAt } analysisStatus { state } } } } }', 'id: createdAt'],
    ['{ me { linkKey_memberId: role member { id } } }', 'linkKey_memberId: role'],
  ])('an alias with the name of what a field of ours needs is refused: %s', async (query, alias) => {
    const answer = await app.graphql(query, { token: manager.token })
    expect(answer.data).toBeUndefined()
    expect(answer.errors).toMatchObject([
      { message: expect.stringContaining(`\`${alias}\``) as unknown, extensions: { code: 'BAD_USER_INPUT' } },
    ])
  })

  test('other aliases beside a field of ours are the client’s', async () => {
    const query = '{ leads(first: 1) { edges { id: cursor node { insight { id: summary } } } } me { role: memberId member { id } } }'
    expect((await app.graphql(query, { token: manager.token })).errors).toBeUndefined()
  })
})

describe('an old platform (1.3)', () => {
  let old: TestApp
  let token: string
  beforeAll(async () => {
    old = await createTestApp()
    await old.standIns.platform.setVersion('1.3')
    ;({ token } = await old.signIn('manager@demo.example'))
  })
  afterAll(() => old[Symbol.asyncDispose]())
  const first = 'leads(first: $n) { edges { node { ...B @include(if: $on) } } }'
  const added = 'fragment B on Lead { insight { summary } }'
  const named = 'query A { me { role } } query B { currentUser { email } } query C { people(first: 1) { totalCount } }'

  test.each<[string, Record<string, unknown>, object]>([
    [
      'mutation { confirmAgentNotices(ids: []) { id } createNote(data: {title: "x"}) @skip(if: true) { id } }',
      {},
      { confirmAgentNotices: [] },
    ],
    ['{ me { role } leads @skip(if: true) { totalCount } }', {}, { me: { role: 'MANAGER' } }],
    [
      'query($n: Int = 1) { me { role } leads(first: $n) { edges { node { __typename } } } }',
      {},
      { me: { role: 'MANAGER' }, leads: { edges: [{ node: { __typename: 'Lead' } }] } },
    ],
    [`query($n: Int = 1, $on: Boolean!) { ${first} } ${added}`, { on: true }, { leads: { edges: [{ node: { insight: null } }] } }],
    [`query($n: Int = 1, $on: Boolean!) { me { role } ${first} } ${added}`, { on: false }, { leads: { edges: [{ node: {} }] } }],
  ])('%s', async (query, variables, data) => {
    expect(await old.graphql(query, { token, variables })).toEqual({ data: expect.objectContaining(data) as unknown })
    expect(old.standIns.platform.calls('createNote')).toEqual([])
  })

  test.each([
    ['A', { me: { role: 'MANAGER' } }],
    ['B', { currentUser: { email: 'manager@demo.example' } }],
    ['C', { people: { totalCount: expect.any(Number) as unknown } }],
  ])('the operation %s of several', async (operationName, data) => {
    const body = JSON.stringify({ query: named, operationName })
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const answer = await fetch(`${old.url}/graphql`, { method: 'POST', headers, body })
    expect(await answer.json()).toEqual({ data })
  })

  test('aliases, and the errors of two root fields', async () => {
    const aliased = await old.graphql('{ leads(first: 1) { edges { node { id: name insight { id } } } } }', { token })
    expect(aliased.errors).toMatchObject([
      { message: expect.stringContaining('`id: name`') as unknown, extensions: { code: 'BAD_USER_INPUT' } },
    ])
    const [one, two] = ['ucid', 'name'].map((field) => `(filter: { ${field}: { like: "a", ilike: "b" } }) { totalCount }`)
    const query = `{ calls${one ?? ''} agents${two ?? ''} leads(first: 1) { edges { node { insight { id } } } } }`
    const code = { extensions: { code: 'BAD_USER_INPUT' } }
    expect((await old.graphql(query, { token })).errors).toMatchObject([code, code])
  })
})
