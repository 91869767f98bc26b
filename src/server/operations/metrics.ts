import { Counter, Gauge, type Registry } from 'prom-client'
import type { Connections } from '../http/connections.ts'
import { DurationHistogram, type DurationSeries } from './duration-histogram.ts'
import { type HttpFigures, readKey } from './http-figures.ts'

/** Adds these figures to the registry. */
export function registerHttpMetrics(registry: Registry, figures: HttpFigures, connections: Pick<Connections, 'inFlight' | 'count'>): void {
  registerConnectionMetrics(registry, figures, connections)
  registry.registerMetric(
    new DurationHistogram({
      name: 'http_server_request_duration_seconds',
      help: 'Requests by route, method and status, until the whole answer was written; for a stream, until it began. 499: the client left before',
      read: () => requestSeries(figures),
    }),
  )
  registry.registerMetric(
    new DurationHistogram({
      name: 'sidecar_graphql_operation_duration_seconds',
      help: 'GraphQL requests by our root field, or by where they run: platform, local, mixed, stitched',
      read: () => operationSeries(figures),
    }),
  )
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
  registry.registerMetric(gauge('http_server_active_requests', 'Requests under way', connections.inFlight))
  registry.registerMetric(gauge('sidecar_http_connections', 'Open connections of clients', connections.count))
  const closedByUs = new Counter({
    name: 'sidecar_http_connections_closed_total',
    help: 'Connections closed by the service: refused or displaced at the limit of their address, lingering after their end, with too many requests at once, or with too much of its answers unread',
    labelNames: ['cause'],
    registers: [],
    collect() {
      this.reset()
      for (const [cause, count] of Object.entries(closed)) this.inc({ cause }, count)
    },
  })
  registry.registerMetric(closedByUs)
}

function* requestSeries({ requests }: HttpFigures): Generator<DurationSeries> {
  for (const [route, series] of requests) {
    for (const [key, durations] of series) {
      const { method, status } = readKey(key)
      yield [{ http_route: route, http_request_method: method, http_response_status_code: status }, durations]
    }
  }
}

function* operationSeries({ operations }: HttpFigures): Generator<DurationSeries> {
  for (const [operation, { answered, failed }] of operations) {
    yield [{ operation, result: 'ok' }, answered]
    yield [{ operation, result: 'error' }, failed]
  }
}
