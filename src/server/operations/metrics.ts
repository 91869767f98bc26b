import { collectDefaultMetrics, Counter, Gauge, type Registry } from 'prom-client'
import type { Connections } from '../http/connections.ts'

/** The counters of the HTTP server. Plain numbers on the hot path; prom-client reads them for each scrape. */
export type HttpFigures = {
  /** Responses by handler, then by the first digit of their status. */
  readonly answers: Map<string, number[]>
  readonly aborted: Record<'CLIENT_LEFT' | 'DEADLINE', number>
  /** Connections that the service closed. */
  readonly closed: Record<'refused' | 'displaced' | 'lingering' | 'pipelined', number>
}

export function createHttpFigures(): HttpFigures {
  return { answers: new Map(), aborted: { CLIENT_LEFT: 0, DEADLINE: 0 }, closed: { refused: 0, displaced: 0, lingering: 0, pipelined: 0 } }
}

/** Adds these figures and those of the process to the registry. */
export function registerHttpMetrics(registry: Registry, figures: HttpFigures, connections: Pick<Connections, 'inFlight' | 'count'>): void {
  collectDefaultMetrics({ register: registry })
  registerConnectionMetrics(registry, figures, connections)
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
  registry.registerMetric(answers)
  registry.registerMetric(aborted)
}

function registerConnectionMetrics(
  registry: Registry,
  { closed }: HttpFigures,
  connections: Pick<Connections, 'inFlight' | 'count'>,
): void {
  const gauge = (name: string, help: string, read: () => number): Gauge =>
    new Gauge({
      name,
      help,
      registers: [],
      collect() {
        this.set(read())
      },
    })
  registry.registerMetric(gauge('sidecar_http_requests_in_flight', 'Requests under way', connections.inFlight))
  registry.registerMetric(gauge('sidecar_http_connections', 'Open connections of clients', connections.count))
  const closedByUs = new Counter({
    name: 'sidecar_http_connections_closed_total',
    help: 'Connections closed by the service: refused or displaced at the limit of their address, lingering after their end, or with too many requests at once',
    labelNames: ['cause'],
    registers: [],
    collect() {
      this.reset()
      for (const [cause, count] of Object.entries(closed)) this.inc({ cause }, count)
    },
  })
  registry.registerMetric(closedByUs)
}
