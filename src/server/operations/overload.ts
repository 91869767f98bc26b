import { Counter, Gauge, type Registry } from 'prom-client'
import type { Admission } from '../http/admission.ts'
import type { PartReport } from './health.ts'

/** For `/health`. An overloaded instance stays ready: without it the others would have more to do. */
export function checkLoad({ share }: Pick<Admission, 'share'>): PartReport {
  if (share === 1) return { problem: null }
  const refused = Math.round((1 - share) * 100)
  return { problem: `More requests come than this instance can answer, and ${refused} of 100 are refused: start more instances` }
}

export function registerOverloadMetrics(registry: Registry, admission: Admission): void {
  const share = new Gauge({
    name: 'sidecar_http_admitted_ratio',
    help: 'The share of requests that are let in; 1 if there is no overload',
    registers: [],
    collect() {
      this.set(admission.share)
    },
  })
  const refused = new Counter({
    name: 'sidecar_http_shed_total',
    help: 'Requests and web sockets that were refused because of overload',
    registers: [],
    collect() {
      this.reset()
      this.inc(admission.refused)
    },
  })
  registry.registerMetric(share)
  registry.registerMetric(refused)
}
