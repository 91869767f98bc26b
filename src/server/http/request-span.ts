import { context, ROOT_CONTEXT, type Span, SpanKind, trace } from '@opentelemetry/api'
import { failSpan, remoteContext, strangersContext, tracerName } from '../../kernel/tracing.ts'
import type { HttpContext } from './http-context.ts'

/** Begins the work for a request in a span. The client's `traceparent` is its parent; only a trusted client decides whether it is recorded. */
export function beginTraced(ctx: HttpContext, isTrusted: boolean, begin: () => void): void {
  const { request, startedAt, requestId } = ctx
  const parent = isTrusted ? remoteContext(request.headers) : strangersContext(request.headers)
  const attributes = { 'http.request.method': request.method ?? '', 'sidecar.request_id': requestId }
  ctx.span = trace.getTracer(tracerName).startSpan(nameOf(ctx), { kind: SpanKind.SERVER, startTime: startedAt, attributes }, parent)
  withinSpan(ctx.span, begin)
}

/** Calls back for the request: what its socket reports comes from outside its span. */
export function withinSpan<T>(span: Span, step: () => T): T {
  return context.with(trace.setSpan(ROOT_CONTEXT, span), step)
}

/** The request is over. */
export function endTraced(ctx: HttpContext, span: Span): void {
  const { response, route, operation, aborted } = ctx
  span.updateName(nameOf(ctx))
  span.setAttributes({ 'http.route': route, 'http.response.status_code': response.statusCode })
  if (operation !== null) span.setAttribute('graphql.operation.name', operation)
  if (aborted !== null) failSpan(span, aborted)
  else if (response.statusCode >= 500) failSpan(span, String(response.statusCode))
  span.end(response.endedAt || performance.now())
}

function nameOf({ request, route }: HttpContext): string {
  return `${request.method} ${route}`
}
