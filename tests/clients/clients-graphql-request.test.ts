import { ClientError, gql, GraphQLClient } from 'graphql-request'
import { createClient as createSseClient } from 'graphql-sse'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ClientDesk, openClientDesk, tokensOf } from '../harness/client-desk.ts'
import { waitFor } from '../harness/wait-for.ts'

let desk: ClientDesk
beforeAll(async () => {
  desk = await openClientDesk()
})
afterAll(() => desk[Symbol.asyncDispose]())

function codesOf(error: unknown): readonly unknown[] {
  if (!(error instanceof ClientError)) throw new Error('no answer with errors', { cause: error })
  return (error.response.errors ?? []).map(({ extensions }) => extensions?.['code'])
}

const firstLead = gql`
  query FirstLead($first: Int) {
    me {
      role
      user {
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
const rename = gql`
  mutation Rename($id: UUID!, $data: LeadUpdateInput!) {
    updateLead(id: $id, data: $data) {
      id
      name
    }
  }
`
type FirstLead = {
  readonly me: { readonly role: string }
  readonly leads: { readonly edges: readonly { readonly node: { readonly id: string; readonly name: string } }[] }
}

describe('graphql-request', () => {
  test('queries and mutates both sides', async () => {
    const client = new GraphQLClient(desk.endpoint, { headers: { authorization: `Bearer ${desk.agent.token}` } })
    const data = await client.request<FirstLead>(firstLead, { first: 1 })
    expect(data).toMatchObject({ me: { role: 'AGENT', user: { email: 'agent1@demo.example' } } })
    const [edge] = data.leads.edges
    const renamed: unknown = await client.request(rename, { id: edge?.node.id, data: { name: 'Renamed by graphql-request' } })
    expect(renamed).toEqual({ updateLead: { id: edge?.node.id, name: 'Renamed by graphql-request' } })
    const ready = 'mutation($input: AgentStateInput!) { setAgentState(input: $input) { providerAgentId state } }'
    expect(await client.request(ready, { input: { state: 'READY' } })).toEqual({
      setAgentState: { providerAgentId: 'agent1', state: 'READY' },
    })
  })

  test('receives errors of both sides and of the transport with their codes', async () => {
    const client = new GraphQLClient(desk.endpoint, { headers: { authorization: `Bearer ${desk.agent.token}` } })
    const failure = (query: string, variables = {}) => client.request(query, variables).catch((error: unknown) => error)
    expect(codesOf(await failure('{ callLookup(phoneNumber: "nobody") { phoneNumber } }'))).toEqual(['BAD_USER_INPUT'])
    const missing = { id: '00000000-0000-4000-8000-000000000000', data: { name: 'x' } }
    expect(codesOf(await failure(rename, missing))).toEqual(['NOT_FOUND'])
    desk.app.standIns.platform.fault({ operation: 'leads', times: 1, act: 'cut' })
    expect(codesOf(await failure('{ leads { totalCount } }'))).toEqual(['UPSTREAM_UNAVAILABLE'])
    expect(codesOf(await failure('{ nothing { }'))).toEqual(['BAD_USER_INPUT'])
  })

  test('subscribes by graphql-sse until the recording is analysed', async () => {
    const callId = await recordedCall()
    const sse = createSseClient({ url: desk.endpoint, headers: { authorization: `Bearer ${desk.manager.token}` }, retryAttempts: 0 })
    const query = `subscription { recordingProgress(callId: "${callId}") { stage } }`
    const stages: unknown[] = []
    let isOver = false
    // The stream has so long to open, also on a busy machine.
    desk.app.standIns.speech.pace({ ms: 2_000 })
    sse.subscribe(
      { query },
      { next: ({ data }) => stages.push(data), error: (error) => stages.push(error), complete: () => (isOver = true) },
    )
    const client = new GraphQLClient(desk.endpoint, { headers: { authorization: `Bearer ${desk.manager.token}` } })
    const analyze = 'mutation($input: AnalyzeRecordingInput!) { analyzeRecording(input: $input) { __typename } }'
    await client.request(analyze, { input: { callId, waitSeconds: 0 } })
    await waitFor(() => isOver)
    expect(stages.at(-1)).toEqual({ recordingProgress: { stage: 'ANALYSED' } })
    expect(stages.length).toBeGreaterThan(1)
  })

  test('runs queries and mutations by graphql-sse, each side alone and both', async () => {
    const sse = createSseClient({ url: desk.endpoint, headers: { authorization: `Bearer ${desk.manager.token}` }, retryAttempts: 0 })
    const results = async (query: string): Promise<unknown[]> => {
      const all: unknown[] = []
      for await (const result of sse.iterate({ query })) all.push(result)
      return all
    }
    expect(await results('{ leads(first: 1) { edges { node { __typename } } } }')).toEqual([
      { data: { leads: { edges: [{ node: { __typename: 'Lead' } }] } } },
    ])
    expect(await results('{ me { role } }')).toEqual([{ data: { me: { role: 'MANAGER' } } }])
    expect(await results('{ currentUser { email } }')).toEqual([{ data: { currentUser: { email: 'manager@demo.example' } } }])
    expect(await results('{ me { role } leads(first: 1) { edges { node { __typename } } } }')).toMatchObject([
      { data: { leads: { edges: [{}] } } },
    ])
    expect(await results('mutation { createNote(data: { title: "by graphql-sse" }) { title } }')).toEqual([
      { data: { createNote: { title: 'by graphql-sse' } } },
    ])
    expect(await results('{ nothing { id } }')).toMatchObject([{ errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] }])
  })

  test('renews expired tokens and repeats the operation', async () => {
    const { access, renew } = tokensOf(desk, desk.manager)
    const client = new GraphQLClient(desk.endpoint, {
      requestMiddleware: (request) => ({ ...request, headers: withToken(request.headers, access()) }),
    })
    desk.endAccessTokens()
    const ask = () => client.request<FirstLead>(firstLead, { first: 1 })
    const refused = await ask().catch((error: unknown) => error)
    expect(codesOf(refused)).toContain('UNAUTHENTICATED')
    await renew()
    expect(await ask()).toMatchObject({ me: { role: 'MANAGER' } })
  })
})

function withToken(headers: HeadersInit | undefined, token: string): Headers {
  const all = new Headers(headers)
  all.set('authorization', `Bearer ${token}`)
  return all
}

async function recordedCall(): Promise<string> {
  const client = new GraphQLClient(desk.endpoint, { headers: { authorization: `Bearer ${desk.manager.token}` } })
  const query = '{ calls(first: 60) { edges { node { id recording { primaryLinkUrl } } } } }'
  const { calls } = await client.request<{ calls: { edges: { node: { id: string; recording: { primaryLinkUrl: string } | null } }[] } }>(
    query,
  )
  const call = calls.edges.find(({ node }) => node.recording?.primaryLinkUrl)
  if (!call) throw new Error('no call has a recording')
  return call.node.id
}
