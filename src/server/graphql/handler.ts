import { scaled } from '../../kernel/deadlines.ts'
import type { GraphQLObjectType, GraphQLSchema, OperationTypeNode } from 'graphql'
import type { CredentialGate } from '../../features/auth/credential-gate.ts'
import type { RequestContext } from '../../access/request-context.ts'
import type { PlatformSection } from '../../ports/configuration/platform.ts'
import type { CacheUse } from '../../ports/figures.ts'
import type { Log } from '../../kernel/log.ts'
import type { Handler, HttpContext } from '../http/http-context.ts'
import { createRequestContext, type ResolvePrincipal } from '../http/request-context.ts'
import { sendRequestError } from './answer.ts'
import { confirmToken, createApiKeys } from './api-keys.ts'
import { credentialNames } from './credentials.ts'
import type { GatewayTokens } from './gateway-tokens.ts'
import { handleRequest, type Parts } from './handle-request.ts'
import { createEndpointFields } from './endpoint-fields.ts'
import type { RequestLimits } from './limits.ts'
import { createLocalExecution } from './local-execution.ts'
import { createOperationRunner } from './operation-runner.ts'
import { modelChangeOf, type OnModelChange } from './model-change.ts'
import { createOperationPlans } from './operation-plans.ts'
import { createPlatformRequests, type PlatformRequests } from './platform-requests.ts'
import type { Endpoint } from './root-selections.ts'
import { addedFieldNames } from './stitching/extensions.ts'
import type { WorkerSettings } from './stitching/messages.ts'
import { createSdlHandler } from './sdl-handler.ts'
import type { StartSchemaThread } from './stitching/schema-worker.ts'
import { createWorkspaceSchemas, type WorkspaceSchemas } from './stitching/workspace-schemas.ts'
import { type StreamLimit, createStreamLimit, webSockets } from './stream-limit.ts'
import { createUploads } from './uploads.ts'
import type { Upstream } from './upstream.ts'
import type { ConfirmToken } from './web-sockets/connection.ts'
import { createWebSockets } from './web-sockets/web-sockets.ts'
import { createYogaServer, type GatewayPlugin, type Yoga } from './yoga.ts'
import { createYogaHandler, gatewayPlugin, type HttpContexts } from './yoga-handler.ts'

/** The time limit of a platform request for a stitched operation. */
const schemaDeadlineMs = 20_000

export type GraphqlHandler = AsyncDisposable & {
  readonly handler: Handler
  readonly sdl: Handler
  /** `yoga.getEnveloped(context)` is the pipeline on the local schema. */
  readonly yoga: Yoga
  readonly schemas: WorkspaceSchemas
  readonly onModelChange: OnModelChange
  readonly streams: StreamLimit
  readonly tokens: GatewayTokens
  readonly credentialGate: CredentialGate
  /** Rejects if the platform does not accept the token of the request. */
  readonly confirmToken: (ctx: HttpContext) => Promise<void>
}

export type GraphqlHandlerOptions = {
  readonly schema: GraphQLSchema
  /** The SDL from which the schema was made. */
  readonly contract: string
  readonly upstream: Upstream
  readonly platform: { readonly url: string; readonly graphqlPath: string; readonly metadataPath: string }
  /** The subdomains of the served workspaces. */
  readonly workspaces: readonly string[]
  readonly resolvePrincipal: ResolvePrincipal
  readonly credentialGate: CredentialGate
  readonly tokens: GatewayTokens
  /** The workspace's names of objects and fields, for the fields that we add to its schema. */
  readonly platformSection: (workspaceId: string) => Promise<PlatformSection>
  readonly log: Log
  /** Counts stitched operations whose schema was cached. */
  readonly schemaUse: CacheUse
  /** The page for a browser that opens the address: GraphiQL. */
  readonly page?: Handler
  /** Further plugins of the Yoga server: they see every operation on the local schema, of all handlers. */
  readonly plugins?: readonly GatewayPlugin[]
  readonly limits: RequestLimits
  readonly stitching: Pick<WorkerSettings, 'maxSchemas' | 'refreshMs' | 'rereadMs' | 'directory'>
  /** Operations on the stitched schema are refused if its thread is later than this. Default 0: never. */
  readonly overloadDelayMs?: number
  /** Default: a thread of its own. */
  readonly startSchemaThread?: StartSchemaThread | undefined
}

/**
 * `POST /graphql`. Plans each operation by parsing alone and runs it where it belongs: unchanged on the platform, on our local schema, on
 * several sides, or on the workspace's stitched schema. Yoga answers requests that have no plan.
 */
export function createGraphqlHandler(options: GraphqlHandlerOptions): GraphqlHandler {
  const { schema, platform, log, limits, tokens } = options
  const { breaker } = options.upstream
  const fields = createEndpointFields({ platform, breaker, ...options.stitching })
  const plans = createOperationPlans(
    { limits: limits.document, own: rootNames(schema), added: addedFieldNames, schema, credentials: credentialNames },
    fields,
  )
  const local = createLocalExecution(schema, (context) => yoga.getEnveloped(context))
  const { overloadDelayMs = 0, schemaUse: use, startSchemaThread } = options
  const schemas = createWorkspaceSchemas({ local, log, settings: workerSettings(options), use, overloadDelayMs, startSchemaThread })
  const onModelChange = modelChangeOf(fields, schemas)
  const streams = createStreamLimit(options.resolvePrincipal)
  const endpoints = createEndpoints(options, streams)
  const apiKeys = createApiKeys(endpoints.metadata, options)
  const runner = createOperationRunner({
    local,
    endpoints,
    schemas,
    platformSection: options.platformSection,
    onModelChange,
    apiKeys,
    breaker,
    tokens,
  })
  const contextOf = (ctx: HttpContext): RequestContext => createRequestContext(ctx, options.resolvePrincipal)
  const confirm = (ctx: HttpContext): Promise<void> => confirmToken(apiKeys, ctx, contextOf(ctx))
  const httpContexts: HttpContexts = new WeakMap()
  const plugins = [gatewayPlugin({ ...options, plans, runner, httpContexts, streams }), ...(options.plugins ?? [])]
  const yoga = createYogaServer({ schema, maxBodyBytes: limits.bodyBytes, plugins })
  const parts: Parts = {
    plans,
    endpoints,
    runner,
    contextOf,
    limits,
    onModelChange,
    page: options.page ?? null,
    toYoga: createYogaHandler({ yoga, httpContexts, contextOf }),
    takeUpload: createUploads({ plan: (ctx, sent) => plans.plan(ctx, sent), endpoints, limits, confirmToken: confirm }),
  }
  return {
    yoga,
    schemas,
    onModelChange,
    streams,
    tokens,
    credentialGate: options.credentialGate,
    confirmToken: confirm,
    sdl: createSdlHandler(runner, contextOf),
    handler: handlerOf(parts, options, confirm),
    async [Symbol.asyncDispose]() {
      await schemas.close()
      await yoga.dispose()
    },
  }
}

function handlerOf(parts: Parts, { limits, resolvePrincipal, tokens }: GraphqlHandlerOptions, confirmToken: ConfirmToken): Handler {
  const sockets = createStreamLimit(resolvePrincipal, webSockets)
  return {
    ...createWebSockets({ bodyBytes: limits.bodyBytes, confirmToken, sockets, follow: tokens.follow }),
    handle: (ctx) => handleRequest(ctx, parts),
    answerError: sendRequestError,
    writesOwnHead: true,
    takesGraphql: true,
  }
}

function workerSettings({ platform, contract, stitching }: GraphqlHandlerOptions): WorkerSettings {
  const endpoints = { records: platform.url + platform.graphqlPath, metadata: platform.url + platform.metadataPath }
  return { endpoints, contract, deadlineMs: scaled(schemaDeadlineMs), ...stitching }
}

function createEndpoints(options: GraphqlHandlerOptions, streams: StreamLimit): Readonly<Record<Endpoint, PlatformRequests>> {
  const { upstream, platform, credentialGate, tokens } = options
  const requestsTo = (path: string): PlatformRequests =>
    createPlatformRequests({ upstream, path, credentialGate, streams, tokens, answerError: sendRequestError })
  return { records: requestsTo(platform.graphqlPath), metadata: requestsTo(platform.metadataPath) }
}

/** The names of our root fields, by operation. */
function rootNames(schema: GraphQLSchema): Readonly<Record<OperationTypeNode, ReadonlySet<string>>> {
  const namesOf = (type: GraphQLObjectType | null | undefined): ReadonlySet<string> => new Set(Object.keys(type?.getFields() ?? {}))
  return {
    query: namesOf(schema.getQueryType()),
    mutation: namesOf(schema.getMutationType()),
    subscription: namesOf(schema.getSubscriptionType()),
  }
}
