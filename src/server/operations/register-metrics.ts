import { collectDefaultMetrics, type Registry } from 'prom-client'
import type { LimitCounts } from '../../features/widget/limit-counts.ts'
import type { Breakers } from '../../kernel/breakers.ts'
import type { Ports } from '../../ports/ports.ts'
import { registerDiskMetrics } from './disk-metrics.ts'
import type { DueWork } from '../../ports/due/due-work.ts'
import { registerDueWorkMetrics } from './due-work-metrics.ts'
import { registerEventMetrics } from './event-metrics.ts'
import { registerFigureMetrics } from './figure-metrics.ts'
import { type MetricsAddress, openMetricsServer } from './metrics-server.ts'
import { registerReconciliationMetrics } from './reconciliation-metrics.ts'
import { registerRecordingMetrics } from './recording-metrics.ts'
import { registerSessionMetrics } from './session-metrics.ts'
import { registerUpstreamMetrics } from './upstream-metrics.ts'
import { registerWidgetMetrics } from './widget-metrics.ts'

/**
 * Adds to the registry what each process of the service shows, one that only consumes events too, and opens the address for it if there is
 * one. Disposing closes that.
 */
export async function showMetrics(
  { metrics, breakers, ...ports }: Pick<Ports, 'bus' | 'figures' | 'log'> & { readonly metrics: Registry; readonly breakers: Breakers },
  { metricsAddress, dataDir }: { readonly metricsAddress: MetricsAddress | null; readonly dataDir: string },
): Promise<AsyncDisposable> {
  collectDefaultMetrics({ register: metrics })
  registerFigureMetrics(metrics, ports.figures)
  registerUpstreamMetrics(metrics, breakers)
  registerEventMetrics(metrics, ports)
  registerDiskMetrics(metrics, dataDir)
  return metricsAddress === null ? new AsyncDisposableStack() : openMetricsServer(metrics, metricsAddress)
}

/** Adds what only the processes show that take requests. */
export function registerServiceMetrics(
  registry: Registry,
  ports: Pick<Ports, 'clock' | 'log' | 'store'>,
  { limitCounts, dueWork }: { readonly limitCounts: LimitCounts; readonly dueWork: Pick<DueWork, 'figures'> },
): void {
  registerReconciliationMetrics(registry, ports)
  registerDueWorkMetrics(registry, { ...ports, dueWork })
  registerRecordingMetrics(registry, ports)
  registerSessionMetrics(registry, ports)
  registerWidgetMetrics(registry, limitCounts)
}
