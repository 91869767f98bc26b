import { Histogram, type Registry } from 'prom-client'
import type { PortCall } from './port-guard.ts'

/** Shows in this registry how long third parties take and how their calls end; answers what is to be told of each call. */
export function registerPortMetrics(registry: Registry): (call: PortCall) => void {
  const seconds = new Histogram({
    name: 'sidecar_port_call_seconds',
    help: 'Calls to third parties: telephony, outbound calls, language models',
    labelNames: ['port', 'method', 'outcome'],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  })
  return ({ port, method, outcome, seconds: taken }) => seconds.observe({ port, method, outcome }, taken)
}
