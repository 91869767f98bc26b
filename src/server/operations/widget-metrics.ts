import { Counter, Gauge, type Registry } from 'prom-client'
import { bookingLimits, type LimitCounts } from '../../features/widget/limit-counts.ts'

/** Adds to the registry how near visitors of the widget come to the limits of held times and bookings, and how often they are refused. */
export function registerWidgetMetrics(registry: Registry, limitCounts: LimitCounts): void {
  const used = new Gauge({
    name: 'sidecar_widget_limit_used_ratio',
    help: 'The highest part of a limit that one address or widget key has used since the last reading; 1 is the limit',
    labelNames: ['limit'],
    registers: [],
    collect() {
      for (const limit of bookingLimits) this.set({ limit }, limitCounts.readHighestPercent(limit) / 100)
    },
  })
  const refused = new Counter({
    name: 'sidecar_widget_refused_total',
    help: 'Times that could not be held, and visits that could not be booked, because of a limit',
    labelNames: ['limit'],
    registers: [],
    collect() {
      this.reset()
      for (const limit of bookingLimits) this.inc({ limit }, limitCounts.refused(limit))
    },
  })
  registry.registerMetric(used)
  registry.registerMetric(refused)
}
