import * as fc from 'fast-check'
import { makeExecutableSchema } from '@graphql-tools/schema'
import { GraphQLError } from 'graphql'
import { describe, expect, test } from 'vitest'
import { type GraphqlAnswer, startGateway, testPrincipal } from '../harness/gateway.ts'
import { smallMetadata, startGraphqlUpstream } from '../harness/graphql-upstream.ts'
import { workspaceToken } from '../harness/workspace-token.ts'

const token = 'good'
const unknownField: unknown = expect.stringContaining('Cannot query field "nothing"')
const principalOf = (given: string) => (given.startsWith('good') ? testPrincipal({ workspaceId: given }) : null)

const platformSdl = /* GraphQL */ `
  type Query {
    lead(id: ID): Lead
    leads(first: Int): [Lead]
    broken(kind: String): Lead
    word: String
  }
  type Mutation {
    rename(id: ID!, name: String!): Lead
  }
  type Lead {
    id: ID!
    name: String
    aiSummary: String
    aiSuggestedAction: String
    aiInsightAt: String
    sure: String!
    owner: Lead
  }
`
const lead = (id: string): Record<string, unknown> => ({
  id,
  name: `Lead ${id}`,
  aiSummary: id === '2' ? null : `Summary of ${id}`,
  aiSuggestedAction: id === '1' ? 'call back' : 'DANCE',
  aiInsightAt: '2026-03-01T15:00:00.000+05:30',
  sure: () => {
    if (id === '3') throw new GraphQLError('Never sure', { extensions: { code: 'FORBIDDEN', subCode: 'PERMISSION_DENIED' } })
    return 'sure'
  },
  owner: () => (id === '1' ? lead('3') : null),
})
const platformResolvers = {
  Query: {
    lead: (_: unknown, { id }: { id?: string }) => lead(id ?? '1'),
    leads: (_: unknown, { first = 3 }: { first?: number }) => ['1', '2', '3', '4'].slice(0, first).map(lead),
    broken: (_: unknown, { kind }: { kind?: string }) => {
      throw new GraphQLError(`Broken ${kind ?? ''}`, { extensions: { code: 'NOT_FOUND', http: { status: 418 } } })
    },
    word: () => 'word',
  },
  Mutation: { rename: (_: unknown, { id, name }: { id: string; name: string }) => ({ ...lead(id), name }) },
}

function platformSchema(sdl = platformSdl) {
  return makeExecutableSchema({
    typeDefs: sdl,
    resolvers: platformResolvers,
    resolverValidationOptions: { requireResolversToMatchSchema: 'ignore' },
  })
}

describe('split and stitched give the same answer', () => {
  const leadFields = fc.subarray(
    ['id', 'name', '__typename', 'again: name', 'sure', 'owner { id sure }', '... on Lead { n2: name }', '...LeadParts'],
    {
      minLength: 1,
    },
  )
  const leadSet = leadFields.map((fields) => `{ ${fields.join(' ')} }`)
  const skip = fc.constantFrom('', ' @include(if: $yes)', ' @skip(if: $yes)')
  const selections = fc.record({
    ours: fc.subarray(
      [
        'greeting(name: $name)',
        'viewer { email __typename }',
        'o1: fewItems(count: 3) { id name faulty }',
        'o2: faulty(kind: APP)',
        'o3: greeting(name: "b", at: $at)',
        'o4: managerOnly',
        'o5: faultyAtRoot',
      ],
      { minLength: 1 },
    ),
    theirs: fc.array(
      fc.oneof(
        fc
          .tuple(fc.constantFrom('lead', 'p1: lead(id: "3")', 'leads(first: $first)', 'p2: leads'), skip, leadSet)
          .map((parts) => parts.join('')),
        fc.tuple(fc.constantFrom('broken(kind: "x")', 'p3: broken'), leadSet).map((parts) => parts.join('')),
        fc.tuple(fc.constantFrom('word', 'p4: word'), skip).map((parts) => parts.join('')),
      ),
      { minLength: 1, maxLength: 4 },
    ),
    meta: fc.constantFrom('', '__typename', 't: __typename'),
    seed: fc.nat(),
  })

  test('over generated queries, errors and nulls included', async () => {
    await using upstream = await startGraphqlUpstream(platformSchema())
    await using gateway = await startGateway({ platformUrl: upstream.url, principalOf })
    const variables = new Map<string, unknown>(Object.entries({ name: 'you', at: '2026-03-01T15:00:00+05:30', first: 2, yes: true }))
    let compared = 0
    await fc.assert(
      fc.asyncProperty(selections, async ({ ours, theirs, meta, seed }) => {
        const unique = [...new Map(theirs.map((text) => [/^\w+/.exec(text)?.[0] ?? text, text])).values()]
        const all = shuffled([...ours, ...unique, ...(meta === '' ? [] : [meta])], seed)
        const text = all.join(' ')
        const used = Object.entries({ name: 'String!', at: 'DateTime', first: 'Int', yes: 'Boolean!' }).filter(([name]) =>
          text.includes(`$${name}`),
        )
        const declared = used.length === 0 ? '' : `(${used.map(([name, type]) => `$${name}: ${type}`).join(', ')})`
        const parts = text.includes('LeadParts') ? 'fragment LeadParts on Lead { name fragmentName: name }' : ''
        const options = { token, variables: Object.fromEntries(used.map(([name]) => [name, variables.get(name)])) }
        const split = await gateway.ask(`query Q${declared} { ${text} } ${parts}`, options)
        // A fragment that mixes both sides cannot be split.
        const stitched = await gateway.ask(`query Q${declared} { ...All } fragment All on Query { ${text} } ${parts}`, options)
        const [one, other] = [comparable(split), comparable(stitched)]
        expect(other.data).toEqual(one.data)
        expect(sameErrors(one, other), JSON.stringify([one.errors, other.errors])).toBe(true)
        expect(Object.keys(stitched.data ?? {})).toEqual(Object.keys(split.data ?? {}))
        compared += 1
      }),
      { numRuns: 150, seed: 7 },
    )
    expect(compared).toBe(150)
    expect(gateway.graphql.schemas.figures().size).toBe(1)
  })
})

describe('the stitched schema', () => {
  test('adds Lead.insight from the configured fields and answers both sides', async () => {
    await using upstream = await startGraphqlUpstream(platformSchema())
    await using gateway = await startGateway({ platformUrl: upstream.url, principalOf })
    const query = '{ leads(first: 3) { id insight { summary suggestedAction writtenAt __typename } } word viewer { email } }'
    const answer = await gateway.ask(query, { token })
    const writtenAt = '2026-03-01T09:30:00.000Z'
    expect(answer).toEqual({
      data: {
        leads: [
          { id: '1', insight: { summary: 'Summary of 1', suggestedAction: 'CALL_BACK', writtenAt, __typename: 'LeadInsight' } },
          { id: '2', insight: null },
          { id: '3', insight: { summary: 'Summary of 3', suggestedAction: null, writtenAt, __typename: 'LeadInsight' } },
        ],
        word: 'word',
        viewer: { email: 'agent1@demo.example' },
      },
    })
    // One request for the schema, one for both root fields of the platform.
    expect(upstream.seen.filter(({ body }) => !body.includes('__schema'))).toHaveLength(1)
  })

  test('preserves locations and extensions of errors, shows an error without a path once, and ignores an HTTP status in extensions', async () => {
    await using upstream = await startGraphqlUpstream(platformSchema())
    await using gateway = await startGateway({ platformUrl: upstream.url, principalOf })
    const response = await gateway.post({ query: '{\n  broken(kind: "x") { id insight { summary } }\n}' }, { token })
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({
      data: { broken: null },
      errors: [
        {
          message: 'Broken x',
          path: ['broken'],
          locations: [{ line: 2, column: 3 }],
          extensions: { code: 'NOT_FOUND', http: { status: 418 } },
        },
      ],
    })
    const get = await fetch(`${gateway.url}/graphql?query=${encodeURIComponent('{ broken { id insight { summary } } }')}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(get.status).toBe(200)
  })

  test('introspection needs a token, shows both sides, and shows only ours if the platform is not available', async () => {
    await using gateway = await startGateway({ platformUrl: 'http://127.0.0.1:9', principalOf })
    const names = '{ __schema { queryType { fields { name } } } }'
    expect(await gateway.ask(names)).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] })
    expect(JSON.stringify(await gateway.ask(names, { token }))).toContain('"viewer"')
    expect(await gateway.ask('{ lead { insight { summary } } }', { token })).toMatchObject({
      errors: [{ extensions: { code: 'UPSTREAM_UNAVAILABLE' } }],
    })
    expect(await gateway.ask('{ viewer { email } }', { token })).toEqual({ data: { viewer: { email: 'agent1@demo.example' } } })
  })

  test('our root fields win, and our types are renamed if the workspace has the same names', async () => {
    const clashing = `${platformSdl} extend type Query { greeting: Int viewerOfTheirs: GatewayViewer } type GatewayViewer { theirs: String }`
    await using upstream = await startGraphqlUpstream(platformSchema(clashing))
    await using gateway = await startGateway({ platformUrl: upstream.url, principalOf })
    const answer = await gateway.ask(
      '{ greeting(name: "x") viewer { __typename email } viewerOfTheirs { theirs } lead { insight { summary } } __type(name: "GatewayViewer") { fields { name } } }',
      { token },
    )
    expect(answer).toMatchObject({
      data: {
        greeting: 'Hello x',
        viewer: { __typename: 'SidecarGatewayViewer', email: 'agent1@demo.example' },
        viewerOfTheirs: null,
        __type: { fields: [{ name: 'theirs' }] },
      },
    })
    expect([...gateway.graphql.schemas.figures().values()]).toMatchObject([{ renamed: ['GatewayViewer'], hidden: ['Query.greeting'] }])
  })

  test('is not needed for an operation of ours, and stays as it was while it cannot be read again', async () => {
    let isAway = true
    await using upstream = await startGraphqlUpstream(platformSchema(), smallMetadata, () => (isAway ? 'not now' : null))
    await using gateway = await startGateway({ platformUrl: upstream.url, principalOf, stitching: { rereadMs: 1 } })
    const own = await gateway.ask('{ __type(name: "GatewayViewer") { name } viewer { memberId } }', { token })
    expect(own).toMatchObject({ data: { __type: { name: 'GatewayViewer' }, viewer: {} } })
    isAway = false
    const asked = (field: string) => gateway.ask(`{ leads(first: 1) { id ${field} insight { summary } } }`, { token })
    expect(await asked('name')).toMatchObject({ data: { leads: [{ name: 'Lead 1' }] } })
    isAway = true
    expect((await asked('nothing')).errors).toMatchObject([{ message: unknownField }])
  })

  test('is built once for concurrent requests, shared by workspaces with the same schema, and read again after an unknown field', async () => {
    let sdl = platformSdl
    const schemas = new Map<string, ReturnType<typeof platformSchema>>()
    const current = () => schemas.get(sdl) ?? schemas.set(sdl, platformSchema(sdl)).get(sdl) ?? platformSchema(sdl)
    const { startUpstream, sendJson } = await import('../harness/upstream.ts')
    const { graphql } = await import('graphql')
    await using upstream = await startUpstream(async ({ body, path }, response) => {
      const source = /"query":("(?:[^"\\]|\\.)*")/.exec(body)?.[1] ?? '""'
      const schema = path === '/graphql' ? current() : smallMetadata
      sendJson(response, await graphql({ schema, source: String(JSON.parse(source)) }))
    })
    await using gateway = await startGateway({ platformUrl: upstream.url, principalOf, stitching: { rereadMs: 1 } })
    const query = '{ lead { id insight { summary } } }'
    const readings = () => upstream.seen.filter(({ body, path }) => path === '/graphql' && body.includes('__schema')).length
    await Promise.all(Array.from({ length: 20 }, () => gateway.ask(query, { token: 'good-a' })))
    expect(readings()).toBe(1)
    await gateway.ask(query, { token: 'good-b' })
    expect(readings()).toBe(2)
    expect(gateway.graphql.schemas.figures().size).toBe(1)

    sdl = `${platformSdl} extend type Lead { grown: String }`
    expect(await gateway.ask('{ lead { id grown insight { summary } } }', { token: 'good-a' })).toMatchObject({
      data: { lead: { id: '1', grown: null } },
    })
    expect(upstream.seen.map(({ headers }) => headers.authorization)).not.toContain(undefined)
  })
})

type Comparable = { readonly data: unknown; readonly errors: readonly string[] }

/** Without what the two texts must differ in: places in the text, the request's id, and the order in which errors came. */
function comparable({ data, errors = [] }: GraphqlAnswer): Comparable {
  const texts = errors.map((error) =>
    JSON.stringify({ ...error, locations: undefined }).replaceAll(/"requestId":"[^"]*"/g, '"requestId":""'),
  )
  const sorted = texts.map((text) => JSON.stringify(sortedKeys(JSON.parse(text)))).sort()
  return { data, errors: sorted }
}

/** Where all of the data is null, what stood beside the field at fault need not have run to its end. */
function sameErrors(one: Comparable, other: Comparable): boolean {
  if (one.data === null) return one.errors.some((error) => other.errors.includes(error))
  return JSON.stringify(one.errors) === JSON.stringify(other.errors)
}

function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => sortedKeys(item))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([key, inner]: [string, unknown]) => [key, sortedKeys(inner)]),
  )
}

function shuffled(items: readonly string[], seed: number): readonly string[] {
  return [...items]
    .map((item, index) => ({ item, rank: (seed * (index + 7) * 2_654_435_761) % 1_000 }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item)
}

test('an API key reads stitched fields only if its workspace is served', async () => {
  let subdomain = 'elsewhere'
  let asked = 0
  const metadata = makeExecutableSchema({
    typeDefs: 'type Query { currentWorkspace: Workspace } type Workspace { id: ID! subdomain: String! }',
    resolvers: { Query: { currentWorkspace: () => ((asked += 1), { id: 'workspace-1', subdomain }) } },
  })
  await using upstream = await startGraphqlUpstream(platformSchema(), metadata)
  await using gateway = await startGateway({ platformUrl: upstream.url })
  const ask = () => gateway.ask('{ lead { insight { summary } } }', { token: workspaceToken('workspace-1') })
  expect(await ask()).toMatchObject({ errors: [{ extensions: { reason: 'WORKSPACE_NOT_SERVED' } }] })
  subdomain = 'demo'
  const before = asked
  // The platform is asked once whose key it is.
  for (let time = 0; time < 2; time += 1) expect(await ask()).toEqual({ data: { lead: { insight: { summary: 'Summary of 1' } } } })
  expect(asked - before).toBe(1)
})
