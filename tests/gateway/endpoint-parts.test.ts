import { makeExecutableSchema } from '@graphql-tools/schema'
import { GraphQLError } from 'graphql'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { startGateway, testPrincipal } from '../harness/gateway.ts'
import { startGraphqlUpstream } from '../harness/graphql-upstream.ts'
import type { Upstream } from '../harness/upstream.ts'

const recordsSdl = /* GraphQL */ `
  type Query {
    people(first: Int): PersonConnection
    leads(first: Int): PersonConnection
  }
  type Mutation {
    createLead(name: String): Person
    createCalendarEvent(title: String): CalendarEvent
  }
  type PersonConnection {
    totalCount: Int
    pageInfo: PageInfo
  }
  type PageInfo {
    endCursor: String
  }
  type Person {
    id: ID!
    name: String
  }
  type CalendarEvent {
    title: String
  }
`
const metadataSdl = /* GraphQL */ `
  type Query {
    currentUser: User!
    getRoles(first: Int): [Role!]!
    objects(first: Int): ObjectConnection
    apiKeys: [Role!]!
  }
  type Mutation {
    updateOneRole(label: String): Role
    createCalendarEvent(input: CalendarInput): CreatedEvent
  }
  input CalendarInput {
    title: String
  }
  type CreatedEvent {
    success: Boolean
    title: String
  }
  type User {
    id: ID!
    email: String
  }
  type Role {
    id: ID!
    label: String
  }
  type ObjectConnection {
    pageInfo: PageInfo
  }
  type PageInfo {
    hasNextPage: Boolean
  }
`

function schemasOf(order: string[] = []) {
  const connection = (_: unknown, { first }: { first?: number }) => ({ totalCount: first ?? 60, pageInfo: { endCursor: 'end' } })
  const records = makeExecutableSchema({
    typeDefs: recordsSdl,
    resolvers: {
      Query: { people: connection, leads: connection },
      Mutation: {
        createLead: (_: unknown, { name }: { name: string }) => (order.push(`records ${name}`), { id: '1', name }),
        createCalendarEvent: (_: unknown, { title }: { title: string }) => ({ title: `records ${title}` }),
      },
    },
  })
  const metadata = makeExecutableSchema({
    typeDefs: metadataSdl,
    resolvers: {
      Query: {
        currentUser: () => ({ id: 'user-1', email: 'agent1@demo.example' }),
        getRoles: () => [{ id: '1', label: 'Agent' }],
        objects: () => ({ pageInfo: { hasNextPage: true } }),
        apiKeys: () => {
          throw new GraphQLError('Forbidden resource', { extensions: { code: 'FORBIDDEN' } })
        },
      },
      Mutation: {
        updateOneRole: (_: unknown, { label }: { label: string }) => (order.push(`metadata ${label}`), { id: '1', label }),
        createCalendarEvent: (_: unknown, { input }: { input: { title: string } }) => ({ success: true, title: `metadata ${input.title}` }),
      },
    },
  })
  return { records, metadata }
}

async function open(order: string[] = []) {
  const stack = new AsyncDisposableStack()
  const { records, metadata } = schemasOf(order)
  const upstream = stack.use(await startGraphqlUpstream(records, metadata))
  const principalOf = () => testPrincipal()
  const gateway = stack.use(await startGateway({ platformUrl: upstream.url, principalOf }))
  return { upstream, gateway, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

const token = 'good'
const sentSchema = z.object({ query: z.string(), variables: z.record(z.string(), z.unknown()).nullish() })
const sent = (upstream: Upstream) =>
  upstream.seen
    .map(({ path, body }) => ({ path, ...sentSchema.parse(JSON.parse(body)) }))
    .filter(({ query }) => !query.includes('__schema'))

describe('an operation of one endpoint', () => {
  test.for([
    ['{ people { totalCount } __typename }', '/graphql'],
    ['query Q($first: Int) { getRoles(first: $first) { id ...R } } fragment R on Role { label }', '/metadata'],
    ['mutation { updateOneRole(label: "x") { id } }', '/metadata'],
    ['mutation { createCalendarEvent(title: "x") { title } }', '/graphql'],
  ] as const)('is forwarded unchanged: %s', async ([query, path]) => {
    await using house = await open()
    const body = `{ "variables" : {"first":2}, "query": ${JSON.stringify(query)} }`
    const response = await house.gateway.post(body, { token })
    expect(await response.json()).not.toHaveProperty('errors')
    expect(house.upstream.seen.map((seen) => [seen.path, seen.body])).toEqual([[path, body]])
  })
})

describe('an operation of three sides', () => {
  test('is split into three parts, each with the variables and fragments that it uses', async () => {
    await using house = await open()
    const query = `query Q($name: String!, $first: Int, $roles: Int, $yes: Boolean!) {
      greeting(name: $name)
      list: getRoles(first: $roles) { ...R }
      people(first: $first) { ...P @include(if: $yes) }
      left: leads @skip(if: $yes) { totalCount }
      __typename
      ... on Query @include(if: $yes) { currentUser { id } }
    }
    fragment R on Role { id label }
    fragment P on PersonConnection { totalCount }`
    const answer = await house.gateway.ask(query, { token, variables: { name: 'you', first: 2, roles: 3, yes: true } })
    expect(answer).toEqual({
      data: {
        greeting: 'Hello you',
        list: [{ id: '1', label: 'Agent' }],
        people: { totalCount: 2 },
        __typename: 'Query',
        currentUser: { id: 'user-1' },
      },
    })
    expect(Object.keys(answer.data ?? {})).toEqual(['greeting', 'list', 'people', '__typename', 'currentUser'])
    const parts = new Map(sent(house.upstream).map(({ path, ...part }) => [path, part]))
    expect(house.upstream.seen).toHaveLength(2)
    expect(parts.get('/metadata')?.variables).toEqual({ roles: 3 })
    expect(parts.get('/metadata')?.query).not.toContain('fragment P')
    expect(parts.get('/graphql')?.variables).toEqual({ first: 2 })
    expect(parts.get('/graphql')?.query).not.toMatch(/fragment R|\$roles|currentUser/)
  })

  test('runs mutations in the order of the document', async () => {
    const order: string[] = []
    await using house = await open(order)
    const answer = await house.gateway.ask(
      `mutation {
        a: createLead(name: "1") { id }
        b: updateOneRole(label: "2") { id }
        note(text: "3") { id }
        c: updateOneRole(label: "4") { id }
        d: createLead(name: "5") { id }
      }`,
      { token },
    )
    expect(answer).not.toHaveProperty('errors')
    expect(Object.keys(answer.data ?? {})).toEqual(['a', 'b', 'note', 'c', 'd'])
    expect(order).toEqual(['records 1', 'metadata 2', 'metadata 4', 'records 5'])
    expect(house.upstream.seen.map(({ path }) => path)).toEqual(['/graphql', '/metadata', '/metadata', '/graphql'])
  })

  test('runs a mutation that is selected in two places once', async () => {
    const order: string[] = []
    await using house = await open(order)
    const query =
      'mutation { a: createLead(name: "1") { id } note(text: "2") { id } ...A } fragment A on Mutation { a: createLead(name: "1") { name } }'
    const answer = await house.gateway.ask(query, { token })
    expect(answer).toMatchObject({ data: { a: { id: '1', name: '1' }, note: {} } })
    expect(order).toEqual(['records 1'])
  })

  test('keeps the other parts if one fails, and leaves out what @skip leaves out', async () => {
    await using house = await open()
    const query = '{ greeting(name: "x") keys: apiKeys { id } currentUser @skip(if: true) { id } people { totalCount } }'
    const { data, errors } = await house.gateway.ask(query, { token })
    expect(data).toEqual({ greeting: 'Hello x', keys: null, people: { totalCount: 60 } })
    expect(errors).toMatchObject([{ message: 'Forbidden resource', path: ['keys'], extensions: { code: 'FORBIDDEN' } }])
    const unknown = await house.gateway.ask('{ people { totalCount } currentUser { nope } }', { token })
    expect(unknown).toMatchObject({
      data: { people: { totalCount: 60 }, currentUser: null },
      errors: [{ message: 'Cannot query field "nope" on type "User".' }],
    })
  })

  test('without a token shows that the token is missing, beside the error of the platform', async () => {
    await using house = await open()
    const { errors } = await house.gateway.ask('{ viewer { email } nopes { id } }')
    expect(errors).toMatchObject([
      { path: ['viewer'], extensions: { code: 'UNAUTHENTICATED' } },
      {
        message:
          'Cannot query field "nopes" on type "Query". Sign in first: without an access token the platform shows none of its records',
        extensions: { code: 'UNAUTHENTICATED', reason: 'TOKEN_MISSING' },
      },
    ])
    const alone = await house.gateway.ask('{ nopes { id } }')
    expect(alone).toMatchObject({
      errors: [
        {
          message:
            'Cannot query field "nopes" on type "Query". Sign in first: without an access token the platform shows none of its records',
          extensions: { code: 'UNAUTHENTICATED' },
        },
      ],
    })
    const withToken = await house.gateway.ask('{ nopes { id } }', { token })
    expect(withToken).toMatchObject({ errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] })
  })
})

describe('prefixed names', () => {
  test('take the stitched path, all others do not', async () => {
    await using house = await open()
    const variables = { input: { title: 'a' } }
    const mutation = `mutation M($input: CalendarInput) {
      metadataCreateCalendarEvent(input: $input) { success title }
      createCalendarEvent(title: "b") { title }
      note(text: "c") { text }
    }`
    expect(await house.gateway.ask(mutation, { token, variables })).toEqual({
      data: {
        metadataCreateCalendarEvent: { success: true, title: 'metadata a' },
        createCalendarEvent: { title: 'records b' },
        note: { text: 'c' },
      },
    })
    const query = '{ objects { pageInfo { __typename ... on MetadataPageInfo { hasNextPage } } } leads { pageInfo { __typename } } }'
    expect(await house.gateway.ask(query, { token })).toEqual({
      data: {
        objects: { pageInfo: { __typename: 'MetadataPageInfo', hasNextPage: true } },
        leads: { pageInfo: { __typename: 'PageInfo' } },
      },
    })
    const readings = house.upstream.seen.length
    expect(await house.gateway.ask('{ objects { pageInfo { hasNextPage } } }', { token })).toEqual({
      data: { objects: { pageInfo: { hasNextPage: true } } },
    })
    expect(house.upstream.seen.length).toBe(readings + 1)
  })

  test('a fragment at the root that mixes sides is answered too', async () => {
    await using house = await open()
    const query = 'query { ...All } fragment All on Query { greeting(name: "x") currentUser { email } people(first: 1) { totalCount } }'
    expect(await house.gateway.ask(query, { token })).toEqual({
      data: { greeting: 'Hello x', currentUser: { email: 'agent1@demo.example' }, people: { totalCount: 1 } },
    })
  })
})
