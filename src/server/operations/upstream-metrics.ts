import { Counter, Gauge, type Registry } from 'prom-client'
import type { Breakers } from '../../kernel/breakers.ts'
import type { BreakerCounts } from '../../kernel/circuit-breaker.ts'

/** Registers what the breakers of the upstreams do. The label is the party, never an account. */
export function registerUpstreamMetrics(registry: Registry, breakers: Breakers): void {
  registry.registerMetric(pausedGauge(breakers))
  const counter = (name: string, help: string, read: (counts: BreakerCounts) => number): void =>
    registry.registerMetric(
      new Counter({
        name,
        help,
        labelNames: ['party'],
        registers: [],
        collect() {
          this.reset()
          for (const [party, counts] of breakers.counts) this.inc({ party }, read(counts))
        },
      }),
    )
  counter('sidecar_upstream_pauses_total', 'How often an upstream was paused', ({ openings }) => openings)
  counter('sidecar_upstream_calls_refused_total', 'Calls that were not sent, because their upstream is paused', ({ refused }) => refused)
  counter('sidecar_upstream_retries_total', 'Calls that were repeated', ({ retries }) => retries)
}

function pausedGauge(breakers: Breakers): Gauge {
  return new Gauge({
    name: 'sidecar_upstreams_paused',
    help: 'Upstreams that get no calls at present, because they fail or stall',
    labelNames: ['party'],
    registers: [],
    collect() {
      this.reset()
      for (const party of breakers.counts.keys()) this.set({ party }, 0)
      for (const { party } of breakers.paused()) this.inc({ party })
    },
  })
}
