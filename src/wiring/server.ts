import { isFrontendOrigin } from '../features/auth/workspace.ts'
import { fitsOrigin } from '../kernel/origin-pattern.ts'
import { createAudioHandler } from '../server/rest/audio-handler.ts'
import { createCallsCsvHandler } from '../server/rest/calls-csv-handler.ts'
import proxyAddr from 'proxy-addr'
import type { Handler, HttpContext } from '../server/http/http-context.ts'
import { healthChecks } from '../server/operations/health-checks.ts'
import { registerServiceMetrics } from '../server/operations/register-metrics.ts'
import { createGraphqlHandler } from '../server/graphql/handler.ts'
import { createGraphiqlHandlers } from '../server/graphql/graphiql/handlers.ts'
import { createMetadataHandler } from '../server/graphql/metadata-handler.ts'
import { createLocalSchema, readContract, withProviders } from '../server/graphql/local-schema.ts'
import { createUpstream } from '../server/graphql/upstream.ts'
import { createHttpServer, type HttpServer } from '../server/http/http-server.ts'
import { createRequestContext } from '../server/http/request-context.ts'
import { bindCheckedTable } from '../server/rest/bound-row.ts'
import { createDescriptionHandlers } from '../server/rest/description-handlers.ts'
import { createRestHandler } from '../server/rest/handler.ts'
import { createScorecardsCsvHandler } from '../server/rest/scorecards-csv-handler.ts'
import { restTable } from '../server/rest/table.ts'
import { createAsyncApiHandler } from '../server/rest/asyncapi-handler.ts'
import { createWebhookHandler } from '../server/webhooks/handler.ts'
import { createWelcomeHandlers } from '../server/operations/welcome-handler.ts'
import { createConsoleSessionHandlers } from '../server/console/session-handlers.ts'
import { createConsoleHandlers } from '../server/console/handler.ts'
import { createDemoHandlers } from '../server/widget/demo/handler.ts'
import { createWidgetHandler } from '../server/widget/handler.ts'
import { createWidgetScriptHandler } from '../server/widget/script-handler.ts'
import type { Settings } from '../settings/settings.ts'
import type { Features } from './features.ts'
import type { Overrides } from './infrastructure.ts'
import type { WiredPorts } from './ports.ts'

type ServerParts = {
  readonly ports: WiredPorts
  readonly features: Features
  readonly overrides: Overrides
}

/** Opens the service's port with all its handlers. */
export async function openHandlers(settings: Settings, parts: ServerParts, stack: AsyncDisposableStack): Promise<HttpServer> {
  const { log, metrics, checkPlatform, breakers } = parts.ports
  const { workspaces, platform } = settings
  registerServiceMetrics(metrics, parts.ports, { ...parts.features.widget, dueWork: parts.features.dueWork })
  return createHttpServer({
    ...settings.http,
    log,
    principals: parts.features.principals,
    allowsOrigin: (origin) =>
      isFrontendOrigin(origin, { workspaces, template: platform.workspaceUrl }) ||
      settings.http.allowedOrigins.some((pattern) => fitsOrigin(origin, pattern)),
    registry: metrics,
    handlers: { ...apiHandlers(settings, parts, stack), ...otherHandlers(settings, parts) },
    health: healthChecks(parts.features.calls, { ...settings, checkPlatform, breakers, dueWork: parts.features.dueWork }),
  })
}

type Handlers = Readonly<Record<string, Handler>>

/** GraphQL and REST: they share the local schema and Yoga's pipeline. */
function apiHandlers(settings: Settings, { ports, features, overrides }: ServerParts, stack: AsyncDisposableStack): Handlers {
  const { platform } = settings
  const resolvePrincipal = (accessToken: string) => features.principals.resolve(accessToken)
  const contextOf = (ctx: HttpContext) => createRequestContext(ctx, resolvePrincipal)
  const contract = withProviders(readContract(), ports.telephonyProviders)
  const schema = createLocalSchema({ resolvers: features.resolvers, typeDefs: contract })
  const upstream = createUpstream({ url: platform.url, breaker: ports.platformBreaker, calls: ports.figures })
  stack.defer(() => upstream.close())
  const graphiql = createGraphiqlHandlers({
    workspaceUrl: platform.workspaceUrl,
    workspace: settings.workspaces[0] ?? '',
    demo: overrides.demo ?? null,
  })
  const graphql = createGraphqlHandler({
    schema,
    contract,
    upstream,
    platform,
    workspaces: settings.workspaces,
    resolvePrincipal,
    credentialGate: features.credentialGate,
    tokens: { ...features.refusedTokens, ...features.signIns },
    platformSection: (workspaceId) => ports.configuration.read(workspaceId, 'platform'),
    log: ports.log,
    schemaUse: ports.figures.caches.schemas,
    page: graphiql.page,
    ...(overrides.yogaPlugins && { plugins: overrides.yogaPlugins }),
    ...settings.graphql,
    overloadDelayMs: settings.http.overloadDelayMs,
    startSchemaThread: overrides.startSchemaThread,
  })
  stack.use(graphql)
  const rows = bindCheckedTable(restTable, schema)
  const rest = createRestHandler({ rows, yoga: graphql.yoga, schema, contextOf })
  return {
    '/graphql': graphql.handler,
    '/schema.graphql': graphql.sdl,
    ...graphiql.assets,
    [platform.metadataPath]: createMetadataHandler({ ...graphql, upstream, platform, limits: settings.graphql.limits }),
    ...createConsoleSessionHandlers({ rows, yoga: graphql.yoga, schema, contextOf }, features.calls.publicAddress),
    '/auth/*': rest,
    '/api/*': rest,
    '/api/scorecards.csv': createScorecardsCsvHandler({ ...ports, agentEntries: features.supervision.agentEntries }, contextOf),
    '/api/recordings/*': createAudioHandler({ recordings: features.recordings, contextOf, otherwise: rest }),
    '/api/history/calls.csv': createCallsCsvHandler({ ...ports, agentEntries: features.supervision.agentEntries }, contextOf),
    ...createDescriptionHandlers(rows, schema),
  }
}

/** Webhooks, the widget and the pages. */
function otherHandlers(settings: Settings, { ports, features, overrides: { demo } }: ServerParts): Handlers {
  return {
    ...createConsoleHandlers({
      workspaceUrl: settings.platform.workspaceUrl,
      workspace: settings.workspaces[0] ?? '',
      publicAddress: features.calls.publicAddress,
      demo: demo ?? null,
      sipServers: settings.http.sipServers,
    }),
    '/api/widget/*': createWidgetHandler(features.widget),
    '/hooks/*': createWebhookHandler({ ports: features.calls, allowsAddress: allowed(settings.http.callbackAddresses) }),
    '/widget.js': createWidgetScriptHandler(),
    ...(demo && createDemoHandlers({ ...features.widget, workspaces: ports.workspaces }, demo.workspace)),
    ...createWelcomeHandlers({ hasDemo: demo !== undefined }),
    '/asyncapi.json': createAsyncApiHandler(),
  }
}

function allowed(addresses: readonly string[] | null): ((address: string) => boolean) | null {
  if (addresses === null) return null
  const isAllowed = proxyAddr.compile([...addresses])
  return (address) => isAllowed(address, 0)
}
