import { Counter, Gauge, type Registry } from 'prom-client'
import type { Admission } from '../http/admission.ts'
import type { PartReport } from './health.ts'

/** For `/health`. An overloaded instance stays ready: without it the others would have more to do. */
export function checkLoad({ limit }: Pick<Admission, 'limit'>): PartReport {
  if (limit === null) return { problem: null }
  return {
    problem: `More requests come than this instance can answer, and those beyond ${limit} at once are refused: start more instances`,
  }
}

export function registerOverloadMetrics(registry: Registry, admission: Admission): void {
  const ratio = new Gauge({
    name: 'sidecar_http_admitted_ratio',
    help: 'The share of requests that are let in; 1 if there is no overload',
    registers: [],
    collect() {
      this.set(admission.admittedRatio)
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
  registry.registerMetric(ratio)
  registry.registerMetric(refused)
}
