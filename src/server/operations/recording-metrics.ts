import { Gauge, type Registry } from 'prom-client'
import { readRecordingQueue } from '../../features/recordings/automatic/read-queue.ts'
import type { Ports } from '../../ports/ports.ts'

/** Adds a gauge to the registry: how many recordings wait to be analysed without a click. */
export function registerRecordingMetrics(registry: Registry, ports: Pick<Ports, 'clock' | 'log' | 'store'>): void {
  const gauge = new Gauge({
    name: 'sidecar_recordings_waiting',
    help: 'Recordings that wait for their analysis; `later`: after a failed try',
    labelNames: ['state'],
    registers: [],
    async collect() {
      this.reset()
      try {
        const { waiting, later } = await readRecordingQueue(ports)
        this.set({ state: 'waiting' }, waiting)
        this.set({ state: 'later' }, later)
      } catch (error) {
        ports.log.warn({ err: error }, 'metrics.recording-queue-failed')
      }
    },
  })
  registry.registerMetric(gauge)
}
