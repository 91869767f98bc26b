import { Counter, Gauge, type Registry } from 'prom-client'
import { alertKinds } from '../../features/alerts/alert.ts'
import type { Figures } from '../../ports/figures.ts'
import { DurationHistogram, type DurationSeries } from './duration-histogram.ts'

/** Adds to the registry what the features and the providers count. */
export function registerFigureMetrics(registry: Registry, figures: Figures): void {
  const histogram = (name: string, help: string, read: () => Iterable<DurationSeries>): void =>
    registry.registerMetric(new DurationHistogram({ name, help, read }))
  const counter = (name: string, help: string, read: () => Iterable<CountSeries>): void =>
    registry.registerMetric(counterOf(name, help, read))

  histogram(
    'sidecar_upstream_call_duration_seconds',
    'Calls to the platform and to providers, with their repetitions. Result: OK, or the reason of the error',
    () => callSeries(figures),
  )
  histogram('sidecar_screen_pop_duration_seconds', "From the webhook of a ringing call to the event in the agent's stream", () => [
    [{}, figures.screenPops],
  ])
  counter('sidecar_session_locks_total', 'Sign-ins of agents: the lock was taken, refused, or taken over from another device', () =>
    Object.entries(figures.sessionLocks).map(([result, count]) => [{ result }, count]),
  )
  counter('sidecar_cache_requests_total', 'Reads of caches', () =>
    Object.entries(figures.caches).flatMap(([cache, { hits, misses }]): CountSeries[] => [
      [{ cache, result: 'hit' }, hits],
      [{ cache, result: 'miss' }, misses],
    ]),
  )
  counter('sidecar_model_tokens_total', 'Tokens of language models', () =>
    [...figures.modelTokens].flatMap(([provider, { input, output }]): CountSeries[] => [
      [{ provider, kind: 'input' }, input],
      [{ provider, kind: 'output' }, output],
    ]),
  )
  counter('sidecar_alerts_total', 'Alerts of the workspaces that were raised and cleared', () =>
    alertKinds.flatMap((kind): CountSeries[] => {
      const { raised, cleared } = figures.alerts.get(kind) ?? { raised: 0, cleared: 0 }
      return [
        [{ kind, result: 'raised' }, raised],
        [{ kind, result: 'cleared' }, cleared],
      ]
    }),
  )
  counter('sidecar_set_aside_total', 'Stored values that could not be read, and were put aside', () =>
    Object.entries(figures.setAside).map(([kind, count]) => [{ kind }, count]),
  )
  registry.registerMetric(
    new Gauge({
      name: 'sidecar_alerts_not_evaluated',
      help: 'Workspaces whose alerts could not be evaluated or published when this was tried last',
      registers: [],
      collect() {
        this.set(figures.alertFailures.size)
      },
    }),
  )
}

type CountSeries = readonly [labels: Readonly<Record<string, string>>, count: number]

function counterOf(name: string, help: string, read: () => Iterable<CountSeries>): Counter {
  const labelNames = ['result', 'cache', 'provider', 'kind']
  return new Counter({
    name,
    help,
    labelNames,
    registers: [],
    collect() {
      this.reset()
      for (const [labels, count] of read()) this.inc(labels, count)
    },
  })
}

function* callSeries({ upstreamCalls }: Figures): Generator<DurationSeries> {
  for (const [provider, operations] of upstreamCalls) {
    for (const [operation, results] of operations) {
      for (const [result, durations] of results) yield [{ provider, operation, result }, durations]
    }
  }
}
