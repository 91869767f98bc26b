import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { context, type Span, trace } from '@opentelemetry/api'
import { z } from 'zod'
import { failSpan, remoteContext, showStatus, startClientSpan, traceparentOf } from '../../kernel/tracing.ts'

/** A request as undici and `fetch` report it; `headers` is the flat list that will be sent. */
type UpstreamRequest = { readonly origin: string | URL; readonly method: string; readonly headers: unknown[] }

const upstreamRequest = z.custom<UpstreamRequest>(
  (value) => typeof value === 'object' && value !== null && 'origin' in value && 'headers' in value && Array.isArray(value.headers),
)
const messageSchema = z.object({
  request: upstreamRequest,
  response: z.object({ statusCode: z.number() }).optional(),
  error: z.unknown().optional(),
})

const header = 'traceparent'

/**
 * A client span for each request of undici or `fetch` that a span is around. The platform gets the span's `traceparent`; other systems get none,
 * because they are other companies.
 */
export function traceUpstreamRequests(platformOrigin: string): Disposable {
  const spans = new WeakMap<UpstreamRequest, Span>()

  const create = (message: unknown): void => {
    const { data } = messageSchema.safeParse(message)
    if (!data) return
    const { request } = data
    const isPlatform = new URL(request.origin).origin === platformOrigin
    const span = startSpan(request, isPlatform)
    if (!span) return
    spans.set(request, span)
    if (isPlatform) setHeader(request, traceparentOf(span))
  }
  const follow = (message: unknown, step: (span: Span, message: z.output<typeof messageSchema>) => void): void => {
    const { data } = messageSchema.safeParse(message)
    const span = data && spans.get(data.request)
    if (span) step(span, data)
  }
  const channels: readonly (readonly [string, (message: unknown) => void])[] = [
    ['undici:request:create', create],
    ['undici:request:headers', (message) => follow(message, (span, { response }) => showStatus(span, response?.statusCode ?? 0))],
    ['undici:request:trailers', (message) => follow(message, (span) => span.end())],
    [
      'undici:request:error',
      (message) =>
        follow(message, (span, { error }) => {
          failSpan(span, error)
          span.end()
        }),
    ],
  ]
  for (const [channel, listener] of channels) subscribe(channel, listener)
  return {
    [Symbol.dispose]() {
      for (const [channel, listener] of channels) unsubscribe(channel, listener)
    },
  }
}

/** Null if no span is around the request: background work gives no traces of one span. */
function startSpan({ origin, method, headers }: UpstreamRequest, isPlatform: boolean): Span | null {
  const given = isPlatform ? headers.indexOf(header) : -1
  // The pass-through names its parent, because its request may have waited for a connection that another one gave back.
  const parent = given < 0 ? context.active() : remoteContext({ [header]: headers[given + 1] })
  if (!trace.getSpanContext(parent)) return null
  return startClientSpan({ origin, method }, parent)
}

function setHeader({ headers }: UpstreamRequest, traceparent: string): void {
  const given = headers.indexOf(header)
  if (given < 0) headers.push(header, traceparent)
  else headers[given + 1] = traceparent
}
