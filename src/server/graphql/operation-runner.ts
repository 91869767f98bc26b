import { parse } from 'graphql'
import type { RequestContext } from '../../access/request-context.ts'
import type { PlatformSection } from '../../ports/configuration/platform.ts'
import type { CircuitBreaker } from '../../kernel/circuit-breaker.ts'
import { AppError } from '../../kernel/errors.ts'
import type { HttpContext } from '../http/http-context.ts'
import type { OperationOutcome } from './answer.ts'
import { type ApiKeys, contextOfKey } from './api-keys.ts'
import { refuseCostly } from './cost/cost.ts'
import type { Envelope } from './envelope.ts'
import { formattedError, logProviderFailure } from './errors.ts'
import type { GatewayTokens } from './gateway-tokens.ts'
import type { LocalExecution } from './local-execution.ts'
import { runMixed } from './mixed.ts'
import { readGraphQL } from './read-graphql.ts'
import type { OnModelChange } from './model-change.ts'
import type { Plan } from './plan.ts'
import type { PlatformRequests } from './platform-requests.ts'
import type { Endpoint } from './root-selections.ts'
import type { StitchedOperation } from './stitching/messages.ts'
import { objectNames } from './stitching/object-names.ts'
import type { StitchedAnswer, StitchedRequest } from './stitching/running-operations.ts'
import type { WorkspaceSchemas } from './stitching/workspace-schemas.ts'

export type RunnerOptions = {
  readonly local: LocalExecution
  readonly endpoints: Readonly<Record<Endpoint, PlatformRequests>>
  readonly schemas: WorkspaceSchemas
  readonly platformSection: (workspaceId: string) => Promise<PlatformSection>
  readonly onModelChange: OnModelChange
  readonly apiKeys: ApiKeys
  /** Of the platform. */
  readonly breaker: CircuitBreaker
  readonly tokens: Pick<GatewayTokens, 'checkHeader' | 'follow'>
}

export type Operation<Kinds extends Plan['kind'] = 'local' | 'mixed' | 'stitched'> = {
  readonly ctx: HttpContext
  readonly envelope: Envelope
  readonly plan: Extract<Plan, { kind: Kinds }>
  readonly context: RequestContext
}

/** Runs the operations that are not forwarded unchanged. */
export type OperationRunner = {
  /** Refusals of the operation (no token, no schema) are results. Timeouts, overload and unknown errors are thrown. */
  run(operation: Operation): Promise<OperationOutcome>
  /** The answers of a subscription on the workspace's stitched schema, each as JSON. */
  stream(operation: Operation<'stitched'>): Promise<AsyncIterable<Uint8Array>>
  /** The combined schema of the workspace that the request's token names. Throws an AppError if there is none. */
  sdl(ctx: HttpContext, context: RequestContext): Promise<Uint8Array>
}

export function createOperationRunner(options: RunnerOptions): OperationRunner {
  return {
    run: (operation) =>
      runGated(operation, options).catch((error: unknown) => {
        if (!(error instanceof AppError) || !isRefusal(error)) throw error
        logProviderFailure(error, operation.context)
        return { result: { errors: [formattedError(error, operation.context.requestId)] } }
      }),
    async stream(operation) {
      refuseCostly(operation.plan.cost, operation.envelope.variables)
      const { stitched, request } = await stitchedOperation(operation, options)
      const follow: StitchedRequest['follow'] = (listener) => {
        // The sign-in may have ended since the token was confirmed.
        options.tokens.checkHeader(operation.ctx.request.headers.authorization)
        return options.tokens.follow(stitched.accessToken, listener)
      }
      const followed = { ...request, follow }
      return operation.plan.asksPlatform ? streamGuarded(options, stitched, followed) : options.schemas.stream(stitched, followed)
    },
    async sdl(ctx, context) {
      const envelope = { query: '', operationName: '', variables: null }
      const { stitched, request } = await stitchedOperation({ ctx, context, envelope, plan: { introspects: true } }, options)
      return (await runGuarded(options, { ...stitched, wantsSdl: true }, request)).body
    },
  }
}

/** An operation with credential fields passes the credential gate first. */
async function runGated(operation: Operation, options: RunnerOptions): Promise<OperationOutcome> {
  const { plan, ctx, envelope } = operation
  if (plan.kind !== 'local') refuseCostly(plan.cost, envelope.variables)
  if (plan.kind === 'local' || plan.credentials.length === 0) return runPlanned(operation, options)
  const settleGate = await options.endpoints.records.enterGate(ctx, { credentials: plan.credentials, variables: envelope.variables })
  const outcome = await runPlanned(operation, options).catch(async (error: unknown) => {
    await settleGate(null)
    throw error
  })
  await settleGate('result' in outcome ? { ...readOutcome(JSON.stringify(outcome.result)) } : readOutcome(Buffer.from(outcome.body)))
  return outcome
}

async function runPlanned(operation: Operation, options: RunnerOptions): Promise<OperationOutcome> {
  const { plan, envelope, context, ctx } = operation
  const { local, endpoints } = options
  if (plan.kind === 'local') return { result: await local.run({ document: plan.document, variables: envelope.variables }, context) }
  try {
    if (plan.kind === 'stitched') return await runStitched({ ...operation, plan }, options)
    return { result: await runMixed({ split: plan.split, variables: envelope.variables, context, ctx }, { local, endpoints }) }
  } finally {
    if (plan.changesModel && (await isConfirmed(operation, options))) options.onModelChange(ctx)
  }
}

async function runStitched(operation: Operation<'stitched'>, options: RunnerOptions): Promise<OperationOutcome> {
  const { envelope, plan, context, ctx } = operation
  const { stitched, request } = await stitchedOperation(operation, options)
  try {
    return await runGuarded(options, stitched, request)
  } catch (error) {
    // An operation of ours does not need the platform; its actor is known by now.
    const unreadable = error instanceof AppError && error.reason !== 'TOKEN_REFUSED'
    if (!plan.local || !unreadable || ctx.aborted) throw error
    context.log.warn({ reason: error.reason }, 'stitching.schema-unavailable')
    return { result: await options.local.run({ document: parse(envelope.query), variables: envelope.variables }, context) }
  }
}

/**
 * The thread of the stitched schemas sends requests of its own: the breaker counts an operation as one, by the last request that has ended. An
 * operation without a request, which the cached schema answers or refuses, says nothing about the platform.
 */
async function runGuarded(
  { schemas, breaker }: RunnerOptions,
  stitched: StitchedOperation,
  request: StitchedRequest,
): Promise<StitchedAnswer> {
  const last: { works: boolean | null } = { works: null }
  breaker.enter()
  try {
    return await schemas.run(stitched, { ...request, onVerdict: (works) => void (last.works = works) })
  } finally {
    if (last.works === null) breaker.left()
    else if (last.works) breaker.answered()
    else breaker.failed()
  }
}

/**
 * While the breaker is open, a subscription is one of the calls that test whether the platform works again: the answer to its first request is
 * the verdict. One of our own fields is never a test, because it may send no request for hours.
 */
async function* streamGuarded(
  { schemas, breaker }: RunnerOptions,
  stitched: StitchedOperation,
  request: StitchedRequest,
): AsyncGenerator<Uint8Array> {
  if (!breaker.isOpen) {
    yield* schemas.stream(stitched, request)
    return
  }
  breaker.enter()
  let isJudged = false
  const judge = (verdict: 'answered' | 'failed' | 'left'): void => {
    if (isJudged) return
    isJudged = true
    breaker[verdict]()
  }
  try {
    yield* schemas.stream(stitched, { ...request, onVerdict: (works) => judge(works ? 'answered' : 'failed') })
  } finally {
    judge('left')
  }
}

/** Whether the platform accepts the token, which names the workspace. */
function isConfirmed({ ctx, context }: Operation, { apiKeys }: RunnerOptions): Promise<boolean> {
  const confirmed = apiKeys.actorOf(ctx, context).then((key) => key ?? context.actor())
  return confirmed.then(
    () => true,
    () => false,
  )
}

/** An API key has no member: only the fields that we add to records of the platform know it. */
async function stitchedOperation(
  {
    ctx,
    envelope,
    plan,
    context,
  }: Pick<Operation<'stitched'>, 'ctx' | 'context' | 'envelope'> & { readonly plan: { readonly introspects: boolean } },
  { platformSection, apiKeys }: Pick<RunnerOptions, 'platformSection' | 'apiKeys'>,
): Promise<{ stitched: StitchedOperation; request: StitchedRequest }> {
  const key = await apiKeys.actorOf(ctx, context)
  const { principal, accessToken } = key ?? (await context.actor())
  const stitched = {
    source: envelope.query,
    operationName: envelope.operationName === '' ? null : envelope.operationName,
    variables: envelope.variables,
    workspaceId: principal.workspaceId,
    accessToken,
    requestId: context.requestId,
    introspects: plan.introspects,
    objects: objectNames(await platformSection(principal.workspaceId)),
  }
  const owner = { workspaceId: principal.workspaceId, memberId: principal.memberId }
  return { stitched, request: { ctx, context, owner, addedContext: key ? contextOfKey(context, key) : context } }
}

function readOutcome(body: Buffer | string): ReturnType<typeof readGraphQL> {
  return readGraphQL({ body: Buffer.from(body) })
}

/** Whether the error concerns the operation: clients look for it among the errors of an answer. */
function isRefusal({ code }: AppError): boolean {
  return code !== 'TIMEOUT' && code !== 'RATE_LIMITED' && code !== 'INTERNAL_SERVER_ERROR'
}
