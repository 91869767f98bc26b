import * as fc from 'fast-check'
import { makeExecutableSchema } from '@graphql-tools/schema'
import { execute, type ExecutionResult, parse, validate } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Gateway, type GraphqlAnswer, startGateway, testPrincipal } from '../harness/gateway.ts'
import { startGraphqlUpstream } from '../harness/graphql-upstream.ts'
import type { Upstream } from '../harness/upstream.ts'

const token = 'good'

const platformSdl = /* GraphQL */ `
  type Query {
    lead(id: ID = "1"): Lead
    leads(first: Int, filter: LeadFilter): [Lead]
    word: String
  }
  type Mutation {
    rename(id: ID!, name: String!): Lead
  }
  type Lead {
    id: ID!
    name: String
    aiSummary: String
    owner: Lead
  }
  input LeadFilter {
    name: String = "Lead"
    ids: [ID!]
  }
`
const ownSdl = /* GraphQL */ `
  directive @auth(role: ApplicationRole! = USER) on FIELD_DEFINITION
  directive @public on FIELD_DEFINITION
  enum ApplicationRole {
    USER
    AGENT
    MANAGER
  }
  type Query {
    greeting(name: String!): String! @public
    items(first: Int! = 2, tag: ItemTag): [OwnItem!] @public
    leadInsights(leads: [LeadInsightKey!]!): [LeadInsight]! @public
  }
  type Mutation {
    note(text: String!): OwnItem @public
  }
  type Subscription {
    ticks(count: Int!): Int! @public
  }
  type OwnItem {
    id: ID!
    name: String
    tag: String
    part: OwnItem
  }
  input ItemTag {
    word: String! = "w"
    number: Int
  }
  type LeadInsight {
    summary: String!
  }
  input LeadInsightKey {
    id: ID!
    summary: String
  }
`
type Lead = { readonly id: string; readonly name: string; readonly aiSummary: string | null; readonly owner: Lead | null }
const lead = (id: string, name = 'Lead'): Lead => {
  const owner = id === '1' ? lead('3') : null
  return { id, name: `${name} ${id}`, aiSummary: id === '2' ? null : `Summary of ${id}`, owner }
}
type Filter = { readonly name: string; readonly ids?: readonly string[] }
const platformRoot = {
  Query: {
    lead: (_: unknown, { id }: { id: string | null }) => lead(id ?? '4'),
    leads: (_: unknown, { first, filter }: { first?: number | null; filter?: Filter | null }) =>
      (filter?.ids ?? ['1', '2', '3', '4', '5']).slice(0, first ?? 5).map((id) => lead(id, filter?.name)),
    word: () => 'word',
  },
  Mutation: { rename: (_: unknown, { id, name }: { id: string; name: string }) => lead(id, name) },
}
type Tag = { readonly word: string; readonly number?: number | null }
const item = (id: string, tag: string | null = null) => ({
  id,
  name: `item ${id}`,
  tag,
  part: { id: `${id}.1`, name: null, tag, part: null },
})
const insightOf = ({ aiSummary }: Lead) => (aiSummary === null ? null : { summary: aiSummary })
const ownRoot = {
  Query: {
    greeting: (_: unknown, { name }: { name: string }) => `Hello ${name}`,
    items: (_: unknown, { first, tag }: { first: number; tag?: Tag | null }) =>
      Array.from({ length: first }, (_item, index) => item(String(index), tag ? `${tag.word} ${tag.number ?? 'none'}` : null)),
    leadInsights: (_: unknown, { leads }: { leads: readonly { readonly summary?: string | null }[] }) =>
      leads.map(({ summary = null }) => (summary === null ? null : { summary })),
  },
  Mutation: { note: (_: unknown, { text }: { text: string }) => item(text) },
}
const subscriptions = {
  Subscription: {
    ticks: {
      async *subscribe(_: unknown, { count }: { count: number }) {
        for (let tick = 1; tick <= count; tick += 1) yield { ticks: tick }
      },
    },
  },
}

/** Both sides as one schema, whose answers graphql-js gives. */
const whole = makeExecutableSchema({
  typeDefs: [ownSdl, platformSdl, 'extend type Lead { insight: LeadInsight }'],
  resolvers: [ownRoot, platformRoot, { Lead: { insight: insightOf } }],
})

let upstream: Upstream
let gateway: Gateway
beforeAll(async () => {
  upstream = await startGraphqlUpstream(makeExecutableSchema({ typeDefs: platformSdl, resolvers: platformRoot }))
  const resolvers = { ...ownRoot, ...subscriptions }
  gateway = await startGateway({ platformUrl: upstream.url, typeDefs: ownSdl, resolvers, principalOf: () => testPrincipal() })
})
afterAll(async () => {
  await gateway[Symbol.asyncDispose]()
  await upstream[Symbol.asyncDispose]()
})

type Sent = { readonly query: string; readonly variables?: Record<string, unknown>; readonly operationName?: string }
const ask = ({ query, ...rest }: Sent): Promise<GraphqlAnswer> => gateway.ask(query, { token, ...rest })
const expected = async ({ query, variables, operationName }: Sent): Promise<ExecutionResult> =>
  execute({ schema: whole, document: parse(query), variableValues: variables ?? {}, ...(operationName && { operationName }) })
const isAliasRefusal = ({ data, errors = [] }: GraphqlAnswer): boolean =>
  data === undefined && errors.length > 0 && errors.every(({ message }) => String(message).startsWith('The alias in `'))

describe('is answered as by one schema', () => {
  test.each<[string, Sent]>([
    ['a field of the platform that is skipped', { query: '{ greeting(name: "a") leads @skip(if: true) { id } }' }],
    ['a field of ours that is skipped', { query: '{ greeting(name: "a") @skip(if: true) leads(first: 1) { id } }' }],
    ['both', { query: 'query($no: Boolean!) { greeting(name: "a") @include(if: $no) word @include(if: $no) }', variables: { no: false } }],
    [
      'a root fragment',
      { query: 'query($no: Boolean = false) { ...F @include(if: $no) word } fragment F on Query { greeting(name: "a") }' },
    ],
    ['what a root fragment leaves out', { query: '{ ...F word } fragment F on Query { greeting(name: "a") @skip(if: true) lead { id } }' }],
    ['all of a selection set', { query: '{ word items { id part { name @skip(if: true) } } }' }],
    ['all of one beside an added field', { query: '{ leads(first: 1) { owner { name @skip(if: true) } insight { summary } } }' }],
    ['all of a set in a line of its own', { query: '{\n  word\n  items {\n    part {\n      id @skip(if: true)\n    }\n  }\n}' }],
    [
      'all of a fragment that stands before the operation',
      {
        query: 'fragment F on Lead { a:id@skip(if:$i) } query($i: Boolean!) { greeting(name: "a") leads { id ...F } }',
        variables: { i: true },
      },
    ],
    ['a default that is no number of JSON', { query: 'query($id: ID = 12345678901234567890) { word items { id } lead(id: $id) { id } }' }],
    ['a default', { query: 'query($n: Int = 1) { greeting(name: "a") leads(first: $n) { id } }' }],
    ['a default beside an added field', { query: 'query($n: Int = 1) { leads(first: $n) { id insight { summary } } }' }],
    ['a null instead of a default', { query: 'query($n: Int = 1) { word items { id } leads(first: $n) { id } }', variables: { n: null } }],
    ['a default inside an input object', { query: 'query($t: String = "T") { greeting(name: "a") leads(filter: { name: $t }) { name } }' }],
    ['a default that is an object', { query: 'query($f: LeadFilter = { ids: ["3"] }) { word items { id } leads(filter: $f) { name } }' }],
    ['a default of ours that is an object', { query: 'query($t: ItemTag = { number: 3 }) { word items(tag: $t) { tag } }' }],
    [
      'the last of two values of one name',
      { query: 'query($a: Boolean!, $b: Boolean!) { word items @skip(if: $a) @include(if: $b) { id } }', variables: { a: false, b: true } },
    ],
  ])('%s', async (_what, sent) => {
    expect(await ask(sent)).toEqual(JSON.parse(JSON.stringify(await expected(sent))))
  })

  test('an error has its place in the text of the client', async () => {
    const query =
      'query A { word }\nquery B($off: Boolean = false) {\n  word @include(if: $off) greeting(name: "a") leads(first: 1) {\n    id @skip(if: $off) ...L @include(if: $off) nothing } } fragment L on Lead { id }'
    const answer = await ask({ query, operationName: 'B' })
    expect(answer.errors).toMatchObject([
      { message: expect.stringContaining('Cannot query field "nothing"') as unknown, locations: [{ line: 4, column: 48 }] },
    ])
  })

  test('a condition without a value is the client’s fault', async () => {
    const query = 'query($on: Boolean!) { greeting(name: "a") leads @include(if: $on) { id } }'
    for (const variables of [{}, { on: null }, { on: 'true' }])
      expect(await ask({ query, variables })).toMatchObject({
        errors: [{ message: expect.stringMatching(/^on: /v) as unknown, extensions: { code: 'BAD_USER_INPUT' } }],
      })
  })

  test.each([true, false])('a fragment with an added field under @include(if: %s)', async (given) => {
    const parts = 'fragment B on Lead { name insight { summary } }'
    for (const place of [
      '...B @include(if: $i)',
      '... @include(if: $i) { insight { summary } name }',
      'insight @include(if: $i) { summary }',
    ]) {
      for (const also of ['', 'greeting(name: "a")']) {
        const query = `query($i: Boolean!) { ${also} leads(first: 2) { id ${place} } } ${place.startsWith('...B') ? parts : ''}`
        const sent = { query, variables: { i: given } }
        expect(await ask(sent), query).toEqual(JSON.parse(JSON.stringify(await expected(sent))))
      }
    }
  })

  test('the named one of several operations, whatever the others ask', async () => {
    const query = `
      query Ours { greeting(name: "a") }
      query Theirs($n: Int = 1) { leads(first: $n) { id } }
      query Added { leads(first: 1) { ...L insight { summary } } }
      query Mixed { word items { ...I } }
      mutation Change { rename(id: "1", name: "x") { ...L } note(text: "n") { id } }
      fragment L on Lead { name }
      fragment I on OwnItem { id }`
    for (const operationName of ['Ours', 'Theirs', 'Added', 'Mixed', 'Change']) {
      const sent = { query, operationName }
      expect(await ask(sent), operationName).toEqual(JSON.parse(JSON.stringify(await expected(sent))))
    }
  })

  test('a refusal is the same by POST, by GET and as an event', async () => {
    const query = '{ lead { id: name insight { summary } } }'
    const headers = { authorization: `Bearer ${token}` }
    const got = await fetch(`${gateway.url}/graphql?${new URLSearchParams({ query }).toString()}`, { headers })
    expect(got.status).toBe(400)
    const events = await (await gateway.post({ query }, { token, headers: { accept: 'text/event-stream' } })).text()
    const { errors = [] } = await ask({ query })
    const withoutId = (answer: unknown): unknown =>
      JSON.parse(JSON.stringify(answer, (key, value: unknown) => (key === 'requestId' ? undefined : value)))
    const same = withoutId({ errors })
    expect([await got.json(), JSON.parse(/^data: (.+)$/mv.exec(events)?.[1] ?? 'null')].map(withoutId)).toEqual([same, same])
  })

  test('none of several operations of one name', async () => {
    const query = 'query A { greeting(name: "a") } query A { word } query B { word }'
    expect(await ask({ query, operationName: 'A' })).toMatchObject({ errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] })
    expect(await ask({ query, operationName: 'B' })).toEqual({ data: { word: 'word' } })
  })

  test.each<[string, Sent]>([
    [
      'an operation of ours beside others',
      { query: 'query A { greeting(name: "a") } query B { lead { id } ...F } fragment F on Query { word }', operationName: 'A' },
    ],
    [
      'one of both sides',
      {
        query: 'query A($n: Int = 1) { items(first: $n) { id } leads(first: $n) { id } word @skip(if: true) } query B { word }',
        operationName: 'A',
      },
    ],
    [
      'one with an added field',
      { query: 'query A($i: Boolean = true) { leads(first: 1) { insight @include(if: $i) { summary } } } { word }', operationName: 'A' },
    ],
  ])('%s, by GET and as an event stream', async (_what, sent) => {
    const wanted: unknown = JSON.parse(JSON.stringify(await expected(sent)))
    const query = new URLSearchParams({ query: sent.query, operationName: sent.operationName ?? '' })
    const got = await fetch(`${gateway.url}/graphql?${query.toString()}`, { headers: { authorization: `Bearer ${token}` } })
    expect(await got.json()).toEqual(wanted)
    const events = await (await gateway.post(sent, { token, headers: { accept: 'text/event-stream' } })).text()
    expect(JSON.parse(/^data: (.+)$/mv.exec(events)?.[1] ?? 'null')).toEqual(wanted)
  })

  test('a subscription, unless it has no field left', async () => {
    const query = 'subscription($on: Boolean!) { ticks(count: 1) @include(if: $on) }'
    const streamed = async (on: boolean): Promise<string> =>
      (await gateway.post({ query, variables: { on } }, { token, headers: { accept: 'text/event-stream' } })).text()
    expect(await streamed(true)).toContain('{"data":{"ticks":1}}')
    expect(await streamed(false)).toContain('"code":"BAD_USER_INPUT"')
  })

  test('generated documents', async () => {
    const condition = fc.constantFrom(
      '',
      '',
      '',
      '@skip(if: $yes)',
      '@skip(if: $no)',
      '@include(if: $yes)',
      '@include(if: $no)',
      '@skip(if: true) @include(if: $yes)',
    )
    const alias = fc.constantFrom('', '', 'a: ', 'b: ', 'id: ', 'name: ')
    const { leadSet, itemSet } = fc.letrec<{ leadSet: string; itemSet: string; lead: string; item: string }>((tie) => ({
      lead: fc.oneof(
        { depthSize: 'small' },
        fc.tuple(alias, fc.constantFrom('id', 'name', 'aiSummary', '__typename'), condition).map((parts) => parts.join('')),
        fc
          .tuple(alias, fc.constant('insight'), condition, fc.constantFrom('{ summary }', '{ s: summary @skip(if: $no) }'))
          .map((parts) => parts.join('')),
        fc.tuple(fc.constantFrom('...L', '...M'), condition).map((parts) => parts.join(' ')),
        fc.tuple(fc.constantFrom('...', '... on Lead'), condition, tie('leadSet')).map((parts) => parts.join(' ')),
        fc.tuple(alias, fc.constant('owner'), condition, tie('leadSet')).map((parts) => parts.join(' ')),
      ),
      leadSet: fc.array(tie('lead'), { minLength: 1, maxLength: 3 }).map((fields) => `{ ${fields.join(' ')} }`),
      item: fc.oneof(
        { depthSize: 'small' },
        fc.tuple(alias, fc.constantFrom('id', 'name', 'tag', '__typename'), condition).map((parts) => parts.join('')),
        fc.tuple(alias, fc.constant('part'), condition, tie('itemSet')).map((parts) => parts.join(' ')),
      ),
      itemSet: fc.array(tie('item'), { minLength: 1, maxLength: 3 }).map((fields) => `{ ${fields.join(' ')} }`),
    }))
    const root = fc.oneof(
      fc.tuple(
        fc.constantFrom('leads(first: $first)', 'l2: leads(filter: { name: $name })', 'lead(id: $id)', 'l3: lead'),
        condition,
        leadSet,
      ),
      fc.tuple(fc.constantFrom('items(first: 1, tag: $tag)', 'i2: items(tag: { word: $name })', 'i3: items'), condition, itemSet),
      fc.tuple(fc.constantFrom('word', 'w2: word', 'greeting(name: $name)', '__typename', '...R', '...S'), condition),
    )
    const definitions = {
      yes: '$yes: Boolean! = true',
      no: '$no: Boolean!',
      first: '$first: Int = 2',
      name: '$name: String! = "N"',
      id: '$id: ID',
      tag: '$tag: ItemTag = { number: 1 }',
    }
    const fragments = fc.record({
      L: leadSet,
      M: leadSet,
      R: fc.constantFrom('{ word }', '{ greeting(name: $name) r: word @skip(if: $no) }'),
      S: fc.constantFrom('{ lead { id } }', '{ items { id } }'),
    })
    const values = fc.record(
      {
        yes: fc.boolean(),
        first: fc.constantFrom(1, null),
        name: fc.constant('given'),
        id: fc.constantFrom('2', null),
        tag: fc.constantFrom({ word: 'x' }, null),
      },
      { requiredKeys: [] },
    )
    let compared = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(root, { minLength: 1, maxLength: 4 }),
        fragments,
        values,
        fc.boolean(),
        fc.boolean(),
        async (...[roots, parts, given, no, hasOther]) => {
          const set = `{ ${roots.map((fields) => fields.join(' ')).join(' ')} }`
          const used: string[] = []
          for (let text = set, before = ''; text !== before;) {
            before = text
            used.splice(0)
            for (const [name, body] of Object.entries(parts))
              if (new RegExp(`\\.\\.\\.${name}\\b`, 'v').test(text))
                used.push(`fragment ${name} on ${'RS'.includes(name) ? 'Query' : 'Lead'} ${body}`)
            text = set + used.join(' ')
          }
          const rest = used.join(' ')
          const named = Object.entries(definitions).filter(([name]) => `${set} ${rest}`.includes(`$${name}`))
          const declared = named.length === 0 ? '' : `(${named.map(([, text]) => text).join(', ')})`
          const other = hasOther ? 'query Other { greeting(name: "o") lead { id } }' : ''
          const query = `query Q${declared} ${set} ${rest} ${other}`
          fc.pre(validate(whole, parse(query)).length === 0)
          const sent = {
            query,
            operationName: 'Q',
            variables: Object.fromEntries(Object.entries({ ...given, no }).filter(([name]) => named.some(([one]) => one === name))),
          }
          const [answer, wanted] = [await ask(sent), await expected(sent)]
          // What a field of ours needs is asked for beside the client's fields.
          if (isAliasRefusal(answer) && /\b(?:id|name): .*insight|insight.*\b(?:id|name): /v.test(query)) return
          expect(JSON.stringify(answer.data), `${query} ${JSON.stringify([sent.variables, answer.errors])}`).toBe(
            JSON.stringify(wanted.data),
          )
          expect(answer.errors).toEqual(undefined)
          compared += 1
        },
      ),
      { numRuns: 200, seed: 11 },
    )
    expect(compared).toBeGreaterThan(150)
  })
})
