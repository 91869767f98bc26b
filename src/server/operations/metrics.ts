import { collectDefaultMetrics, Counter, Gauge, type Registry } from 'prom-client'

/** The counters of the HTTP server. Plain numbers on the hot path; prom-client reads them for each scrape. */
export type HttpFigures = {
  readonly inFlight: () => number
  /** Responses by handler, then by the first digit of their status. */
  readonly answers: Map<string, number[]>
  readonly aborted: Record<'CLIENT_LEFT' | 'DEADLINE', number>
}

export function createHttpFigures(inFlight: () => number): HttpFigures {
  return { inFlight, answers: new Map(), aborted: { CLIENT_LEFT: 0, DEADLINE: 0 } }
}

/** Adds these figures and those of the process to the registry. */
export function registerHttpMetrics(registry: Registry, figures: HttpFigures): void {
  collectDefaultMetrics({ register: registry })
  const inFlight = new Gauge({
    name: 'sidecar_http_requests_in_flight',
    help: 'Requests under way',
    registers: [],
    collect() {
      this.set(figures.inFlight())
    },
  })
  const answers = new Counter({
    name: 'sidecar_http_answers_total',
    help: 'Responses by handler and status class',
    labelNames: ['handler', 'status'],
    registers: [],
    collect() {
      this.reset()
      for (const [handler, classes] of figures.answers) {
        for (const [digit, count] of classes.entries()) if (count) this.inc({ handler, status: `${digit}xx` }, count)
      }
    },
  })
  const aborted = new Counter({
    name: 'sidecar_http_aborted_total',
    help: 'Requests that ended without a complete response: the client left, or the deadline passed',
    labelNames: ['cause'],
    registers: [],
    collect() {
      this.reset()
      this.inc({ cause: 'CLIENT_LEFT' }, figures.aborted.CLIENT_LEFT)
      this.inc({ cause: 'DEADLINE' }, figures.aborted.DEADLINE)
    },
  })
  registry.registerMetric(inFlight)
  registry.registerMetric(answers)
  registry.registerMetric(aborted)
}
