import { collectDefaultMetrics, type Registry } from 'prom-client'
import type { LimitCounts } from '../../features/widget/limit-counts.ts'
import type { Ports } from '../../ports/ports.ts'
import { registerEventMetrics } from './event-metrics.ts'
import { registerFigureMetrics } from './figure-metrics.ts'
import { registerReconciliationMetrics } from './reconciliation-metrics.ts'
import { registerRecordingMetrics } from './recording-metrics.ts'
import { registerSessionMetrics } from './session-metrics.ts'
import { registerWidgetMetrics } from './widget-metrics.ts'

/** Adds to the registry what each process of the service shows, one that only consumes events too. */
export function registerProcessMetrics(registry: Registry, ports: Pick<Ports, 'bus' | 'figures' | 'log'>): void {
  collectDefaultMetrics({ register: registry })
  registerFigureMetrics(registry, ports.figures)
  registerEventMetrics(registry, ports)
}

/** Adds what only the processes show that take requests. */
export function registerServiceMetrics(
  registry: Registry,
  ports: Pick<Ports, 'clock' | 'log' | 'store'>,
  { limitCounts }: { readonly limitCounts: LimitCounts },
): void {
  registerReconciliationMetrics(registry, ports)
  registerRecordingMetrics(registry, ports)
  registerSessionMetrics(registry, ports)
  registerWidgetMetrics(registry, limitCounts)
}
