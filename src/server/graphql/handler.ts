import { type GraphQLObjectType, type GraphQLSchema, OperationTypeNode } from 'graphql'
import type { CredentialGate } from '../../features/auth/credential-gate.ts'
import type { RequestContext } from '../../access/request-context.ts'
import type { PlatformSection } from '../../ports/configuration/platform.ts'
import type { Log } from '../../kernel/log.ts'
import type { Handler, HttpContext } from '../http/http-context.ts'
import { receivePost } from './receive.ts'
import { createRequestContext, type ResolvePrincipal } from '../http/request-context.ts'
import { mediaTypeFor, sendOutcome, sendRefusal, sendRequestError } from './answer.ts'
import { credentialNames } from './credentials.ts'
import { bodyOf, type Envelope, envelopeOfQuery, readEnvelope } from './envelope.ts'
import type { RequestLimits } from './limits.ts'
import { createLocalExecution } from './local-execution.ts'
import { createOperationRunner, type OperationRunner } from './operation-runner.ts'
import { createPlanCache, type PlanCache } from './plan-cache.ts'
import { createPlatformRequests, type PlatformRequests } from './platform-requests.ts'
import { addedFieldNames } from './stitching/extensions.ts'
import type { WorkerSettings } from './stitching/messages.ts'
import { createWorkspaceSchemas, type WorkspaceSchemas } from './stitching/workspace-schemas.ts'
import { createUploads, type TakeUpload } from './uploads.ts'
import type { Upstream } from './upstream.ts'
import { createYogaServer, type GatewayPlugin, type Yoga } from './yoga.ts'
import { createYogaHandler, gatewayPlugin, type HttpContexts, type YogaHandler } from './yoga-handler.ts'

/** The time limit of a platform request for a stitched operation. */
const schemaDeadlineMs = 20_000

export type GraphqlHandler = AsyncDisposable & {
  readonly handler: Handler
  /** `yoga.getEnveloped(context)` is the pipeline on the local schema. */
  readonly yoga: Yoga
  readonly plans: PlanCache
  readonly schemas: WorkspaceSchemas
}

/**
 * `POST /graphql`. Plans each operation by parsing alone and runs it where it belongs: unchanged on the platform, on our local schema, on
 * both, or on the workspace's stitched schema. Yoga answers requests that have no plan.
 */
export function createGraphqlHandler(options: {
  readonly schema: GraphQLSchema
  /** The SDL from which the schema was made. */
  readonly contract: string
  readonly upstream: Upstream
  readonly platform: { readonly url: string; readonly graphqlPath: string }
  readonly resolvePrincipal: ResolvePrincipal
  readonly credentialGate: CredentialGate
  /** The workspace's names of objects and fields, for the fields that we add to its schema. */
  readonly platformSection: (workspaceId: string) => Promise<PlatformSection>
  readonly log: Log
  /** The page for a browser that opens the address: GraphiQL. */
  readonly page?: Handler
  /** Further plugins of the Yoga server: they see every operation on the local schema, of all handlers. */
  readonly plugins?: readonly GatewayPlugin[]
  readonly limits: RequestLimits
  readonly stitching: Pick<WorkerSettings, 'maxSchemas' | 'refreshMs' | 'rereadMs'>
}): GraphqlHandler {
  const { schema, upstream, platform, log, limits } = options
  const plans = createPlanCache({ limits: limits.document, own: rootNames(schema), added: addedFieldNames, credentials: credentialNames })
  const local = createLocalExecution(schema, (context) => yoga.getEnveloped(context))
  const settings: WorkerSettings = {
    endpoint: platform.url + platform.graphqlPath,
    contract: options.contract,
    deadlineMs: schemaDeadlineMs,
    ...options.stitching,
  }
  const schemas = createWorkspaceSchemas({ local, log, settings })
  const records = createPlatformRequests({
    upstream,
    path: platform.graphqlPath,
    credentialGate: options.credentialGate,
    answerError: sendRequestError,
  })
  const runner = createOperationRunner({ local, records, schemas, platformSection: options.platformSection })
  const contextOf = (ctx: HttpContext): RequestContext => createRequestContext(ctx, options.resolvePrincipal)
  const httpContexts: HttpContexts = new WeakMap()
  const plugins = [gatewayPlugin({ plans, runner, httpContexts }), ...(options.plugins ?? [])]
  const yoga = createYogaServer({ schema, maxBodyBytes: limits.bodyBytes, plugins })
  const parts: Parts = {
    plans,
    records,
    runner,
    contextOf,
    limits,
    page: options.page ?? null,
    toYoga: createYogaHandler({ yoga, httpContexts, contextOf }),
    takeUpload: createUploads({ plans, requests: records, limits }),
  }
  return {
    yoga,
    plans,
    schemas,
    handler: { handle: (ctx) => handleRequest(ctx, parts), answerError: sendRequestError, writesOwnHead: true },
    async [Symbol.asyncDispose]() {
      await schemas.close()
      await yoga.dispose()
    },
  }
}

type Parts = {
  readonly plans: PlanCache
  readonly records: PlatformRequests
  readonly runner: OperationRunner
  readonly contextOf: (ctx: HttpContext) => RequestContext
  readonly limits: RequestLimits
  readonly page: Handler | null
  readonly toYoga: YogaHandler
  readonly takeUpload: TakeUpload
}

function handleRequest(ctx: HttpContext, parts: Parts): Promise<void> | void {
  const { method } = ctx.request
  if (method === 'GET') return parts.page && wantsPage(ctx) ? showPage(ctx, parts.page) : handleGet(ctx, parts)
  if (method !== 'POST') return parts.toYoga(ctx, { body: null })
  return receivePost(ctx, { limits: parts.limits, takeUpload: parts.takeUpload, handleJson: (body) => handleJson(ctx, body, parts) })
}

function handleJson(ctx: HttpContext, body: Buffer, parts: Parts): Promise<void> | void {
  const envelope = readEnvelope(body)
  return envelope ? handleEnvelope({ ctx, envelope, body }, parts) : parts.toYoga(ctx, { body })
}

type Received = { readonly ctx: HttpContext; readonly envelope: Envelope; readonly body: Buffer }

function handleEnvelope(received: Received, { plans, records, runner, contextOf, toYoga }: Parts): Promise<void> | void {
  const { ctx, envelope, body } = received
  const plan = plans.plan(envelope.query, envelope.operationName)
  if (plan.kind === 'platform') {
    if (plan.credentials.length > 0) return records.forwardGated(ctx, { ...plan, variables: envelope.variables, envelope })
    return records.forward(ctx, body, plan.operation)
  }
  const mediaType = mediaTypeFor(ctx.request.headers.accept)
  if (plan.kind === 'refused') return sendRefusal(ctx, plan.error, mediaType ?? 'application/json')
  if (mediaType === null || plan.kind === 'unplanned' || plan.operation === OperationTypeNode.SUBSCRIPTION) return toYoga(ctx, received)
  return runner.run({ ctx, envelope, plan, context: contextOf(ctx) }).then((outcome) => sendOutcome(ctx, outcome, mediaType))
}

/** The platform allows only POST, so a GET query for it is sent as POST. */
function handleGet(ctx: HttpContext, parts: Parts): Promise<void> | void {
  const envelope = envelopeOfQuery(ctx.query)
  const plan = envelope && parts.plans.plan(envelope.query, envelope.operationName)
  if (envelope && plan?.kind === 'platform' && plan.operation !== OperationTypeNode.MUTATION) {
    return handleEnvelope({ ctx, envelope, body: Buffer.from(JSON.stringify(bodyOf(envelope))) }, parts)
  }
  return parts.toYoga(ctx, { body: null })
}

function showPage(ctx: HttpContext, page: Handler): Promise<void> | void {
  ctx.setBaseHead()
  return page.handle(ctx)
}

/** A browser that opens the address, not a program that sends an operation. The page itself shows an operation that the address has. */
function wantsPage({ request }: HttpContext): boolean {
  return request.headers.accept?.includes('text/html') ?? false
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
