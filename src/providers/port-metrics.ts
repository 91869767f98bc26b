import { Histogram, type Registry } from 'prom-client'
import type { Breakers } from '../kernel/breakers.ts'
import type { PortCall } from './port-guard.ts'
import { registerUpstreamMetrics } from './upstream-metrics.ts'

/** Registers metrics for the duration and the outcome of calls to third parties, and for their breakers. Returns the function that receives each call. */
export function registerPortMetrics(registry: Registry, breakers: Breakers): (call: PortCall) => void {
  registerUpstreamMetrics(registry, breakers)
  const seconds = new Histogram({
    name: 'sidecar_port_call_seconds',
    help: 'Calls to third parties: telephony, outbound calls, language models',
    labelNames: ['port', 'method', 'outcome'],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  })
  return ({ port, method, outcome, seconds: taken }) => seconds.observe({ port, method, outcome }, taken)
}
