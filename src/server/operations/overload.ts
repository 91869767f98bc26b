import { Counter, Gauge, type Registry } from 'prom-client'
import type { Admission } from '../http/admission.ts'
import type { BeginQueue } from '../http/begin-queue.ts'
import type { PartReport } from './health.ts'

/** For `/health`. An overloaded instance stays ready: without it the others would have more to do. */
export function checkLoad({ limit }: Pick<Admission, 'limit'>): PartReport {
  if (limit === null) return { problem: null }
  return {
    problem: `More requests come than this instance can answer, and those beyond ${limit} at once are refused: start more instances`,
  }
}

export function registerOverloadMetrics(
  registry: Registry,
  { admission, queue }: { readonly admission: Admission; readonly queue: Pick<BeginQueue, 'length' | 'perMember'> },
): void {
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
  const waiting = new Gauge({
    name: 'sidecar_http_requests_waiting',
    help: 'Requests that have arrived and wait for their turn',
    registers: [],
    collect() {
      this.set(queue.length)
    },
  })
  const perMember = new Gauge({
    name: 'sidecar_http_member_limit',
    help: 'How many requests one member, or one network without a token, may have under way while the event loop is late; 0 if there is no limit',
    registers: [],
    collect() {
      this.set(Number.isFinite(queue.perMember) ? queue.perMember : 0)
    },
  })
  for (const metric of [waiting, perMember]) registry.registerMetric(metric)
  registry.registerMetric(ratio)
  registry.registerMetric(refused)
}
