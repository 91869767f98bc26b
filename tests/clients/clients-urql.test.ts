import { cacheExchange, Client, fetchExchange, gql } from '@urql/core'
import { persistedExchange } from '@urql/exchange-persisted'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ClientDesk, openClientDesk, startStreamingPlatform } from '../harness/client-desk.ts'
import { startGateway } from '../harness/gateway.ts'
import { waitFor } from '../harness/wait-for.ts'

let desk: ClientDesk
beforeAll(async () => {
  desk = await openClientDesk()
})
afterAll(() => desk[Symbol.asyncDispose]())

function createClient(url: string, token: string, exchanges = [cacheExchange, fetchExchange]): Client {
  const fetchOptions = { headers: { authorization: `Bearer ${token}` } }
  return new Client({ url, fetchSubscriptions: true, fetchOptions, exchanges })
}

const ready = gql`
  mutation Ready($input: AgentStateInput!) {
    setAgentState(input: $input) {
      providerAgentId
      state
      reason
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
const uploadLogo = gql<{ readonly uploadWorkspaceLogo: { readonly url: string } }>`
  mutation UploadLogo($file: Upload!) {
    uploadWorkspaceLogo(file: $file) {
      url
    }
  }
`
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
type Leads = { readonly leads: { readonly edges: readonly { readonly node: { readonly id: string; readonly name: string } }[] } }
const firstLead = gql<Leads>`
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
const home = gql<Leads & { me: { role: string } }>`
  query Home($first: Int) {
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
          insight {
            summary
          }
        }
      }
    }
  }
`

const anyText: unknown = expect.any(String)

describe('urql', () => {
  test('queries both sides in one operation', async () => {
    const { data, error } = await createClient(desk.endpoint, desk.agent.token).query(home, { first: 2 })
    expect(error).toBeUndefined()
    expect(data).toMatchObject({ me: { role: 'AGENT', user: { email: 'agent1@demo.example' } } })
    expect(data?.leads.edges).toHaveLength(2)
  })

  test.for([true, false])('sends the text after a hash (over GET: %j)', async (preferGetForPersistedQueries) => {
    const persisted = persistedExchange({ preferGetForPersistedQueries, enableForMutation: true })
    const urql = createClient(desk.endpoint, desk.agent.token, [persisted, fetchExchange])
    for (const query of [home, firstLead]) {
      const { data, error } = await urql.query<Leads>(query, { first: 1 })
      expect(error).toBeUndefined()
      expect(data?.leads.edges).toHaveLength(1)
    }
  })

  test('mutates both sides', async () => {
    const urql = createClient(desk.endpoint, desk.agent.token)
    const state = await urql.mutation(ready, { input: { state: 'NOT_READY', reason: 'Training' } })
    expect(state.data).toMatchObject({ setAgentState: { providerAgentId: 'agent1', state: 'NOT_READY', reason: 'Training' } })
    const node = (await urql.query(firstLead, {})).data?.leads.edges[0]?.node
    const renamed = await urql.mutation(rename, { id: node?.id, data: { name: 'Renamed by urql' } })
    expect(renamed.data).toMatchObject({ updateLead: { id: node?.id, name: 'Renamed by urql' } })
  })

  test('receives GraphQL errors of both sides, also if the platform is not available', async () => {
    const urql = createClient(desk.endpoint, desk.agent.token)
    const wrong = await urql.query(lookup, { phone: 'nobody' })
    expect(wrong.error?.networkError).toBeUndefined()
    expect(wrong.error?.graphQLErrors).toMatchObject([
      { path: ['callLookup'], extensions: { code: 'BAD_USER_INPUT', reason: 'INVALID_INPUT' } },
    ])
    const theirs = await urql.mutation(rename, { id: '00000000-0000-4000-8000-000000000000', data: { name: 'x' } })
    expect(theirs.error?.graphQLErrors).toMatchObject([{ message: 'Record not found', extensions: { code: 'NOT_FOUND' } }])
    desk.app.standIns.platform.fault({ operation: 'leads', times: 1, act: 'cut' })
    const away = await urql.query(firstLead, {}, { requestPolicy: 'network-only' })
    expect(away.error?.graphQLErrors).toMatchObject([{ extensions: { code: 'UPSTREAM_UNAVAILABLE', retryable: true } }])
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
    const urql = createClient(`${gateway.url}/graphql`, 'good')
    const subscription = urql.subscription(query, { word: 'ring' }).subscribe(({ data, error }) => received.push(error ?? data))
    await waitFor(() => received.length === 4)
    expect(received).toEqual(['r', 'i', 'n', 'g'].map((characters) => ({ characters })))
    expect(platform.open()).toBe(1)
    subscription.unsubscribe()
    await waitFor(() => platform.open() === 0)
  })

  test('uploads a file of the variables', async () => {
    const file = new File([Buffer.from('iVBORw0KGgo=', 'base64')], 'logo.png', { type: 'image/png' })
    const { data, error } = await createClient(desk.endpoint, desk.manager.token).mutation(uploadLogo, { file })
    expect(error).toBeUndefined()
    expect(data).toMatchObject({ uploadWorkspaceLogo: { url: anyText } })
  })
})
