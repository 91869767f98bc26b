import { telephonyAccounts } from '../../src/sandbox/accounts.ts'

/** An operation that needs an upstream. */
export type GarbledOperation = {
  readonly name: string
  readonly method?: string
  readonly path: string
  readonly body?: unknown
  /** The agent has a call, the caller has none. Null: without a token. */
  readonly as: 'manager' | 'agent' | 'caller' | null
}

const password = 'sandbox-password'
const graphql = (name: string, query: string): GarbledOperation => ({ name, path: '/graphql', body: { query }, as: 'manager' })
const signIn = (name: string): GarbledOperation => ({
  name: 'sign-in',
  path: '/auth/login',
  body: { email: `${name}@demo.example`, password, workspace: 'demo' },
  as: null,
})

/** `ucid`: of a live call of the agent. `callId`: of a record of a call with a recording. */
export type GarbageFacts = { readonly refreshToken: string; readonly ucid: string; readonly callId: string }

export const garbledOperations: Readonly<
  Record<'platform' | 'telephony' | 'outbound', (facts: GarbageFacts) => readonly GarbledOperation[]>
> = {
  platform: ({ refreshToken, callId }) => [
    signIn('user'),
    { name: 'renewal of tokens', path: '/auth/refresh', body: { refreshToken }, as: null },
    graphql('a forwarded query', '{ leads(first: 1) { edges { node { id } } } }'),
    graphql('a query of both sides', '{ leads(first: 1) { totalCount } me { role } }'),
    graphql('a stitched query', '{ leads(first: 1) { edges { node { id insight { summary } } } } }'),
    graphql('a link to a record', '{ me { role member { id } } }'),
    graphql('a query of the metadata', '{ currentUser { id } }'),
    graphql('a mutation', 'mutation { createNote(data: { title: "x" }) { id } }'),
    { name: 'a screen pop', path: '/api/calls/lookup?enrich=false', body: { phoneNumber: '+919876543210' }, as: 'agent' },
    { name: 'the team', method: 'GET', path: '/api/team/members', as: 'manager' },
    { name: 'the doctors', method: 'GET', path: '/api/doctors', as: 'agent' },
    { name: 'the history of calls', method: 'GET', path: '/api/history/calls?from=2026-11-01&to=2026-11-20', as: 'manager' },
    { name: 'a recording', method: 'GET', path: `/api/recordings/${callId}/audio`, as: 'manager' },
    { name: 'the test of the connection', path: '/api/config/platform/test', body: {}, as: 'manager' },
  ],
  telephony: ({ ucid }) => [
    { name: "the agent's state", method: 'PUT', path: '/api/agents/me/state', body: { state: 'READY' }, as: 'agent' },
    { name: 'hold', path: `/api/calls/${ucid}/control`, body: { action: 'HOLD' }, as: 'agent' },
    { name: 'a transfer', path: `/api/calls/${ucid}/transfer`, body: { phoneNumber: '+919811122334' }, as: 'agent' },
    { name: 'a dial', path: '/api/calls/dial', body: { phoneNumber: '+919811122334' }, as: 'caller' },
    { name: 'the test of the connection', path: '/api/config/telephony/test', body: {}, as: 'manager' },
    signIn('agent2'),
  ],
  outbound: ({ callId }) => [
    { name: 'the test of the connection', path: '/api/config/telephony/test', body: {}, as: 'manager' },
    { name: 'a recording', method: 'GET', path: `/api/recordings/${callId}/audio`, as: 'manager' },
  ],
}

/** Operations that need neither; they are asked all the time. */
export const otherOperations = {
  platform: [
    { name: 'a heartbeat', path: '/auth/heartbeat', body: {}, as: 'agent' },
    { name: 'the own data', path: '/graphql', body: { query: '{ me { role } }' }, as: 'agent' },
    { name: '/health', method: 'GET', path: '/health', as: null },
  ],
  telephony: [
    { name: 'a heartbeat', path: '/auth/heartbeat', body: {}, as: 'agent' },
    { name: 'a forwarded query', path: '/graphql', body: { query: '{ leads(first: 1) { totalCount } }' }, as: 'manager' },
    { name: '/health', method: 'GET', path: '/health', as: null },
  ],
} satisfies Record<string, readonly GarbledOperation[]>

export const liveCallOf = { from: '+919820011111', agentId: telephonyAccounts.demo.agents[0]?.id ?? '' }
