import { context, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, ParentBasedSampler, TraceIdRatioBasedSampler, TracerProvider } from '@opentelemetry/sdk-trace'
import type { Log } from '../../kernel/log.ts'
import { loggedReason } from '../../kernel/logged-error.ts'
import { switchTracing } from '../../kernel/tracing.ts'
import { withDeadline } from '../../kernel/with-fallback.ts'
import { traceUpstreamRequests } from './upstream-spans.ts'

export type TracingSettings = {
  /** The collector, without `/v1/traces`. */
  readonly endpoint: string
  readonly headers: Readonly<Record<string, string>>
  readonly serviceName: string
  /** The share of traces that begin here and are recorded, 0 to 1. */
  readonly sampled: number
}

/** More spans than this are lost while the collector does not take them. */
const maxSpans = 4_096
const exportMs = 5_000
const flushMs = 2_000
const logFailureEveryMs = 60_000

/**
 * Records spans and sends them to a collector (OTLP over HTTP, JSON), in the background. A collector that is away delays nothing. Disposing sends
 * what waits, within two seconds. `platformUrl`: the only upstream that gets a `traceparent`.
 */
export function openTracing(settings: TracingSettings, { platformUrl, log }: { platformUrl: string; log: Log }): AsyncDisposable {
  const exporter = new OTLPTraceExporter({
    url: `${settings.endpoint.replace(/\/$/, '')}/v1/traces`,
    headers: { ...settings.headers },
    timeoutMillis: exportMs,
    concurrencyLimit: 1,
  })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': settings.serviceName }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(settings.sampled) }),
    spanProcessors: [
      new BatchSpanProcessor({ exporter, maxQueueSize: maxSpans, exportTimeoutMillis: exportMs, scheduledDelayMillis: 1_000 }),
    ],
  })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  trace.setGlobalTracerProvider(provider)
  let logAgainAt = 0
  setGlobalErrorHandler((error) => {
    // An outage fails every second.
    if (performance.now() < logAgainAt) return
    logAgainAt = performance.now() + logFailureEveryMs
    log.warn({ reason: loggedReason(error) }, 'tracing.export-failed')
  })
  const upstream = traceUpstreamRequests(new URL(platformUrl).origin)
  switchTracing(true, settings.sampled)
  return {
    async [Symbol.asyncDispose]() {
      switchTracing(false)
      upstream[Symbol.dispose]()
      await withDeadline(provider.shutdown(), flushMs).catch(() => undefined)
      trace.disable()
      propagation.disable()
      context.disable()
    },
  }
}
