import { Counter, Gauge, type Registry } from 'prom-client'
import { type ReconciliationStatus, readReconciliationStatus } from '../../features/calls/reconciliation/read-reconciliation-status.ts'
import type { Ports } from '../../ports/ports.ts'

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
  for (const [name, help, valueOf] of measures) {
    const read = async (): Promise<number | null> => {
      try {
        const found = await readReconciliationStatus(ports)
        return found && valueOf(found)
      } catch (error) {
        ports.log.warn({ err: error }, 'metrics.call-reconciliation-failed')
        return null
      }
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
      this.reset()
      const value = await read()
      if (value !== null) this.set(value)
    },
  })
}

function counterOf(name: string, help: string, read: () => Promise<number | null>): Counter {
  return new Counter({
    name,
    help,
    registers: [],
    async collect() {
      this.reset()
      const value = await read()
      if (value !== null) this.inc(value)
    },
  })
}
