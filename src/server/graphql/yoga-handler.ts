import { GraphQLError, OperationTypeNode } from 'graphql'
import type { RequestContext } from '../../access/request-context.ts'
import { AppError } from '../../kernel/errors.ts'
import type { HttpContext } from '../http/http-context.ts'
import { type OperationOutcome, slowReaderMs } from './answer.ts'
import { envelopeOf, isRecord } from './envelope.ts'
import type { OperationRunner } from './operation-runner.ts'
import type { PlanCache } from './plan-cache.ts'
import { type GatewayPlugin, shownStream, type Yoga } from './yoga.ts'

/** The exchange behind each request that Yoga holds. */
export type HttpContexts = WeakMap<Request, HttpContext>

export type YogaHandlerDependencies = {
  readonly yoga: Yoga
  readonly httpContexts: HttpContexts
  readonly contextOf: (ctx: HttpContext) => RequestContext
}

/** Hands an exchange to Yoga, with its body where that has been read, and writes Yoga's answer, streams too. */
export function createYogaHandler({ yoga, httpContexts, contextOf }: YogaHandlerDependencies) {
  return async (ctx: HttpContext, { body }: { body: Buffer | null }): Promise<void> => {
    const { request, response } = ctx
    const asked = new yoga.fetchAPI.Request(`http://sidecar${request.url ?? '/'}`, {
      method: request.method ?? 'GET',
      headers: headersOf(ctx),
      signal: ctx.signal,
      ...(body && { body: new Uint8Array(body) }),
    })
    httpContexts.set(asked, ctx)
    const answer = await yoga.fetch(asked, contextOf(ctx))
    if (ctx.aborted) return
    const head: string[] = []
    answer.headers.forEach((value, name) => head.push(name, value))
    ctx.writeHead(answer.status, head)
    const type = answer.headers.get('content-type') ?? ''
    if (type.startsWith('text/event-stream') || type.startsWith('multipart/mixed')) {
      ctx.deadlineAt = Number.POSITIVE_INFINITY
      response.flushHeaders()
    }
    for await (const chunk of answer.body ?? []) {
      if (ctx.aborted) return
      if (response.write(chunk)) continue
      const { deadlineAt } = ctx
      ctx.deadlineAt = performance.now() + slowReaderMs
      await drained(ctx)
      ctx.deadlineAt = deadlineAt
    }
    response.end()
  }
}

function headersOf({ request }: HttpContext): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const name of ['accept', 'content-type', 'authorization']) {
    const value = request.headers[name]
    if (typeof value === 'string') headers[name] = value
  }
  return headers
}

function drained(ctx: HttpContext): Promise<void> {
  return new Promise((resolve) => {
    ctx.response.once('drain', resolve)
    ctx.onAbort(() => resolve())
  })
}

export type GatewayPluginDependencies = {
  readonly plans: PlanCache
  readonly runner: OperationRunner
  readonly httpContexts: HttpContexts
}

/** The same plan for operations that come to Yoga in odd forms: limits first, and what is not local runs where it belongs. */
export function gatewayPlugin({ plans, runner, httpContexts }: GatewayPluginDependencies): GatewayPlugin {
  /** What Yoga will refuse for its form, it parses first: not without the limits. */
  const holdLimits = (query: unknown): void => {
    const plan = typeof query === 'string' ? plans.plan(query, '') : null
    if (plan?.kind === 'refused') throw refusal(plan.error)
  }

  return {
    async onParams({ request, params, context, setResult }) {
      const envelope = envelopeOf(params)
      const ctx = httpContexts.get(request)
      if (!ctx) return
      if (!envelope) return holdLimits(params.query)
      const plan = plans.plan(envelope.query, envelope.operationName)
      if (plan.kind === 'odd' || plan.kind === 'local') return
      if (plan.kind === 'refused') throw refusal(plan.error)
      if (request.method === 'GET' && plan.operation === OperationTypeNode.MUTATION) {
        throw refusal(new AppError('INVALID_INPUT', { detail: 'A mutation comes by POST' }), 405)
      }
      if (plan.kind === 'platform') {
        throw refusal(new AppError('INVALID_INPUT', { detail: 'Operations on the platform come by POST as application/json' }))
      }
      if (plan.kind === 'stitched' && plan.operation === OperationTypeNode.SUBSCRIPTION) {
        setResult(shownStream(parsed(await runner.stream({ ctx, envelope, plan, context })), context))
      } else {
        setResult(resultOf(await runner.run({ ctx, envelope, plan, context })))
      }
    },
  }
}

function refusal(error: AppError, status?: number): GraphQLError {
  const http = { spec: status === undefined, status: status ?? 400, ...(status === 405 && { headers: { allow: 'POST' } }) }
  return new GraphQLError(error.message, { originalError: error, extensions: { http } })
}

function resultOf(ran: OperationOutcome): Record<string, unknown> {
  const value: unknown = 'result' in ran ? JSON.parse(JSON.stringify(ran.result)) : JSON.parse(Buffer.from(ran.body).toString())
  return isRecord(value) ? withoutHttp(value) : {}
}

/** An upstream's `extensions.http` would set our status. */
function withoutHttp(result: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { extensions, errors, ...rest } = result
  const clean = (holder: unknown): unknown => {
    if (!isRecord(holder) || !isRecord(holder['extensions'])) return holder
    const { http: _http, ...kept } = holder['extensions']
    return { ...holder, extensions: kept }
  }
  return {
    ...rest,
    ...(Array.isArray(errors) && { errors: errors.map((error) => clean(error)) }),
    ...(isRecord(extensions) && { extensions: Object.fromEntries(Object.entries(extensions).filter(([name]) => name !== 'http')) }),
  }
}

async function* parsed(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Record<string, unknown>> {
  for await (const body of stream) yield resultOf({ body, executed: true })
}
