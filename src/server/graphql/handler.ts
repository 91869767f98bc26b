import { type GraphQLObjectType, type GraphQLSchema, OperationTypeNode } from 'graphql'
import type { CredentialGate } from '../../features/auth/credential-gate.ts'
import type { RequestContext } from '../../access/request-context.ts'
import type { PlatformSection } from '../../ports/configuration/platform.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import type { Handler, HttpContext } from '../http/http-context.ts'
import { receiveJson } from './receive.ts'
import { createRequestContext, type ResolvePrincipal } from '../http/request-context.ts'
import { mediaTypeFor, sendOutcome, sendRefusal, sendRequestError } from './answer.ts'
import { credentialNames } from './credentials.ts'
import { bodyOf, type Envelope, envelopeOfQuery, isPlainJson, readEnvelope } from './envelope.ts'
import type { RequestLimits } from './limits.ts'
import { createLocalExecution } from './local-execution.ts'
import { createOperationRunner } from './operation-runner.ts'
import { createPlanCache, type PlanCache } from './plan-cache.ts'
import { createPlatformRequests } from './platform-requests.ts'
import { addedFieldNames } from './stitching/extensions.ts'
import type { WorkerSettings } from './stitching/messages.ts'
import { createWorkspaceSchemas, type WorkspaceSchemas } from './stitching/workspace-schemas.ts'
import { boundaryOf } from './upload-head.ts'
import { createUploads } from './uploads.ts'
import type { Upstream } from './upstream.ts'
import { createYogaServer, type GatewayPlugin, type Yoga } from './yoga.ts'
import { createYogaHandler, type HttpContexts, gatewayPlugin } from './yoga-handler.ts'

export type GraphqlHandlerDependencies = {
  readonly schema: GraphQLSchema
  /** The SDL that the schema was made from. */
  readonly contract: string
  readonly upstream: Upstream
  readonly platform: { readonly url: string; readonly graphqlPath: string }
  readonly resolvePrincipal: ResolvePrincipal
  readonly credentialGate: CredentialGate
  /** The workspace's names of objects and fields: what is added to its schema. */
  readonly platformSection: (workspaceId: string) => Promise<PlatformSection>
  readonly log: Log
  /** What a browser that opens the address gets: GraphiQL. */
  readonly page?: Handler
  /** Further plugins of the Yoga server: they see every operation on the local schema, of all handlers. */
  readonly plugins?: readonly GatewayPlugin[]
  readonly limits: RequestLimits
  readonly stitching: Pick<WorkerSettings, 'maxSchemas' | 'refreshMs' | 'rereadMs'>
}

/** How long the platform may take to answer for a stitched operation. */
const schemaDeadlineMs = 20_000

export type GraphqlHandler = AsyncDisposable & {
  readonly handler: Handler
  /** `yoga.getEnveloped(context)` is the pipeline on the local schema. */
  readonly yoga: Yoga
  readonly plans: PlanCache
  readonly schemas: WorkspaceSchemas
}

/**
 * `POST /graphql`: plans each operation by parsing alone and sends it where it belongs: to the platform as it came, to our local schema,
 * to both, or to the workspace's stitched schema. Whatever is odd about a request goes to Yoga, which says so.
 */
export function createGraphqlHandler(deps: GraphqlHandlerDependencies): GraphqlHandler {
  const { schema, upstream, platform, log, limits, stitching } = deps
  const plans = createPlanCache({ limits: limits.document, own: rootNames(schema), added: addedFieldNames, credentials: credentialNames })
  const local = createLocalExecution(schema, (context) => yoga.getEnveloped(context))
  const schemas = createWorkspaceSchemas({
    local,
    log,
    settings: {
      endpoint: platform.url + platform.graphqlPath,
      contract: deps.contract,
      deadlineMs: schemaDeadlineMs,
      ...stitching,
    },
  })
  const records = createPlatformRequests({
    upstream,
    path: platform.graphqlPath,
    credentialGate: deps.credentialGate,
    answerError: sendRequestError,
  })
  const runner = createOperationRunner({ local, records, schemas, platformSection: deps.platformSection })
  const contextOf = (ctx: HttpContext): RequestContext => createRequestContext(ctx, deps.resolvePrincipal)
  const httpContexts: HttpContexts = new WeakMap()
  const takeUpload = createUploads({ plans, requests: records, limits })
  const yoga = createYogaServer({
    schema,
    maxBodyBytes: limits.bodyBytes,
    plugins: [gatewayPlugin({ plans, runner, httpContexts }), ...(deps.plugins ?? [])],
  })
  const toYoga = createYogaHandler({ yoga, httpContexts, contextOf })

  const handleEnvelope = (asked: Asked): Promise<void> | void => {
    const { ctx, envelope, body } = asked
    const plan = plans.plan(envelope.query, envelope.operationName)
    if (plan.kind === 'platform') {
      if (plan.credentials.length > 0) return records.forwardGated(ctx, { ...plan, variables: envelope.variables, envelope })
      return records.forward(ctx, body, plan.operation)
    }
    const mediaType = mediaTypeFor(ctx.request.headers.accept)
    if (plan.kind === 'refused') return sendRefusal(ctx, plan.error, mediaType ?? 'application/json')
    if (mediaType === null || plan.kind === 'odd' || plan.operation === OperationTypeNode.SUBSCRIPTION) return toYoga(ctx, asked)
    return runner.run({ ctx, envelope, plan, context: contextOf(ctx) }).then((ran) => sendOutcome(ctx, ran, mediaType))
  }

  const handleJson = (ctx: HttpContext, body: Buffer): Promise<void> | void => {
    const envelope = readEnvelope(body)
    return envelope ? handleEnvelope({ ctx, envelope, body }) : toYoga(ctx, { body })
  }

  /** The platform takes POST alone; a GET that reads becomes one. */
  const handleGet = (ctx: HttpContext): Promise<void> | void => {
    const envelope = envelopeOfQuery(ctx.query)
    const plan = envelope && plans.plan(envelope.query, envelope.operationName)
    if (envelope && plan?.kind === 'platform' && plan.operation !== OperationTypeNode.MUTATION) {
      return handleEnvelope({ ctx, envelope, body: Buffer.from(JSON.stringify(bodyOf(envelope))) })
    }
    return toYoga(ctx, { body: null })
  }

  return {
    yoga,
    plans,
    schemas,
    handler: {
      handle(ctx) {
        const { method, headers } = ctx.request
        if (method === 'GET') return deps.page && wantsPage(ctx) ? showPage(ctx, deps.page) : handleGet(ctx)
        if (method !== 'POST') return toYoga(ctx, { body: null })
        if (isPlainJson(headers['content-type'], headers['content-encoding'])) return receiveJson(ctx, limits.bodyBytes, handleJson)
        const boundary = boundaryOf(headers['content-type'])
        if (boundary !== null && headers['content-encoding'] === undefined) return takeUpload(ctx, boundary)
        return sendRequestError(ctx, wrongForm, headers['content-type'] === undefined ? 400 : 415)
      },
      answerError: sendRequestError,
      writesOwnHead: true,
    },
    async [Symbol.asyncDispose]() {
      await schemas.close()
      await yoga.dispose()
    },
  }
}

const wrongForm = new AppError('INVALID_INPUT', { detail: 'The body must be application/json in UTF-8' })

type Asked = { readonly ctx: HttpContext; readonly envelope: Envelope; readonly body: Buffer }

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
