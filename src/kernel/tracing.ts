import {
  type Attributes,
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
} from '@opentelemetry/api'
import { AppError } from './errors.ts'

/** Whether spans are recorded. OpenTelemetry's own state belongs to the process too. */
let isOn = false
/** The share of the traces that begin here and are recorded, 0 to 1. */
let sampledShare = 1

export function isTracing(): boolean {
  return isOn
}

export function switchTracing(on: boolean, sampled = 1): void {
  isOn = on
  sampledShare = sampled
}

/** `attributes`: by the semantic conventions; never a name, number or text of a person, never a secret. */
export type SpanFacts = { readonly name: string; readonly kind: keyof typeof SpanKind; readonly attributes?: Attributes }

export const tracerName = 'call-center-sidecar'

/** Does the work in a span of its own. `parent`: a `traceparent`; default is the span around the call. */
export async function inSpan<T>(facts: SpanFacts & { readonly parent?: string | null }, work: () => Promise<T>): Promise<T> {
  if (!isOn) return work()
  const { name, kind, attributes = {}, parent } = facts
  const around = parent === undefined ? context.active() : parent === null ? ROOT_CONTEXT : remoteContext({ traceparent: parent })
  const span = trace.getTracer(tracerName).startSpan(name, { kind: SpanKind[kind], attributes }, around)
  try {
    return await context.with(trace.setSpan(around, span), work)
  } catch (error) {
    failSpan(span, error)
    throw error
  } finally {
    span.end()
  }
}

/** The context that these headers name: `traceparent`, `tracestate`. */
export function remoteContext(headers: Readonly<Record<string, unknown>>) {
  return propagation.extract(ROOT_CONTEXT, headers)
}

/**
 * The same for a stranger's headers: the trace is theirs, but whether it is recorded is decided here, and not by its ID, which they choose too.
 */
export function strangersContext(headers: Readonly<Record<string, unknown>>): Context {
  const given = remoteContext(headers)
  const parent = trace.getSpanContext(given)
  if (!parent) return given
  const traceFlags = Math.random() < sampledShare ? TraceFlags.SAMPLED : TraceFlags.NONE
  return trace.setSpanContext(given, { ...parent, traceFlags })
}

/** A span of a request to another system. No attribute has the path: some paths have keys in them. */
export function startClientSpan({ origin, method }: { readonly origin: string | URL; readonly method: string }, parent: Context): Span {
  const { protocol, hostname, port } = new URL(origin)
  const attributes = {
    'http.request.method': method,
    'server.address': hostname,
    'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
  }
  return trace.getTracer(tracerName).startSpan(method, { kind: SpanKind.CLIENT, attributes }, parent)
}

export function showStatus(span: Span, status: number): void {
  span.setAttribute('http.response.status_code', status)
  if (status >= 400) failSpan(span, String(status))
}

/** Only the kind of error, or a status: a message may be about a person. */
export function failSpan(span: Span, error: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR })
  span.setAttribute('error.type', typeof error === 'string' ? error : kindOf(error))
}

function kindOf(error: unknown): string {
  if (error instanceof AppError) return error.reason
  return error instanceof Error ? error.name : 'unknown'
}

/** The W3C `traceparent` of a span. */
export function traceparentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext()
  return `00-${traceId}-${spanId}-0${traceFlags & 1}`
}

/** The `traceparent` of the span around the call; null if there is none. */
export function activeTraceparent(): string | null {
  const span = isOn ? trace.getActiveSpan() : undefined
  return span ? traceparentOf(span) : null
}

/** For a line of the log. */
export function traceIds(span = isOn ? trace.getActiveSpan() : undefined): { readonly trace_id?: string; readonly span_id?: string } {
  if (!span) return {}
  const { traceId, spanId } = span.spanContext()
  return { trace_id: traceId, span_id: spanId }
}
