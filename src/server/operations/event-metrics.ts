import { Gauge, type Registry } from 'prom-client'
import type { EventBus, QueueDepth } from '../../ports/event-bus.ts'
import type { Log } from '../../kernel/log.ts'
import { createReading } from './reading.ts'

/** Adds gauges to the registry: how many events wait, for which receiver and since when, and how many dead letters are stored. */
export function registerEventMetrics(registry: Registry, { bus, log }: { bus: Pick<EventBus, 'depth' | 'lag'>; log: Log }): void {
  const readDepth = createReading(
    () => bus.depth(),
    (error) => log.warn({ err: error }, 'metrics.outbox-depth-failed'),
  )
  const measures: readonly [string, string, (depth: QueueDepth) => number][] = [
    ['sidecar_events_waiting', 'Durable events that are not delivered yet', ({ events }) => events],
    ['sidecar_events_parked', 'Events that wait until their workspace is configured', ({ parked }) => parked],
    ['sidecar_events_oldest_seconds', 'Age of the oldest waiting event', ({ oldestAgeMs }) => oldestAgeMs / 1_000],
  ]
  for (const [name, help, valueOf] of measures) {
    const gauge = new Gauge({
      name,
      help,
      labelNames: ['receiver'],
      registers: [],
      async collect() {
        const depth = await readDepth()
        this.reset()
        for (const [receiver, waiting] of Object.entries(depth?.receivers ?? {})) this.set({ receiver }, valueOf(waiting))
      },
    })
    registry.registerMetric(gauge)
  }
  registry.registerMetric(lagGauge(bus, log))
  const deadLetters = new Gauge({
    name: 'sidecar_dead_letters',
    help: 'Events and call records that were given up and are stored for a replay',
    registers: [],
    async collect() {
      const depth = await readDepth()
      if (depth) this.set(depth.deadLetters)
      else this.remove()
    },
  })
  registry.registerMetric(deadLetters)
}

function lagGauge(bus: Pick<EventBus, 'lag'>, log: Log): Gauge {
  return new Gauge({
    name: 'sidecar_kafka_consumer_lag',
    help: 'Events in Kafka that a consumer has not taken yet; none without Kafka',
    labelNames: ['consumer'],
    registers: [],
    async collect() {
      this.reset()
      try {
        for (const [consumer, events] of Object.entries(await bus.lag())) this.set({ consumer }, events)
      } catch (error) {
        log.warn({ err: error }, 'metrics.consumer-lag-failed')
      }
    },
  })
}
