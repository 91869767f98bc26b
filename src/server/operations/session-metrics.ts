import { Gauge, type Registry } from 'prom-client'
import { countSessions } from '../../features/sessions/session-checks.ts'
import type { Ports } from '../../ports/ports.ts'

/** Adds a gauge to the registry: how many agents have a session, on all instances together. */
export function registerSessionMetrics(registry: Registry, { log, store }: Pick<Ports, 'log' | 'store'>): void {
  const gauge = new Gauge({
    name: 'sidecar_agent_sessions',
    help: 'Agents with a session, on all instances together',
    registers: [],
    async collect() {
      try {
        this.set(await countSessions(store))
      } catch (error) {
        // 0 would be a value.
        this.remove()
        log.warn({ err: error }, 'metrics.sessions-failed')
      }
    },
  })
  registry.registerMetric(gauge)
}
