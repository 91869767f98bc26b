import { createFigures } from '../../src/ports/figures.ts'
import { createLog } from '../../src/kernel/log.ts'
import type { CredentialGate } from '../../src/features/auth/credential-gate.ts'
import type { Principal } from '../../src/access/principal.ts'
import type { PlatformSection } from '../../src/ports/configuration/platform.ts'
import { AppError } from '../../src/kernel/errors.ts'
import { createGraphqlHandler, type GraphqlHandler } from '../../src/server/graphql/handler.ts'
import type { Resolvers } from '../../src/generated.ts'
import type { RequestLimits } from '../../src/server/graphql/limits.ts'
import type { GatewayTokens } from '../../src/server/graphql/gateway-tokens.ts'
import { createLocalSchema } from '../../src/server/graphql/local-schema.ts'
import { createMetadataHandler } from '../../src/server/graphql/metadata-handler.ts'
import { createUpstream, type UpstreamOptions } from '../../src/server/graphql/upstream.ts'
import { createHttpServer } from '../../src/server/http/http-server.ts'
import { readSettings } from '../../src/settings/settings.ts'
import { bePatient } from './patient-settings.ts'

/** The gateway with a small contract for tests, in front of any platform, on a real socket. */
export type Gateway = AsyncDisposable & {
  readonly url: string
  readonly graphql: GraphqlHandler
  /** Requests to the platform that are under way. */
  inFlight(): number
  post(body: unknown, options?: PostOptions): Promise<Response>
  ask(query: string, options?: PostOptions & { variables?: Record<string, unknown>; operationName?: string }): Promise<GraphqlAnswer>
}
export type PostOptions = {
  readonly token?: string | null
  readonly path?: string
  readonly headers?: Record<string, string>
  readonly signal?: AbortSignal
}
export type GraphqlAnswer = {
  readonly data?: Record<string, unknown> | null
  readonly errors?: readonly Record<string, unknown>[]
  readonly [member: string]: unknown
}

export type GatewayOptions = {
  readonly platformUrl: string
  readonly typeDefs?: string
  readonly resolvers?: Record<string, unknown>
  readonly principalOf?: (token: string) => Principal | null
  readonly credentialGate?: CredentialGate
  readonly tokens?: Partial<GatewayTokens>
  readonly upstream?: Partial<UpstreamOptions>
  readonly deadlineMs?: number
  readonly stitching?: Partial<Parameters<typeof createGraphqlHandler>[0]['stitching']>
  readonly platformSection?: PlatformSection
  readonly graphqlPath?: string
  readonly limits?: Partial<RequestLimits>
}

const gatewayTypeDefs = /* GraphQL */ `
  directive @auth(role: ApplicationRole! = USER) on FIELD_DEFINITION
  directive @public on FIELD_DEFINITION
  scalar DateTime
  enum ApplicationRole {
    USER
    AGENT
    MANAGER
  }
  enum SuggestedAction {
    CALL_BACK
    BOOK_VISIT
  }
  type LeadInsight {
    summary: String!
    suggestedAction: SuggestedAction
    writtenAt: DateTime
  }
  type Query {
    viewer: GatewayViewer! @auth
    managerOnly: String! @auth(role: MANAGER)
    greeting(name: String!, at: DateTime): String! @public
    faulty(kind: GatewayFault!): String @auth
    faultyAtRoot: String! @auth
    fewItems(count: Int!): [GatewayItem!]! @auth
    leadInsights(leads: [LeadInsightKey!]!): [LeadInsight]! @auth
  }
  type Mutation {
    note(text: String!): GatewayNote! @auth
  }
  type Subscription {
    ticks(count: Int!, fault: GatewayFault): Int! @auth
  }
  enum GatewayFault {
    APP
    UNKNOWN
  }
  type GatewayViewer {
    memberId: ID!
    email: String!
    token: String!
  }
  type GatewayNote {
    id: ID!
    text: String!
    at: DateTime!
  }
  input LeadInsightKey {
    id: ID!
    summary: String
    suggestedAction: String
    writtenAt: String
  }
  type GatewayItem {
    id: ID!
    name: String
    faulty: String
  }
`

type LeadKey = { readonly summary?: string; readonly suggestedAction?: string; readonly writtenAt?: string }

/** The order in which local mutations ran, per gateway. */
export type Notes = string[]

function gatewayResolvers(notes: Notes = []): Record<string, unknown> {
  return {
    Query: {
      viewer: async (_: unknown, __: unknown, context: { actor(): Promise<{ principal: Principal; accessToken: string }> }) => {
        const { principal, accessToken } = await context.actor()
        return { memberId: principal.memberId, email: principal.email, token: accessToken }
      },
      managerOnly: () => 'for managers',
      greeting: (_: unknown, { name, at }: { name: string; at?: string }) => (at ? `Hello ${name} at ${at}` : `Hello ${name}`),
      faulty: (_: unknown, { kind }: { kind: string }) => {
        throw faultOf(kind)
      },
      faultyAtRoot: () => {
        throw new AppError('WRONG_STATE')
      },
      leadInsights: (_: unknown, { leads }: { leads: readonly LeadKey[] }) =>
        leads.map(({ summary, suggestedAction, writtenAt }) =>
          summary ? { summary, suggestedAction: suggestedAction === 'call back' ? 'CALL_BACK' : null, writtenAt } : null,
        ),
      fewItems: (_: unknown, { count }: { count: number }) =>
        Array.from({ length: count }, (_item, index) => ({
          id: String(index),
          name: index % 2 === 0 ? `item ${index}` : null,
          faulty: () => {
            if (index === 1) throw new AppError('NOT_FOUND')
            return 'fine'
          },
        })),
    },
    Mutation: {
      note: (_: unknown, { text }: { text: string }) => {
        notes.push(text)
        if (text === 'fail') throw new AppError('WRONG_STATE', { detail: 'Not now' })
        return { id: String(notes.length), text, at: new Date(0) }
      },
    },
    Subscription: {
      ticks: {
        async *subscribe(_: unknown, { count, fault }: { count: number; fault?: string }) {
          for (let tick = 1; tick <= count; tick += 1) yield { ticks: tick }
          if (fault) throw faultOf(fault)
        },
      },
    },
  }
}

function faultOf(kind: string): Error {
  return kind === 'APP' ? new AppError('NOT_FOUND', { detail: 'Nothing of that kind' }) : new Error('a secret of the house')
}

/** No sign-in ends. */
const noEndings: GatewayTokens = {
  checkHeader: () => {},
  follow: () => new DisposableStack(),
  begin: () => ({ note: async () => {} }),
  checkRenewal: async () => {},
  renewed: async () => {},
}
const openGate: CredentialGate = { enter: () => Promise.resolve(() => {}) }

export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  bePatient(options, options.upstream, options.stitching)
  const contract = options.typeDefs ?? gatewayTypeDefs
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the generated types are of the real contract
  const resolvers = (options.resolvers ?? gatewayResolvers()) as unknown as Resolvers
  const schema = createLocalSchema({ typeDefs: contract, resolvers: [resolvers] })
  const log = createLog(process.env['TEST_LOG'] ?? 'silent')
  const upstream = createUpstream({ url: options.platformUrl, ...options.upstream })
  const platform = { url: options.platformUrl, graphqlPath: options.graphqlPath ?? '/graphql', metadataPath: '/metadata' }
  const principalOf = options.principalOf ?? (() => null)
  const credentialGate = options.credentialGate ?? openGate
  const tokens = { ...noEndings, ...options.tokens }
  const { graphql: settings } = readSettings({})
  const limits = { ...settings.limits, ...options.limits }
  const graphql = createGraphqlHandler({
    schema,
    contract,
    upstream,
    platform,
    workspaces: ['demo'],
    credentialGate,
    tokens,
    log,
    schemaUse: createFigures().caches.schemas,
    resolvePrincipal: async (token) => {
      const principal = principalOf(token)
      if (!principal) throw new AppError('TOKEN_REFUSED')
      return principal
    },
    limits,
    platformSection: async () => options.platformSection ?? defaultPlatformSection,
    stitching: { ...settings.stitching, directory: null, ...options.stitching },
  })
  const server = await createHttpServer({
    host: '127.0.0.1',
    port: 0,
    trustProxy: ['loopback'],
    metricsFrom: ['loopback'],
    handlers: {
      '/graphql': graphql.handler,
      '/metadata': createMetadataHandler({ ...graphql, upstream, platform, limits }),
    },
    health: {},
    log,
    ...(options.deadlineMs === undefined ? {} : { deadlineMs: options.deadlineMs }),
  })
  const post: Gateway['post'] = (body, { token, path = '/graphql', headers, signal } = {}) =>
    fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}), ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...(signal && { signal }),
    })
  return {
    url: server.url,
    graphql,
    inFlight: () => upstream.figures.inFlight,
    post,
    async ask(query, { variables, operationName, ...rest } = {}) {
      const response = await post({ query, variables, operationName }, rest)
      const answer: unknown = await response.json()
      if (!isAnswer(answer)) throw new Error('no GraphQL answer')
      return answer
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await graphql[Symbol.asyncDispose]()
      await upstream.close()
    },
  }
}

function isAnswer(value: unknown): value is GraphqlAnswer {
  return typeof value === 'object' && value !== null && ('data' in value || 'errors' in value)
}

const noObject = { singular: 'none', plural: 'none', fields: {} }
const defaultPlatformSection: PlatformSection = {
  apiKey: null,
  roles: { manager: null, user: null },
  visits: { timeZone: 'Asia/Kolkata', slotMinutes: 15 },
  objects: {
    lead: {
      singular: 'lead',
      plural: 'leads',
      fields: {
        name: 'name',
        phones: 'phones',
        emails: 'emails',
        status: 'status',
        source: 'source',
        agent: 'agent',
        aiSummary: 'aiSummary',
        aiSuggestedAction: 'aiSuggestedAction',
        aiInsightAt: 'aiInsightAt',
      },
    },
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only the lead is read by the gateway
    ...({ agent: noObject, call: noObject, doctor: noObject, visitSlot: noObject } as unknown as Omit<PlatformSection['objects'], 'lead'>),
  },
}

export function testPrincipal(overrides: Partial<Principal> = {}): Principal {
  return {
    userId: 'user-1',
    memberId: 'member-1',
    workspaceId: 'workspace-1',
    role: 'AGENT',
    roleBasis: { labels: ['User'], accepted: { manager: ['Manager'], user: ['User'] } },
    email: 'agent1@demo.example',
    firstName: 'Asha',
    lastName: 'Rao',
    workspace: 'demo',
    agentId: null,
    ...overrides,
  }
}
