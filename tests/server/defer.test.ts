import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { Defer20220824Handler } from '@apollo/client/incremental'
import { Client, fetchExchange } from '@urql/core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createTestApp, type TestApp } from '../harness/app.ts'
import { createTestClock, type TestClock } from '../harness/clock.ts'
import { startGateway, testPrincipal } from '../harness/gateway.ts'
import { type Answering, answering } from '../harness/subscribe.ts'
import { waitFor } from '../harness/wait-for.ts'

let clock: TestClock
let app: TestApp
let token: string
let releaseModel = (): void => {}
beforeAll(async () => {
  clock = createTestClock()
  app = await createTestApp({ clock })
})
beforeEach(async () => {
  token = (await app.signIn('manager@demo.example')).token
})
afterEach(() => releaseModel())
afterAll(() => app[Symbol.asyncDispose]())

const screenPop = (phoneNumber: string) =>
  `{ callLookup(phoneNumber: "${phoneNumber}") { match lead { name } ... @defer(label: "who") { enrichment { available whoIsThis } } } }`

function holdModel(): void {
  const release = app.standIns.models.holdAnswers('')
  releaseModel = () => (release(), (releaseModel = () => {}))
}

/** Each of a lead. What the model says about one is stored for each member. */
const knownNumbers = { parts: '9812345670', events: '9890123456' }
const accepted = { parts: 'multipart/mixed;deferSpec=20220824, application/json', events: 'text/event-stream' }

const ask = (query: string, accept: string): Promise<Answering> => answering(`${app.url}/graphql`, { query, accept, token })

const anyText: unknown = expect.any(String)
const partSchema = z.looseObject({
  data: z.unknown().optional(),
  errors: z.array(z.looseObject({ extensions: z.looseObject({ code: z.string(), reason: z.string() }) })).optional(),
  incremental: z
    .array(z.looseObject({ data: z.unknown().optional(), path: z.array(z.unknown()), label: z.string().optional() }))
    .optional(),
  hasNext: z.boolean().optional(),
})

/** The JSON documents in the text of an answer of either form, which all begin a line of their own. */
function partsOf({ text }: { readonly text: string }) {
  const documents = text.split(/\r?\n/).flatMap((line) => /^(?:data: )?(\{.*\})$/.exec(line)?.[1] ?? [])
  return documents.map((document) => partSchema.parse(JSON.parse(document)))
}

describe.each(['parts', 'events'] as const)('a deferred answer in %s', (form) => {
  const accept = accepted[form]
  test('has the lead at once and the enrichment when it is written', async () => {
    holdModel()
    const answer = await ask(screenPop(knownNumbers[form]), accept)
    const [first] = await waitFor(() => (partsOf(answer).length > 0 ? partsOf(answer) : null))
    expect(first).toMatchObject({ data: { callLookup: { match: 'ONE', lead: { name: anyText } } }, hasNext: true })
    expect(answer.text).not.toContain('enrichment')
    releaseModel()
    await waitFor(() => answer.ended)
    const parts = partsOf(answer)
    const [piece] = parts.flatMap(({ incremental }) => incremental ?? [])
    expect(piece).toMatchObject({
      label: 'who',
      path: ['callLookup'],
      data: { enrichment: { available: true, whoIsThis: anyText } },
    })
    expect(parts.at(-1)?.hasNext).toBe(false)
    expect(answer.type).toContain(form === 'parts' ? 'multipart/mixed' : 'text/event-stream')
  })

  test('ends with its token, and sends nothing that comes later', async () => {
    token = (await app.signIn('user@demo.example')).token
    holdModel()
    const answer = await ask(screenPop(knownNumbers[form]), accept)
    await waitFor(() => partsOf(answer).length > 0)
    clock.advance(31 * 60_000)
    releaseModel()
    await waitFor(() => answer.ended)
    expect(partsOf(answer).at(-1)).toMatchObject({
      errors: [{ extensions: { code: 'UNAUTHENTICATED', reason: 'TOKEN_REFUSED' } }],
      hasNext: false,
    })
    expect(answer.text).not.toContain('whoIsThis')
  })

  test('ends at the deadline with an error', async () => {
    await using gateway = await startSlowGateway({ deadlineMs: 500 })
    const answer = await answering(`${gateway.url}/graphql`, { query: '{ at: now ... @defer { never } }', accept, token: 'token' })
    await waitFor(() => answer.ended)
    expect(partsOf(answer)).toMatchObject([
      { data: { at: 'now' }, hasNext: true },
      { errors: [{ extensions: { code: 'TIMEOUT' } }], hasNext: false },
    ])
  })

  test('ends with an error when the service stops', async () => {
    await using stack = new AsyncDisposableStack()
    const gateway = stack.use(await startSlowGateway())
    const answer = await answering(`${gateway.url}/graphql`, { query: '{ now ... @defer { never } }', accept, token: 'token' })
    await waitFor(() => partsOf(answer).length > 0)
    await stack.disposeAsync()
    await waitFor(() => answer.ended)
    expect(partsOf(answer).at(-1)).toMatchObject({ errors: [{ extensions: { reason: 'STOPPING' } }], hasNext: false })
  })

  test('counts as a stream of its member until its client leaves; with too many, the answer comes in one piece', async () => {
    await using gateway = await startSlowGateway()
    const open = (query: string) => answering(`${gateway.url}/graphql`, { query, accept, token: 'token' })
    const answers = await Promise.all(Array.from({ length: 100 }, () => open('{ now ... @defer { never } }')))
    await waitFor(() => answers.every((answer) => partsOf(answer).length > 0))
    const whole = await open('{ now ... @defer { later: now } }')
    await waitFor(() => whole.ended)
    expect(partsOf(whole)).toEqual([{ data: { now: 'now', later: 'now' } }])
    for (const answer of answers) answer.leave()
    await waitFor(async () => {
      const next = await open('{ now ... @defer { later: now } }')
      await waitFor(() => next.ended)
      return partsOf(next).length > 1
    })
  })
})

test('Apollo Client shows the lead first, then the enrichment', async () => {
  token = (await app.signIn('agent1@demo.example')).token
  holdModel()
  const apollo = new ApolloClient({
    link: new HttpLink({ uri: `${app.url}/graphql`, headers: { authorization: `Bearer ${token}` } }),
    cache: new InMemoryCache(),
    incrementalHandler: new Defer20220824Handler(),
  })
  const query = gql`
    query Pop {
      callLookup(phoneNumber: "9812345670") {
        match
        ... @defer {
          enrichment {
            available
          }
        }
      }
    }
  `
  const seen: unknown[] = []
  const reading = apollo.watchQuery({ query }).subscribe(({ data }) => void (data && seen.push(structuredClone(data))))
  await waitFor(() => seen.length === 1)
  releaseModel()
  await waitFor(() => JSON.stringify(seen.at(-1)).includes('enrichment'))
  expect(seen[0]).toMatchObject({ callLookup: { match: anyText } })
  expect(JSON.stringify(seen[0])).not.toContain('enrichment')
  reading.unsubscribe()
  apollo.stop()
})

test('urql shows the lead first, then the enrichment', async () => {
  token = (await app.signIn('agent2@demo.example')).token
  holdModel()
  const urql = new Client({
    url: `${app.url}/graphql`,
    preferGetMethod: false,
    exchanges: [fetchExchange],
    fetchOptions: { headers: { authorization: `Bearer ${token}` } },
  })
  const seen: unknown[] = []
  const reading = urql.query(screenPop('9812345670'), {}).subscribe(({ data }) => void seen.push(structuredClone(data)))
  await waitFor(() => seen.length === 1)
  expect(seen[0]).toMatchObject({ callLookup: { match: 'ONE' } })
  expect(JSON.stringify(seen[0])).not.toContain('whoIsThis')
  releaseModel()
  await waitFor(() => JSON.stringify(seen.at(-1)).includes('whoIsThis'))
  reading.unsubscribe()
})

describe('the answer is whole, without an error,', () => {
  const whole = {
    ours: '{ me { role ... @defer { memberId } } }',
    leads: '{ leads(first: 1) { edges { node { id ... @defer { name } } } } }',
  }

  test('for a client that takes no parts', async () => {
    expect(await app.graphql(whole.ours, { token })).toEqual({ data: { me: { role: 'MANAGER', memberId: anyText } } })
    const asked = `${app.url}/graphql?query=${encodeURIComponent(whole.ours)}`
    const answer = await fetch(asked, { headers: { authorization: `Bearer ${token}`, accept: '*/*' } })
    expect(await answer.json()).toMatchObject({ data: { me: { memberId: anyText } } })
  })

  test.each([
    ['of the platform', 'leads(first: 1) { edges { node { id ... @defer(if: $later) { name } } } }'],
    [
      'with parts on several sides',
      'me { ... @defer(if: $later) { role } } leads(first: 1) { edges { node { ...N @defer } } } currentUser { ... @defer { email } }',
    ],
    [
      'on the stitched schema',
      'me { ... @defer { role } } leads(first: 1) { edges { node { ...N @defer(if: $later) insight { summary } } } }',
    ],
  ])('for an operation %s', async (_, fields) => {
    const query = `query ($later: Boolean = true) { ${fields} } ${fields.includes('...N') ? 'fragment N on Lead { name }' : ''}`
    const { data, errors } = await app.graphql(query, { token, variables: { later: true } })
    expect(errors).toBeUndefined()
    expect(JSON.stringify(data)).toMatch(/"name":"/)
    expect(JSON.stringify(data).includes('"role":"MANAGER"')).toBe(fields.includes('me {'))
  })

  test('for an operation with a link to a record: the records come with a second query', async () => {
    const lookup = (fields: string) => `{ callLookup(phoneNumber: "9812345670") { ${fields} } }`
    const answer = await ask(lookup('lead { record { id } } ... @defer { enrichment { available } }'), accepted.parts)
    await waitFor(() => answer.ended)
    const linked = { record: { id: anyText } }
    expect(partsOf(answer)).toEqual([{ data: { callLookup: { lead: linked, enrichment: { available: true } } } }])
    const deferred = await ask(lookup('match ... @defer { enrichment { available } }'), accepted.parts)
    await waitFor(() => deferred.ended)
    expect(partsOf(deferred).length).toBeGreaterThan(1)
    expect((await app.graphql(lookup('lead { record { id } }'), { token })).data).toEqual({ callLookup: { lead: linked } })
  })

  test('for a subscription', async () => {
    const stream = await ask('subscription { supervisionUpdates { ... @defer { at } } }', accepted.events)
    await waitFor(() => partsOf(stream).length > 0)
    expect(partsOf(stream)[0]).toEqual({ data: { supervisionUpdates: { at: anyText } } })
    stream.leave()
  })
})

test('the schema names @defer, in the introspection and as SDL', async () => {
  const { data } = await app.graphql('{ __schema { directives { name locations } } }', { token })
  expect(JSON.stringify(data)).toContain('{"name":"defer","locations":["FRAGMENT_SPREAD","INLINE_FRAGMENT"]}')
  const sdl = await fetch(`${app.url}/schema.graphql`, { headers: { authorization: `Bearer ${token}` } })
  expect(await sdl.text()).toMatch(/directive @defer\([^)]*label: String\s*\) on FRAGMENT_SPREAD \| INLINE_FRAGMENT/)
})

test('inside a list nothing is deferred: thousands of parts would hold the service for seconds', async () => {
  await using gateway = await startSlowGateway()
  const query = `{
    now
    ... @defer(label: "around") { items { id ...Item @defer } }
    items { ... @defer { same: id } others { ...Item } }
  }
  fragment Item on Item { ... @defer(label: "inner") { later } }`
  const answer = await answering(`${gateway.url}/graphql`, { query, accept: accepted.parts, token: 'token' })
  await waitFor(() => answer.ended)
  const parts = partsOf(answer)
  expect(parts[0]).toEqual({
    data: {
      now: 'now',
      items: [
        { same: '0', others: [{ later: 'x' }] },
        { same: '1', others: [{ later: 'x' }] },
      ],
    },
    hasNext: true,
  })
  expect(parts.flatMap(({ incremental }) => incremental ?? []).map(({ label }) => label)).toEqual(['around'])
})

describe('refused before any work:', () => {
  const many = (count: number): string => `{ ${'... @defer { me { role } } '.repeat(count)} }`
  test.each([
    ['1,000 deferred fragments', many(1_000), /The document has more than 10 deferred fragments/],
    ['a fragment with 6 deferred ones, spread twice', `{ ...F ...F } fragment F on Query ${many(6)}`, /more than 10 deferred fragments/],
    ['a label used twice', '{ me { ... @defer(label: "a") { role } ... @defer(label: "a") { memberId } } }', /only once/],
    ['a label in a variable', 'query ($a: String) { me { ... @defer(label: $a) { role } } }', /fixed text/],
    ['the root of a mutation', 'mutation { ... @defer { heartbeat { expiresAt } } }', /not allowed on the root of a mutation/],
    ['@stream, which is off', '{ callLookup(phoneNumber: "9812345674") { openItems @stream { title } } }', /Unknown directive "@stream"/],
  ])('%s', async (_, query, message) => {
    const { data, errors } = await app.graphql(query, { token })
    expect(data ?? null).toBeNull()
    expect(errors?.[0]?.message).toMatch(message)
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT' })
  })
})

const itemsOf = (count: number): unknown[] =>
  Array.from({ length: count }, (_, index) => ({ id: String(index), later: () => Promise.resolve('x'), others: () => itemsOf(1) }))

/** `never` is never answered. */
function startSlowGateway({ deadlineMs = 30_000 } = {}) {
  const typeDefs = /* GraphQL */ `
    directive @auth on FIELD_DEFINITION
    directive @public on FIELD_DEFINITION
    directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT
    scalar DateTime
    type Query {
      now: String @auth
      never: String @auth
      items: [Item!]! @auth
    }
    type Item {
      id: ID!
      later: String
      others: [Item!]!
    }
  `
  const resolvers = { Query: { now: () => 'now', never: () => new Promise(() => {}), items: () => itemsOf(2) } }
  return startGateway({ platformUrl: 'http://127.0.0.1:9', principalOf: () => testPrincipal({}), typeDefs, resolvers, deadlineMs })
}
