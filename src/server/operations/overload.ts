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
  const limit = new Gauge({
    name: 'sidecar_http_overload_limit',
    help: 'How many requests may be under way in an overload; 0 if there is none',
    registers: [],
    collect() {
      this.set(admission.limit ?? 0)
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
  registry.registerMetric(limit)
  registry.registerMetric(refused)
}
