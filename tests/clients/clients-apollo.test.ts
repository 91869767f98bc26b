import { createHash } from 'node:crypto'
import { ApolloClient, ApolloLink, CombinedGraphQLErrors, gql, HttpLink, InMemoryCache, Observable } from '@apollo/client'
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries'
import { type Client as SseClient, createClient as createSseClient } from 'graphql-sse'
import { buildSchema, getNamedType, isAbstractType, OperationTypeNode, print } from 'graphql'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { readContract } from '../../src/server/graphql/local-schema.ts'
import { type ClientDesk, openClientDesk, startStreamingPlatform } from '../harness/client-desk.ts'
import { startGateway } from '../harness/gateway.ts'
import { halvedSelections } from '../harness/halved-selections.ts'
import { waitFor } from '../harness/wait-for.ts'

let desk: ClientDesk
beforeAll(async () => {
  desk = await openClientDesk()
})
afterAll(() => desk[Symbol.asyncDispose]())

/** Subscriptions over server-sent events, as the documentation of graphql-sse has it for Apollo. */
class SseLink extends ApolloLink {
  private readonly client: SseClient
  constructor(client: SseClient) {
    super()
    this.client = client
  }
  override request({ query, variables, operationName }: ApolloLink.Operation): Observable<ApolloLink.Result> {
    return new Observable((sink) =>
      this.client.subscribe(
        { query: print(query), variables, ...(operationName && { operationName }) },
        {
          next: ({ data, errors }) =>
            sink.next({
              ...(data && { data }),
              ...(errors && { errors: errors.map(({ message, extensions }) => ({ message, extensions })) }),
            }),
          error: (error) => sink.error(error),
          complete: () => sink.complete(),
        },
      ),
    )
  }
}

function createClient(uri: string, token: string): ApolloClient {
  const headers = { authorization: `Bearer ${token}` }
  const sse = new SseLink(createSseClient({ url: uri, headers, retryAttempts: 0 }))
  return new ApolloClient({
    link: ApolloLink.split(({ operationType }) => operationType === OperationTypeNode.SUBSCRIPTION, sse, new HttpLink({ uri, headers })),
    cache: new InMemoryCache({ possibleTypes }),
  })
}

/** What Apollo wants to know of a schema with unions. */
const contract = buildSchema(readContract())
const possibleTypes = Object.fromEntries(
  Object.values(contract.getTypeMap())
    .filter(isAbstractType)
    .map((type) => [type.name, contract.getPossibleTypes(type).map(({ name }) => name)]),
)

const mutationOf = {
  ours: gql`
    mutation Ready($input: AgentStateInput!) {
      setAgentState(input: $input) {
        providerAgentId
        state
        reason
      }
    }
  `,
  theirs: gql`
    mutation Rename($id: UUID!, $data: LeadUpdateInput!) {
      updateLead(id: $id, data: $data) {
        id
        name
      }
    }
  `,
}
const lookup = gql`
  query Lookup($phone: String!) {
    me {
      role
    }
    callLookup(phoneNumber: $phone) {
      phoneNumber
    }
  }
`
const firstLead = gql`
  query FirstLead {
    leads(first: 1) {
      edges {
        node {
          id
          name
        }
      }
    }
  }
`
type Leads = { readonly leads: { readonly edges: readonly { readonly node: { readonly id: string; readonly name: string } }[] } }

const lastCallsSchema = z.object({ lastCalls: z.array(z.object({ id: z.string(), hasRecording: z.boolean() })) })

async function analysedCall(): Promise<string> {
  const { app, manager } = desk
  const { body } = await app.rest('POST', '/api/calls/lookup', { token: manager.token, body: { phoneNumber: '+919876543210' } })
  const callId = lastCallsSchema.parse(body).lastCalls.find(({ hasRecording }) => hasRecording)?.id ?? ''
  await app.rest('POST', '/api/recordings/analyze', { token: manager.token, body: { callId } })
  return callId
}

/** The arguments of our queries that need some, and those that may have no answer. */
function questionsOf(callId: string): Readonly<Record<string, { readonly args?: string; readonly mayFail?: true }>> {
  return {
    callLookup: { args: '(phoneNumber: "+919876543210")' },
    configuration: { args: '(section: THEME)' },
    configurationHistory: { args: '(section: THEME)' },
    agentTimeline: { args: `(agentId: "${callId}", date: "2026-11-21")`, mayFail: true },
    configurationSchema: { args: '(section: THEME)' },
    configurationVersion: { args: '(section: THEME, version: 1)', mayFail: true },
    history: { args: '(from: "2026-11-01", to: "2026-11-30")' },
    historyCalls: { args: '(from: "2026-11-01", to: "2026-11-30")' },
    scorecard: { args: `(callId: "${callId}")` },
    leadInsights: { args: '(leads: [])' },
    leadSummaries: { args: `(ids: ["${callId}"])` },
    recordingAnalysis: { args: `(callId: "${callId}")` },
    recordingAnalyses: { args: `(callIds: ["${callId}"])` },
    recordingStatus: { args: `(callId: "${callId}")` },
    recordingStatuses: { args: `(callIds: ["${callId}"])` },
    temporaryPassword: { args: `(memberId: "${callId}")`, mayFail: true },
  }
}

describe('Apollo Client', () => {
  test('queries both sides in one operation and caches the answer by type and id', async () => {
    const apollo = createClient(desk.endpoint, desk.agent.token)
    const query = gql`
      query Home($first: Int) {
        me {
          role
          user {
            id
            email
          }
        }
        leads(first: $first) {
          edges {
            node {
              id
              name
              insight {
                summary
              }
            }
          }
        }
      }
    `
    const { data, error } = await apollo.query<{ me: { role: string } } & Leads>({ query, variables: { first: 2 } })
    expect(error).toBeUndefined()
    expect(data).toMatchObject({ me: { __typename: 'Viewer', role: 'AGENT', user: { email: 'agent1@demo.example' } } })
    expect(data?.leads.edges).toHaveLength(2)
    const cached = JSON.stringify(apollo.cache.extract())
    for (const { node } of data?.leads.edges ?? []) expect(cached).toContain(`"Lead:${node.id}"`)
  })

  test.for([true, false])('sends the text after a hash (over GET: %j)', async (useGETForHashedQueries) => {
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
    const persisted = new PersistedQueryLink({ sha256, useGETForHashedQueries })
    const http = new HttpLink({ uri: desk.endpoint, headers: { authorization: `Bearer ${desk.agent.token}` } })
    const apollo = new ApolloClient({ link: persisted.concat(http), cache: new InMemoryCache({ possibleTypes }) })
    for (const query of [
      gql('{ me { role } leads(first: 1) { edges { node { id } } } }'),
      gql('{ leads(first: 2) { edges { node { id } } } }'),
    ]) {
      const { data, error } = await apollo.query<Leads>({ query, fetchPolicy: 'network-only' })
      expect(error).toBeUndefined()
      expect(data?.leads.edges.length).toBeGreaterThan(0)
    }
  })

  test('caches every query of ours without a warning, whatever part of it is selected, if it knows the unions', async () => {
    const apollo = createClient(desk.endpoint, desk.manager.token)
    const warnings = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
    const callId = await analysedCall()
    const fields = Object.values(contract.getQueryType()?.getFields() ?? {})
    const unanswered: string[] = []
    for (const { name, type } of fields) {
      const { args = '', mayFail = false } = questionsOf(callId)[name] ?? {}
      for (const selection of halvedSelections(getNamedType(type))) {
        const query = gql(`query Half { ${name}${args} ${selection} }`)
        const { data } = await apollo.query<Record<string, unknown>>({ query, fetchPolicy: 'network-only', errorPolicy: 'all' })
        if ((data?.[name] ?? null) === null && !mayFail) unanswered.push(name)
      }
    }
    expect(unanswered).toEqual([])
    expect([...warnings.mock.calls, ...errors.mock.calls]).toEqual([])
    // Apollo is in its development mode: it warns of an object that it cannot identify.
    const cache = new InMemoryCache({ typePolicies: { Viewer: { keyFields: false } } })
    for (const part of ['role', 'memberId']) {
      cache.writeQuery({ query: gql(`{ me { ${part} } }`), data: { me: { __typename: 'Viewer', [part]: 'AGENT' } } })
    }
    expect(warnings).toHaveBeenCalledOnce()
    vi.restoreAllMocks()
  })

  test('mutates both sides and updates its cache', async () => {
    const apollo = createClient(desk.endpoint, desk.agent.token)
    const ready = await apollo.mutate({ mutation: mutationOf.ours, variables: { input: { state: 'READY' } } })
    expect(ready.data).toMatchObject({ setAgentState: { providerAgentId: 'agent1', state: 'READY' } })
    const node = (await apollo.query<Leads>({ query: firstLead })).data?.leads.edges[0]?.node
    await apollo.mutate({ mutation: mutationOf.theirs, variables: { id: node?.id, data: { name: 'Renamed by Apollo' } } })
    expect(apollo.readQuery<Leads>({ query: firstLead })?.leads.edges[0]?.node).toMatchObject({ id: node?.id, name: 'Renamed by Apollo' })
  })

  test('receives errors of both sides as GraphQL errors, with the other data', async () => {
    const apollo = createClient(desk.endpoint, desk.agent.token)
    const wrong = await apollo.query({ query: lookup, variables: { phone: 'nobody' } }).catch((error: unknown) => error)
    if (!CombinedGraphQLErrors.is(wrong)) throw new Error('no GraphQL error', { cause: wrong })
    expect(wrong.errors).toMatchObject([
      {
        path: ['callLookup'],
        extensions: { code: 'BAD_USER_INPUT', reason: 'INVALID_INPUT', retryable: false },
      },
    ])
    const missing = { id: '00000000-0000-4000-8000-000000000000', data: { name: 'x' } }
    const theirs = await apollo.mutate({ mutation: mutationOf.theirs, variables: missing, errorPolicy: 'all' })
    if (!CombinedGraphQLErrors.is(theirs.error)) throw new Error('no GraphQL error', { cause: theirs.error })
    expect(theirs.error.errors).toMatchObject([{ message: 'Record not found', extensions: { code: 'NOT_FOUND' } }])
    expect(theirs.data).toEqual({ updateLead: null })
  })

  test('receives a GraphQL error with its code, not a network error, if the platform is not available', async () => {
    const apollo = createClient(desk.endpoint, desk.agent.token)
    desk.app.standIns.platform.fault({ operation: 'leads', times: 1, act: 'cut' })
    const away = await apollo.query({ query: firstLead, fetchPolicy: 'network-only' }).catch((error: unknown) => error)
    if (!CombinedGraphQLErrors.is(away)) throw new Error('no GraphQL error', { cause: away })
    expect(away.errors).toMatchObject([{ extensions: { code: 'UPSTREAM_UNAVAILABLE', retryable: true } }])
  })

  test('subscribes to the platform over server-sent events, and unsubscribes by closing the connection', async () => {
    await using platform = await startStreamingPlatform()
    await using gateway = await startGateway({ platformUrl: platform.url })
    const received: unknown[] = []
    const query = gql`
      subscription DeadLetters($word: String!) {
        characters(word: $word, forever: true)
      }
    `
    const apollo = createClient(`${gateway.url}/metadata`, 'good')
    const subscription = apollo
      .subscribe({ query, variables: { word: 'ring' } })
      .subscribe(({ data, error }) => received.push(error ?? data))
    await waitFor(() => received.length === 4)
    expect(received).toEqual(['r', 'i', 'n', 'g'].map((characters) => ({ characters })))
    expect(platform.open()).toBe(1)
    subscription.unsubscribe()
    await waitFor(() => platform.open() === 0)
  })
})
