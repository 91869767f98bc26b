import { Counter, Gauge, type Registry } from 'prom-client'
import { type ReconciliationStatus, readReconciliationStatus } from '../../features/calls/reconciliation/read-reconciliation-status.ts'
import type { Ports } from '../../ports/ports.ts'
import { createReading } from './reading.ts'

/** Adds to the registry: how far the calls were compared with the telephony provider's records, and what that found. */
export function registerReconciliationMetrics(registry: Registry, ports: Pick<Ports, 'clock' | 'log' | 'store'>): void {
  const measures: readonly [string, string, (found: ReconciliationStatus) => number][] = [
    [
      'sidecar_call_reconciliation_age_seconds',
      "Time since the calls were compared with the provider's records",
      ({ secondsSinceLastRun }) => secondsSinceLastRun,
    ],
    ['sidecar_call_reconciliation_added_total', 'Calls that no webhook had reported', ({ addedInAll }) => addedInAll],
    ['sidecar_call_reconciliation_unreadable', 'Records of the last runs that cannot be read', ({ unreadable }) => unreadable],
    ['sidecar_call_reconciliation_failures', 'Tries that have failed in a row', ({ failures }) => failures],
  ]
  const readStatus = createReading(
    () => readReconciliationStatus(ports),
    (error) => ports.log.warn({ err: error }, 'metrics.call-reconciliation-failed'),
  )
  for (const [name, help, valueOf] of measures) {
    const read = async (): Promise<number | null> => {
      const found = await readStatus()
      return found && valueOf(found)
    }
    registry.registerMetric(name.endsWith('_total') ? counterOf(name, help, read) : gaugeOf(name, help, read))
  }
}

function gaugeOf(name: string, help: string, read: () => Promise<number | null>): Gauge {
  return new Gauge({
    name,
    help,
    registers: [],
    async collect() {
      const value = await read()
      if (value === null) this.remove()
      else this.set(value)
    },
  })
}

/** Without a sample while it is not known: with 0, all of it would seem to be added when it is known again. */
function counterOf(name: string, help: string, read: () => Promise<number | null>): Counter {
  return new Counter({
    name,
    help,
    registers: [],
    async collect() {
      const value = await read()
      this.remove()
      if (value !== null) this.inc(value)
    },
  })
}
