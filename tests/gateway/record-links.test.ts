import { makeExecutableSchema } from '@graphql-tools/schema'
import { buildSchema, getNamedType, GraphQLError, Kind, parse } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { AppError } from '../../src/kernel/errors.ts'
import { CircuitBreaker } from '../../src/kernel/circuit-breaker.ts'
import { newId } from '../../src/kernel/ids.ts'
import { platformSection } from '../../src/ports/configuration/platform.ts'
import { sandboxPassword } from '../../src/sandbox/platform/seed.ts'
import { readContract } from '../../src/server/graphql/local-schema.ts'
import { createTestApp, type TestApp, type TestSignIn } from '../harness/app.ts'
import { type Gateway, startGateway, testPrincipal } from '../harness/gateway.ts'
import { smallMetadata, startGraphqlUpstream } from '../harness/graphql-upstream.ts'
import { countLinks, linkSelection } from '../harness/link-selections.ts'
import { hideObjects } from '../harness/hide-objects.ts'
import { subscribe } from '../harness/subscribe.ts'
import type { Upstream } from '../harness/upstream.ts'
import { waitFor } from '../harness/wait-for.ts'

const requestSchema = z.object({ query: z.string(), variables: z.record(z.string(), z.unknown()).nullish() })

const anyText: unknown = expect.any(String)

/** The root fields of a request, without those for the schema. */
function rootFieldsOf(body: string): readonly string[] {
  const { query } = requestSchema.parse(JSON.parse(body))
  const fields = parse(query).definitions.flatMap((one) => ('operation' in one ? one.selectionSet.selections : []))
  return fields.flatMap((field) => (field.kind === Kind.FIELD && !field.name.value.startsWith('__') ? [field.name.value] : []))
}

describe('in any workspace', () => {
  const ours = /* GraphQL */ `
    directive @auth(role: ApplicationRole! = USER) on FIELD_DEFINITION
    directive @public on FIELD_DEFINITION
    scalar DateTime
    enum ApplicationRole {
      USER
      AGENT
      MANAGER
    }
    type Query {
      missedCalls: [MissedCall!]! @auth
      callLookup: CallLookup! @auth
    }
    type Subscription {
      callEvents(forever: Boolean! = false): CallEvent! @auth
    }
    type MissedCall {
      ucid: ID!
      leadId: ID
    }
    type CallLookup {
      call: LiveCall
      lead: LeadSummary
    }
    type LeadSummary {
      id: ID!
      name: String!
    }
    type LiveCall {
      ucid: ID!
      agentId: ID
      leadId: ID
    }
    type CallEvent {
      call: LiveCall!
    }
  `
  // Leads are prospects here, calls have their UCID elsewhere, and there are no agents.
  const theirs = /* GraphQL */ `
    type Query {
      prospects(filter: ProspectFilterInput, first: Int): ProspectConnection
      calls(filter: CallFilterInput, first: Int): CallConnection
      word: String
    }
    input ProspectFilterInput {
      id: IdFilter
    }
    input CallFilterInput {
      id: IdFilter
      providerRef: IdFilter
    }
    input IdFilter {
      in: [ID!]
    }
    type ProspectConnection {
      edges: [ProspectEdge!]!
    }
    type ProspectEdge {
      node: Prospect!
    }
    type Prospect {
      id: ID!
      name: String
      faulty: String
    }
    type CallConnection {
      edges: [CallEdge!]!
    }
    type CallEdge {
      node: Call!
    }
    type Call {
      id: ID!
      providerRef: String
    }
  `
  const section = platformSection.parse({
    objects: { lead: { singular: 'prospect', plural: 'prospects' }, call: { fields: { ucid: 'providerRef' } } },
  })
  type Wanted = {
    readonly first: number
    readonly filter: { readonly id?: { readonly in: readonly string[] }; readonly providerRef?: { readonly in: readonly string[] } }
  }
  const missed = { calls: Array.from({ length: 3 }, () => ({ ucid: '1', leadId: newId() as string | null })) }
  const hidden = new Set<string>()
  let doubled = ''
  let refusals = 0
  let streamsEnded = 0
  const platform = makeExecutableSchema({
    typeDefs: theirs,
    resolvers: {
      Query: {
        prospects: (_: unknown, { filter: { id } }: Wanted) => {
          if (hidden.has('all')) throw new GraphQLError('Not for you', { extensions: { code: 'FORBIDDEN' } })
          const nodes = (id?.in ?? []).toReversed().filter((one) => !hidden.has(one))
          return { edges: nodes.map((one) => ({ node: { id: one, name: `Lead ${one}` } })) }
        },
        calls: (_: unknown, { filter: { providerRef }, first }: Wanted) => ({
          edges: (providerRef?.in ?? [])
            .flatMap((ucid) => (ucid === doubled ? [ucid, ucid] : [ucid]))
            .slice(0, first)
            .map((ucid) => ({ node: { id: `record of ${ucid}`, providerRef: ucid } })),
        }),
        word: () => 'word',
      },
      Prospect: {
        faulty: ({ id }: { id: string }) => {
          if (id === missed.calls[1]?.leadId) throw new GraphQLError('Faulty')
          return 'fine'
        },
      },
    },
  })
  const resolvers = {
    Query: {
      missedCalls: () => missed.calls,
      callLookup: () => ({ call: { ucid: '77', agentId: newId() }, lead: { id: missed.calls[0]?.leadId, name: 'Ananya' } }),
    },
    Subscription: {
      callEvents: {
        async *subscribe(_: unknown, { forever }: { forever: boolean }, { signal }: { signal: AbortSignal }) {
          for (const { ucid, leadId } of missed.calls) yield { callEvents: { call: { ucid, leadId, agentId: null } } }
          if (forever) await new Promise((resolve) => signal.addEventListener('abort', resolve))
          streamsEnded += 1
          if (!forever) throw new AppError('TOKEN_REFUSED')
        },
      },
    },
  }
  let upstream: Upstream
  let gateway: Gateway
  beforeAll(async () => {
    upstream = await startGraphqlUpstream(platform, smallMetadata, (body) => {
      if (!hidden.has('every request') || rootFieldsOf(body).length === 0) return null
      refusals += 1
      return `Refusal ${refusals}`
    })
    gateway = await startGateway({
      platformUrl: upstream.url,
      typeDefs: ours,
      resolvers,
      platformSection: section,
      principalOf: (token) => (token === 'good' ? testPrincipal() : null),
    })
  })
  afterAll(async () => {
    await gateway[Symbol.asyncDispose]()
    await upstream[Symbol.asyncDispose]()
  })
  const ask = (query: string) => gateway.ask(query, { token: 'good' })
  const recordRequests = () => upstream.seen.filter(({ path, body }) => path === '/graphql' && rootFieldsOf(body).length > 0)

  test('an operation without a link does not read the workspace’s schema, also if a field of ours has the name of a link', async () => {
    expect(await ask('{ callLookup { lead { name } call { ucid } } missedCalls { leadId } }')).not.toHaveProperty('errors')
    expect(await ask('{ callLookup { lead { name } } word }')).toMatchObject({ data: { word: 'word' } })
    expect(upstream.seen.filter(({ body }) => body.includes('__schema'))).toEqual([])
    expect(gateway.graphql.schemas.figures().size).toBe(0)
  })

  test('one request of the platform reads the records of one field, each record once, with the actor’s token', async () => {
    const [first, second, third] = missed.calls
    missed.calls = [
      ...missed.calls,
      { ucid: '2', leadId: first?.leadId ?? '' },
      { ucid: '3', leadId: null },
      { ucid: '4', leadId: 'no-uuid' },
    ]
    hidden.add(second?.leadId ?? '')
    const before = recordRequests().length
    const answer = await ask('query Missed { missedCalls { ucid lead { name } } word }')
    const name = (leadId: string | null | undefined) => ({ lead: { name: `Lead ${leadId}` } })
    expect(answer).toEqual({
      data: {
        missedCalls: [
          { ucid: '1', ...name(first?.leadId) },
          { ucid: '1', lead: null },
          { ucid: '1', ...name(third?.leadId) },
          { ucid: '2', ...name(first?.leadId) },
          { ucid: '3', lead: null },
          { ucid: '4', lead: null },
        ],
        word: 'word',
      },
    })
    const sent = recordRequests().slice(before)
    expect(sent.map(({ body }) => rootFieldsOf(body).join(' ')).toSorted()).toEqual(['prospects', 'word'])
    expect(new Set(sent.map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer good']))
    const variables = sent.map(({ body }) => requestSchema.parse(JSON.parse(body)).variables).find((one) => one && 'filter' in one)
    expect(variables).toEqual({ filter: { id: { in: [first?.leadId, second?.leadId, third?.leadId] } }, first: 3 })
    missed.calls = missed.calls.slice(0, 3)
    hidden.clear()
  })

  test('a request asks for at most 60 records', async () => {
    const few = missed.calls
    missed.calls = Array.from({ length: 130 }, (_, index) => ({ ucid: `${index}`, leadId: newId() }))
    const before = recordRequests().length
    const { data } = await ask('{ missedCalls { leadId lead { id } } }')
    expect(data).toEqual({ missedCalls: missed.calls.map(({ leadId }) => ({ leadId, lead: { id: leadId } })) })
    expect(recordRequests().slice(before)).toHaveLength(3)
    missed.calls = few
  })

  test('a call is found by its UCID, under the workspace’s name of the field; a workspace without an object has no link to it', async () => {
    const answer = await ask(
      'query { callLookup { ...Look } } fragment Look on CallLookup { call { ... on LiveCall { record { id providerRef } } } lead { record { id } } }',
    )
    expect(answer).toEqual({
      data: {
        callLookup: { call: { record: { id: 'record of 77', providerRef: '77' } }, lead: { record: { id: missed.calls[0]?.leadId } } },
      },
    })
    const { errors } = await ask('{ callLookup { call { agent { id } } } }')
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }])
    expect(JSON.stringify(errors)).toContain('agent')
  })

  test('a second record with the same UCID pushes no other record out', async () => {
    const few = missed.calls
    missed.calls = Array.from({ length: 60 }, (_, index) => ({ ucid: `${index}`, leadId: null }))
    doubled = '0'
    const before = recordRequests().length
    const { data } = await ask('{ missedCalls { record { id } } }')
    expect(data).toEqual({ missedCalls: missed.calls.map(({ ucid }) => ({ record: { id: `record of ${ucid}` } })) })
    expect(recordRequests().slice(before)).toHaveLength(2)
    doubled = ''
    missed.calls = few
  })

  test('an alias with the name of a key of ours does not disturb a link', async () => {
    const answer = await ask('{ missedCalls { leadId: ucid lead { name } } callLookup { call { ucid: agentId record { id } } } }')
    expect(answer).toEqual({
      data: {
        missedCalls: missed.calls.map(({ ucid, leadId }) => ({ leadId: ucid, lead: { name: `Lead ${leadId}` } })),
        callLookup: { call: { ucid: anyText, record: { id: 'record of 77' } } },
      },
    })
  })

  test('an alias with the name of a record’s key is refused, and named; the rest is answered', async () => {
    const namesAlias: unknown = expect.stringContaining('`id: name`')
    const fragment = 'fragment Named on Prospect { ... on Prospect { id: name } }'
    for (const [selection, more] of [
      ['id: name', ''],
      ['...Named', fragment],
    ]) {
      const { data, errors } = await ask(`{ missedCalls { ucid lead { ${selection} } record { id: providerRef } } } ${more}`)
      expect(data).toEqual({ missedCalls: missed.calls.map(({ ucid }) => ({ ucid, lead: null, record: { id: ucid } })) })
      expect(errors?.[0]).toMatchObject({
        path: ['missedCalls', 0, 'lead'],
        message: namesAlias,
        extensions: { code: 'BAD_USER_INPUT', reason: 'INVALID_INPUT', retryable: false, requestId: anyText },
      })
    }
    expect(await ask('{ missedCalls { lead { id: id } } }')).not.toHaveProperty('errors')
  })

  test('an error of the platform makes only its field null', async () => {
    hidden.add('all')
    const refused = await ask('{\n missedCalls { ucid lead { id } record { id } }\n}')
    hidden.clear()
    expect(refused.data).toEqual({ missedCalls: missed.calls.map(() => ({ ucid: '1', lead: null, record: { id: 'record of 1' } })) })
    expect(refused.errors?.[0]).toMatchObject({
      message: 'Not for you',
      path: ['missedCalls', 0, 'lead'],
      extensions: { code: 'FORBIDDEN' },
    })
    const nested = await ask('{ missedCalls { lead { id faulty } } }')
    expect(nested.data).toEqual({
      missedCalls: missed.calls.map(({ leadId }, index) => ({ lead: { id: leadId, faulty: index === 1 ? null : 'fine' } })),
    })
    expect(nested.errors).toMatchObject([{ message: 'Faulty', path: ['missedCalls', 1, 'lead', 'faulty'] }])
  })

  const answersIn = (text: string) => [...text.matchAll(/^data: (\{.*\})$/gm)].map(([, json = '']): unknown => JSON.parse(json))
  const shownCalls = () =>
    missed.calls.map(({ ucid, leadId }) => ({ data: { callEvents: { call: { ucid, lead: { name: `Lead ${leadId}` } } } } }))

  test('a subscription shows the records of each event, and ends with the reason of ours', async () => {
    const stream = await subscribe(gateway.url, { token: 'good', query: 'subscription { callEvents { call { ucid lead { name } } } }' })
    await waitFor(() => stream.ended)
    const answers = answersIn(stream.text)
    expect(answers.slice(0, -1)).toEqual(shownCalls())
    expect(answers.at(-1)).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED', reason: 'TOKEN_REFUSED' } }] })
  })

  test('a subscription of ours begins while the platform is paused, and is no test of it', async () => {
    const breaker = new CircuitBreaker({ party: 'platform', who: 'The platform', workspaceId: null }, { failuresToOpen: 1 })
    await using own = await startGateway({
      platformUrl: upstream.url,
      typeDefs: ours,
      resolvers,
      platformSection: section,
      principalOf: () => testPrincipal(),
      upstream: { breaker },
    })
    breaker.enter()
    breaker.failed()
    const query = 'subscription { callEvents(forever: true) { call { ucid lead { name } } } }'
    const stream = await subscribe(own.url, { token: 'good', query })
    await waitFor(() => stream.text.includes('event: next') || stream.ended)
    expect([answersIn(stream.text)[0], breaker.waiting, breaker.isOpen]).toEqual([shownCalls()[0], 0, true])
    stream.leave()
  })

  test('each event of a subscription has the errors of its own requests', async () => {
    hidden.add('every request')
    const stream = await subscribe(gateway.url, { token: 'good', query: 'subscription { callEvents { call { ucid lead { name } } } }' })
    await waitFor(() => stream.ended)
    hidden.clear()
    const errors = (message: string) => ({ errors: [{ message, path: ['callEvents', 'call', 'lead'] }] })
    expect(answersIn(stream.text).slice(0, -1)).toMatchObject(['Refusal 1', 'Refusal 2', 'Refusal 3'].map(errors))
  })

  test('a client that leaves ends the subscription of ours', async () => {
    const before = streamsEnded
    const query = 'subscription { callEvents(forever: true) { call { ucid lead { name } } } }'
    const stream = await subscribe(gateway.url, { token: 'good', query })
    await waitFor(() => answersIn(stream.text).length === 3)
    expect([answersIn(stream.text), streamsEnded]).toEqual([shownCalls(), before])
    stream.leave()
    await waitFor(() => streamsEnded === before + 1)
  })

  test('a link needs a token, and is refused if the platform’s schema cannot be read', async () => {
    expect(await gateway.ask('{ missedCalls { lead { id } } }')).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] })
    await using away = await startGateway({
      platformUrl: 'http://127.0.0.1:9',
      typeDefs: ours,
      resolvers,
      platformSection: section,
      principalOf: () => testPrincipal(),
    })
    expect(await away.ask('{ missedCalls { lead { id } } }', { token: 'good' })).toMatchObject({
      errors: [{ extensions: { code: 'UPSTREAM_UNAVAILABLE' } }],
    })
    expect(await away.ask('{ missedCalls { leadId } }', { token: 'good' })).not.toHaveProperty('errors')
  })
})

describe('in the sandbox', () => {
  let app: TestApp
  let agent: TestSignIn
  let manager: TestSignIn
  beforeAll(async () => {
    app = await createTestApp({ receivesWebhooks: true })
    app.standIns.telephony.accountMode({ mode: 'token' })
    manager = await app.signIn('manager@demo.example')
    agent = await app.signIn('agent1@demo.example')
  })
  afterAll(() => app[Symbol.asyncDispose]())
  const from = '+919876543210'

  test('a screen pop shows the records with what we add to them, beside the platform’s fields of both endpoints', async () => {
    const query = `{
      callLookup(phoneNumber: "${from}") {
        lead { id record { id name insight { id } createdAt } }
        lastCalls { id agentId record { id } agent { id name } }
        nextVisit { slotId record { id } doctor { id name } }
        openItems { id task { id title } }
      }
      leads(first: 1) { totalCount }
      currentUser { email }
    }`
    const { data, errors } = await app.graphql(query, { token: agent.token })
    expect(errors).toBeUndefined()
    const linked = z.object({ id: z.string() }).nullable()
    const { callLookup } = z
      .looseObject({
        callLookup: z.object({
          lead: z.object({ id: z.string(), record: z.looseObject({ id: z.string(), name: z.string(), insight: linked }) }),
          lastCalls: z.array(z.object({ id: z.string(), agentId: z.string(), record: linked, agent: linked })).min(2),
          nextVisit: z.object({ slotId: z.string(), record: linked, doctor: linked }).nullable(),
          openItems: z.array(z.object({ id: z.string(), task: z.object({ id: z.string(), title: z.string() }) })),
        }),
      })
      .parse(data)
    expect(callLookup.lead.record.id).toBe(callLookup.lead.id)
    for (const { id, agentId, record, agent: by } of callLookup.lastCalls) expect([record?.id, by?.id]).toEqual([id, agentId])
    for (const { id, task } of callLookup.openItems) expect(task.id).toBe(id)
  })

  test('a stream of calls shows lead and agent, and the call’s record as soon as it is written', async () => {
    const query = 'subscription { callEvents { kind call { ucid phase lead { name } agent { name } record { id ucid } } } }'
    const stream = await subscribe(app.url, { token: agent.token, query })
    const { ucid } = app.standIns.telephony.ring({ from, agentId: 'agent1' })
    await waitFor(() => stream.text.includes('"agent":{"name":"Asha Menon"}'))
    app.standIns.telephony.answer({ ucid })
    await waitFor(() => stream.text.includes('"phase":"ANSWERED"'))
    app.standIns.telephony.hangUp({ ucid })
    await waitFor(() => stream.text.includes('"phase":"COMPLETED"'))
    const { data } = await waitFor(
      async () => {
        const found = await app.graphql(`{ callLookup(ucid: "${ucid}") { call { record { id ucid status } lead { name } } } }`, {
          token: agent.token,
        })
        return JSON.stringify(found).includes('"status":"COMPLETED"') && found
      },
      { what: 'the written record' },
    )
    expect(data).toMatchObject({ callLookup: { call: { record: { ucid }, lead: { name: 'Ananya Sharma' } } } })
    expect(stream.text).not.toContain('"errors"')
    stream.leave()
  })

  test('every link of every query can be read', async () => {
    const { body } = await app.rest('GET', '/schema.graphql', { token: manager.token })
    const combined = buildSchema(String(body))
    const recorded = z
      .looseObject({ lastCalls: z.array(z.looseObject({ id: z.string() })).min(1) })
      .parse((await app.rest('POST', '/api/calls/lookup', { token: manager.token, body: { phoneNumber: from } })).body)
    const callId = recorded.lastCalls[0]?.id ?? ''
    const agentId = String(app.standIns.platform.records('demo', 'agent', { providerAgentId: { eq: 'agent1' } })[0]?.['id'])
    await app.rest('POST', '/api/recordings/analyze', { token: manager.token, body: { callId } })
    await app.rest('PUT', '/api/config/theme', { token: manager.token, body: { brand: { hospitalName: 'Linked' } } })
    const argumentsOf: Readonly<Record<string, string>> = {
      callLookup: `(phoneNumber: "${from}")`,
      agentTimeline: `(agentId: "${agentId}", date: "2026-11-21")`,
      configurationHistory: '(section: THEME)',
      configurationVersion: '(section: THEME, version: 1)',
      historyCalls: '(from: "2026-11-01", to: "2026-11-30")',
      history: '(from: "2026-11-01", to: "2026-11-30")',
      leadInsights: '(leads: [])',
      leadSummaries: `(ids: ["${String(app.standIns.platform.records('demo', 'lead', {})[0]?.['id'])}"])`,
      recordingAnalysis: `(callId: "${callId}")`,
      recordingAnalyses: `(callIds: ["${callId}"])`,
      scorecard: `(callId: "${callId}")`,
      recordingStatus: `(callId: "${callId}")`,
      recordingStatuses: `(callIds: ["${callId}"])`,
    }
    const counts = new Map<string, number>()
    for (const { name, type } of Object.values(buildSchema(readContract()).getQueryType()?.getFields() ?? {})) {
      const selection = linkSelection(combined, getNamedType(type))
      if (selection === null) continue
      const { data, errors } = await app.graphql(`{ ${name}${argumentsOf[name] ?? ''} ${selection} }`, { token: manager.token })
      expect([name, errors]).toEqual([name, undefined])
      countLinks(data, counts)
    }
    expect([...counts.keys()]).toEqual(expect.arrayContaining(['record', 'agent', 'lead', 'doctor', 'member', 'call', 'task']))
  })

  test('a sign-in that asks for a link is refused before anybody is signed in', async () => {
    const login = (selection: string) =>
      app.graphql(
        `mutation { agentLogin(input: { email: "agent2@demo.example", password: "${sandboxPassword}", workspace: "demo" }) { ${selection} } }`,
      )
    const refused = await login('session { agentId agent { name } }')
    expect(refused).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED', reason: 'TOKEN_MISSING' } }] })
    // A second sign-in would be refused with CONFLICT.
    expect(await login('session { agentId }')).toMatchObject({ data: { agentLogin: { session: { agentId: anyText } } } })
  })

  test('shows nothing that the member may not read', async () => {
    const query = `{ sessions: agentSessions { agentId agent { id } } callLookup(phoneNumber: "${from}") { lead { id record { id } } } }`
    expect(await app.graphql(query, { token: agent.token })).not.toHaveProperty('errors')
    await hideObjects(app.standIns.platform, 'User', { names: ['agent'] })
    const { data, errors } = await app.graphql(query, { token: agent.token })
    expect(data).toMatchObject({ sessions: [{ agent: null }] })
    expect(data).not.toMatchObject({ callLookup: { lead: { record: null } } })
    expect(errors).toMatchObject([{ path: ['sessions', 0, 'agent'], extensions: { code: 'FORBIDDEN' } }])
    const asManager = await app.graphql('{ agentSessions { agentId agent { id } } }', { token: manager.token })
    expect(asManager).not.toHaveProperty('errors')
  })
})
