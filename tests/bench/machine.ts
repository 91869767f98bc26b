import { cpus, loadavg, totalmem } from 'node:os'

/** The date, the machine and its load, as a table in docs/benchmarks.md names them. */
export function machine(): string {
  const memory = Math.round(totalmem() / 2 ** 30)
  const load = loadavg()
    .map((one) => one.toFixed(1))
    .join(' ')
  return `${new Date().toISOString().slice(0, 10)}, ${cpus().length} x ${cpus()[0]?.model ?? 'CPU'}, ${memory} GB, Node ${process.version}, load average ${load}`
}
