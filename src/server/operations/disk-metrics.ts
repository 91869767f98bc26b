import { statfs } from 'node:fs/promises'
import { Gauge, type Registry } from 'prom-client'

/** Adds how much room the disk of the data directory has; no sample if there is no such directory. */
export function registerDiskMetrics(registry: Registry, dataDir: string): void {
  let isReading = false
  const gauge = new Gauge({
    name: 'sidecar_data_dir_free_bytes',
    help: 'What this process may still write to the disk of DATA_DIR; of an emptyDir in Kubernetes the disk of the node',
    registers: [],
    async collect() {
      // A volume that hangs holds one thread of Node, not one more with each scrape.
      if (isReading) return this.remove()
      isReading = true
      const disk = await statfs(dataDir)
        .catch(() => null)
        .finally(() => (isReading = false))
      if (disk) this.set(disk.bavail * disk.bsize)
      else this.remove()
    },
  })
  registry.registerMetric(gauge)
}
