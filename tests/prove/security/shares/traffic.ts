import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { createTempDir } from '../../../harness/temp-dir.ts'

/** What a process sends over so many connections, each request in its turn. `rate` null: each connection sends without pause. */
export const trafficSchema = z.object({
  /** The instances, which share the connections. */
  urls: z.array(z.string()),
  requests: z.array(z.object({ kind: z.string(), path: z.string(), body: z.string().nullable(), token: z.string().nullable() })),
  connections: z.number(),
  /** Requests a second, answered or not. */
  rate: z.number().nullable(),
  seconds: z.number(),
})
export type Traffic = z.output<typeof trafficSchema>
export type PreparedRequest = Traffic['requests'][number]

const sentSchema = z.object({
  /** Requests that were due, and those of them with status 200 and without errors. */
  due: z.number(),
  answered: z.number(),
  /** All others, by kind, status and the beginning of the errors. */
  others: z.record(z.string(), z.number()),
  /** Milliseconds of the answered ones, by kind, in order. */
  tookMs: z.record(z.string(), z.array(z.number())),
})
export type Sent = z.output<typeof sentSchema>

/** Sends the traffic from a process of its own. `niceness`: above 0, others on its core come first. */
export async function sendTraffic(traffic: Traffic, niceness = 0): Promise<Sent> {
  await using directory = await createTempDir()
  const file = join(directory.path, 'traffic.json')
  await writeFile(file, JSON.stringify(traffic))
  const script = 'tests/prove/security/shares/traffic-process.ts'
  const options = { maxBuffer: 64 * 1_048_576 }
  const { stdout } = await promisify(execFile)('nice', ['-n', String(niceness), process.execPath, script, file], options)
  return sentSchema.parse(JSON.parse(stdout))
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
