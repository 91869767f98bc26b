import { OperationTypeNode } from 'graphql'
import type { RequestContext } from '../../access/request-context.ts'
import type { Handler, HttpContext } from '../http/http-context.ts'
import { acceptsParts, mediaTypeFor, sendOutcome, sendRefusal } from './answer.ts'
import { bodyOf, type Envelope, envelopeOfQuery, readEnvelope } from './envelope.ts'
import { acceptsOnlyEvents, sendEvents } from './events.ts'
import type { RequestLimits } from './limits.ts'
import type { OnModelChange } from './model-change.ts'
import type { OperationPlans, Planned } from './operation-plans.ts'
import type { OperationRunner } from './operation-runner.ts'
import { operationName, type Plan } from './plan.ts'
import type { PlatformRequests } from './platform-requests.ts'
import { receivePost } from './receive.ts'
import type { Endpoint } from './root-selections.ts'
import { bodyWithCodes } from './platform-errors.ts'
import { readGraphQL } from './read-graphql.ts'
import { isAnonymous, refusesField } from './unknown-field.ts'
import type { TakeUpload } from './uploads.ts'
import type { YogaHandler } from './yoga-handler.ts'

/** What answers a request on the combined endpoint. */
export type Parts = {
  readonly plans: OperationPlans
  readonly endpoints: Readonly<Record<Endpoint, PlatformRequests>>
  readonly runner: OperationRunner
  readonly contextOf: (ctx: HttpContext) => RequestContext
  readonly limits: RequestLimits
  readonly onModelChange: OnModelChange
  readonly page: Handler | null
  readonly toYoga: YogaHandler
  readonly takeUpload: TakeUpload
}

export function handleRequest(ctx: HttpContext, parts: Parts): Promise<void> | void {
  const { method } = ctx.request
  if (method === 'GET') return parts.page && wantsPage(ctx) ? showPage(ctx, parts.page) : handleGet(ctx, parts)
  if (method !== 'POST') return parts.toYoga(ctx, { body: null })
  return receivePost(ctx, { limits: parts.limits, takeUpload: parts.takeUpload, handleJson: (body) => handleJson(ctx, body, parts) })
}

function handleJson(ctx: HttpContext, body: Buffer, parts: Parts): Promise<void> | void {
  const envelope = readEnvelope(body, parts.limits.bodyBytes)
  return envelope ? handleEnvelope({ ctx, envelope, body }, parts) : parts.toYoga(ctx, { body })
}

type Received = { readonly ctx: HttpContext; readonly envelope: Envelope; readonly body: Buffer }

function handleEnvelope(received: Received, parts: Parts): Promise<void> | void {
  const planned = parts.plans.plan(received.ctx, received.envelope)
  return planned instanceof Promise
    ? planned.then((found) => handlePlanned(received, found, parts))
    : handlePlanned(received, planned, parts)
}

function handlePlanned(sent: Received, { plan, envelope }: Planned, parts: Parts): Promise<void> | void {
  const received = envelope === sent.envelope ? sent : withEnvelope(sent, envelope)
  const { ctx } = received
  const { runner, contextOf, toYoga } = parts
  ctx.operation = operationName(plan)
  if (plan.kind === 'platform') return forwardPlanned(received, plan, parts)
  const mediaType = mediaTypeFor(ctx.request.headers.accept)
  if (plan.kind === 'refused' && mediaType !== null) return sendRefusal(ctx, plan.error, mediaType)
  if (plan.kind === 'refused' || mediaType === null || plan.kind === 'unplanned' || plan.operation === OperationTypeNode.SUBSCRIPTION)
    return toYoga(ctx, received)
  if (plan.kind === 'local' && plan.defers && acceptsParts(ctx.request.headers.accept)) return toYoga(ctx, received)
  return runner.run({ ctx, envelope, plan, context: contextOf(ctx) }).then((outcome) => sendOutcome(ctx, outcome, mediaType))
}

function forwardPlanned(received: Received, plan: Plan & { kind: 'platform' }, parts: Parts): Promise<void> | void {
  const { ctx, envelope, body } = received
  const requests = parts.endpoints[plan.endpoint]
  if (plan.credentials.length > 0) return requests.forwardGated(ctx, { ...plan, variables: envelope.variables, envelope })
  if (plan.changesModel) return requests.forward(ctx, body, { ...plan, onAnswered: () => parts.onModelChange(ctx) })
  if (plan.endpoint === 'metadata') return requests.forward(ctx, body, plan)
  const onUnknownField = (refusal: Buffer): Promise<Buffer | null> => answerUnknownField(received, refusal, parts)
  if (plan.operation !== OperationTypeNode.SUBSCRIPTION && acceptsOnlyEvents(ctx.request.headers.accept)) {
    return answerInEvents({ ctx, envelope, body }, requests, onUnknownField)
  }
  return requests.forward(ctx, body, { operation: plan.operation, onUnknownField })
}

/** The platform answers an operation on records in JSON, whatever the client accepts. */
async function answerInEvents(
  { ctx, body }: Received,
  requests: PlatformRequests,
  onUnknownField: (refusal: Buffer) => Promise<Buffer | null>,
): Promise<void> {
  const answer = await requests.ask(body.toString(), ctx)
  // An answer in another form is an error of the request.
  readGraphQL(answer)
  const whole = refusesField(answer.body) ? await onUnknownField(answer.body) : answer.body
  if (whole) sendEvents(ctx, bodyWithCodes(whole, { status: answer.status, requestId: ctx.requestId, isAnonymous: isAnonymous(ctx) }))
}

function withEnvelope(received: Received, envelope: Envelope): Received {
  return { ...received, envelope, body: Buffer.from(JSON.stringify(bodyOf(envelope))) }
}

/** The records endpoint does not have a root field. Perhaps the metadata endpoint of a newer platform has it. */
async function answerUnknownField(received: Received, refusal: Buffer, parts: Parts): Promise<Buffer | null> {
  const { ctx, envelope } = received
  if (isAnonymous(ctx)) return bodyWithCodes(refusal, { status: 200, requestId: ctx.requestId, isAnonymous: true })
  const planned = await parts.plans.planAgain(ctx, envelope)
  if (planned.plan.kind === 'platform' && planned.plan.endpoint === 'records') return refusal
  await handlePlanned(received, planned, parts)
  return null
}

/** The platform allows only POST, so a GET query for it is sent as POST. */
function handleGet(ctx: HttpContext, parts: Parts): Promise<void> | void {
  const envelope = envelopeOfQuery(ctx.query)
  const plan = envelope && parts.plans.planAlone(envelope).plan
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
