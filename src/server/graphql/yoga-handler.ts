import { isAsyncIterable } from '@graphql-tools/utils'
import { GraphQLError, OperationTypeNode } from 'graphql'
import type { RequestContext } from '../../access/request-context.ts'
import { AppError } from '../../kernel/errors.ts'
import { drained } from '../http/drained.ts'
import type { HttpContext } from '../http/http-context.ts'
import type { ResolvePrincipal } from '../http/request-context.ts'
import { statusOf } from '../http/problem.ts'
import { acceptsParts, slowReaderMs } from './answer.ts'
import { partsWhileAllowed } from './deferred-parts.ts'
import { envelopeOf } from './envelope.ts'
import { eventsOf, eventStream } from './events.ts'
import type { OperationRunner } from './operation-runner.ts'
import type { OperationPlans } from './operation-plans.ts'
import { operationName, type Plan } from './plan.ts'
import { shownError } from './errors.ts'
import { hasErrorsFirst } from './platform-errors.ts'
import type { StreamLimit } from './stream-limit.ts'
import { resultOf } from './yoga-result.ts'
import { asGraphQLError, type GatewayPlugin, shownStream, type Yoga } from './yoga.ts'

/** The HTTP context of each request that Yoga handles. */
export type HttpContexts = WeakMap<Request, HttpContext>

/** `body`: null if it has not been read. */
export type YogaHandler = (ctx: HttpContext, received: { readonly body: Buffer | null }) => Promise<void>

/**
 * Answers of megabytes, such as that to an introspection, which all who ask for it share. As objects, and as the text that Yoga would make of these, each
 * request would hold ten times as much of its own. So Yoga answers with nothing, and this is written instead.
 */
const largeAnswers = new WeakMap<HttpContext, Uint8Array>()
const largeBytes = 262_144

/** Lets Yoga answer a request and writes its response, streams included. */
export function createYogaHandler({
  yoga,
  httpContexts,
  contextOf,
}: {
  readonly yoga: Yoga
  readonly httpContexts: HttpContexts
  readonly contextOf: (ctx: HttpContext) => RequestContext
}): YogaHandler {
  return async (ctx, { body }) => {
    const { request, response } = ctx
    const forYoga = new yoga.fetchAPI.Request(`http://sidecar${request.url ?? '/'}`, {
      method: request.method ?? 'GET',
      headers: { ...headersOf(ctx), ...(body && { 'content-type': 'application/json' }) },
      signal: ctx.signal,
      ...(body && { body: new Uint8Array(body) }),
    })
    httpContexts.set(forYoga, ctx)
    const answer = await yoga.fetch(forYoga, contextOf(ctx))
    if (ctx.aborted) return
    const large = largeAnswers.get(ctx)
    const head: string[] = []
    answer.headers.forEach((value, name) => !(large && name === 'content-length') && head.push(name, value))
    if (!answer.headers.has('cache-control')) head.push('cache-control', 'no-store')
    ctx.writeHead(answer.status, head)
    const type = answer.headers.get('content-type') ?? ''
    if (type.startsWith(eventStream) || type.startsWith('multipart/mixed')) {
      ctx.startStream()
      response.flushHeaders()
    }
    for await (const chunk of large ? piecesOf(large, type) : (answer.body ?? [])) {
      if (ctx.aborted) return
      ctx.hasFailed ||= hasErrorsFirst(chunk)
      if (response.write(chunk)) continue
      const { deadlineAt } = ctx
      if (!ctx.isStopping) ctx.deadlineAt = performance.now() + slowReaderMs
      await drained(response)
      if (!ctx.isStopping) ctx.deadlineAt = deadlineAt
    }
    response.end()
  }
}

/** The answer in the form that Yoga has chosen. */
function piecesOf(answer: Uint8Array, type: string): readonly Uint8Array[] {
  return type.startsWith(eventStream) ? eventsOf(answer) : [answer]
}

function headersOf({ request }: HttpContext): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const name of ['accept', 'authorization']) {
    const value = request.headers[name]
    if (typeof value === 'string') headers[name] = value
  }
  // Yoga repeats all of its own types in the answer for each type that it does not know.
  if (headers['accept']) headers['accept'] = headers['accept'].split(',', maxAccepted).join(',')
  return headers
}

/** More than any client accepts. */
const maxAccepted = 20

type OnParams = (request: Parameters<NonNullable<GatewayPlugin['onParams']>>[0]) => Promise<void>

/** Plans operations that only Yoga reads (GET, streams, other content types): checks the limits and runs what is not local. */
export function gatewayPlugin(options: {
  readonly plans: OperationPlans
  readonly runner: OperationRunner
  readonly streams: StreamLimit
  readonly httpContexts: HttpContexts
  readonly resolvePrincipal: ResolvePrincipal
}): GatewayPlugin {
  const { httpContexts, resolvePrincipal } = options
  const plan = planOf(options)
  return {
    onExecute: ({ args: { contextValue: context } }) => ({
      onExecuteDone({ result, setResult }) {
        const ctx = httpContexts.get(context.request)
        if (ctx && isAsyncIterable(result)) setResult(partsWhileAllowed(result, { context, deadlineAt: ctx.deadlineAt, resolvePrincipal }))
      },
    }),
    onParams: (request) =>
      plan(request).catch((error: unknown) => {
        throw error instanceof AppError ? refusal(error, statusOf[error.code]) : error
      }),
  }
}

function planOf({ plans, runner, httpContexts, streams }: Parameters<typeof gatewayPlugin>[0]): OnParams {
  /** Yoga parses a document before it refuses the request's form: the limits apply here too. */
  const checkLimits = (query: unknown): void => {
    const plan = typeof query === 'string' ? plans.planAlone({ query, operationName: '', variables: null }).plan : null
    if (plan?.kind === 'refused') throw refusal(plan.error)
  }

  /** A member with too many streams gets the answer in one piece. */
  const comesInParts = async ({ operation }: Plan & { kind: 'local' }, accept: string | null, ctx: HttpContext): Promise<boolean> =>
    operation === OperationTypeNode.SUBSCRIPTION || (acceptsParts(accept) && (await refusedStream(streams.admit(ctx))) === null)

  return async ({ request, params, context, setResult, setParams }) => {
    const sent = envelopeOf(params)
    const ctx = httpContexts.get(request)
    if (!ctx) return
    if (!sent) return checkLimits(params.query)
    const { plan, envelope } = await plans.plan(ctx, sent)
    if (envelope !== sent) setParams({ ...params, query: envelope.query, variables: { ...envelope.variables } })
    ctx.operation = operationName(plan)
    if (plan.kind === 'unplanned') return
    if (plan.kind === 'refused') throw refusal(plan.error)
    if (plan.operation === OperationTypeNode.SUBSCRIPTION && plan.kind !== 'platform') {
      const tooMany = await refusedStream(streams.admit(ctx))
      if (tooMany) return setResult({ errors: [shownError(asGraphQLError(tooMany), context)] })
    }
    if (plan.kind === 'local' && (!plan.defers || (await comesInParts(plan, request.headers.get('accept'), ctx)))) return
    if (request.method === 'GET' && plan.operation === OperationTypeNode.MUTATION) {
      throw refusal(new AppError('INVALID_INPUT', { detail: 'Send a mutation by POST' }), 405)
    }
    if (plan.kind === 'platform') {
      throw refusal(new AppError('INVALID_INPUT', { detail: 'Send operations of the platform by POST as application/json' }))
    }
    if (plan.kind === 'stitched' && plan.operation === OperationTypeNode.SUBSCRIPTION) {
      setResult(shownStream(parsed(await runner.stream({ ctx, envelope, plan, context })), context))
    } else {
      const outcome = await runner.run({ ctx, envelope, plan, context })
      const isLarge = 'body' in outcome && outcome.executed && outcome.body.length > largeBytes
      // Parts need objects.
      if (!isLarge || request.headers.get('accept')?.includes('multipart/mixed')) return setResult(resultOf(outcome))
      const { buffer, byteOffset, byteLength } = outcome.body
      largeAnswers.set(ctx, Buffer.from(buffer, byteOffset, byteLength))
      setResult({ data: null })
    }
  }
}

/** The refusal, as an error of the answer: clients show it like every other error of a subscription. */
async function refusedStream(admission: Promise<void>): Promise<AppError | null> {
  try {
    await admission
    return null
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

function refusal(error: AppError, status?: number): GraphQLError {
  const http = { spec: status === undefined, status: status ?? 400, ...(status === 405 && { headers: { allow: 'POST' } }) }
  return new GraphQLError(error.message, { originalError: error, extensions: { http } })
}

async function* parsed(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Record<string, unknown>> {
  for await (const body of stream) yield resultOf({ body, executed: true })
}
