import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { z } from 'zod'

const resultSchema = z.object({
  /** Status 200, 503, another. */
  useful: z.number(),
  refused: z.number(),
  failed: z.number(),
  /** The client itself had too much to do. */
  notSent: z.number(),
  /** Median and the 99th percentile, milliseconds. */
  refusedMs: z.array(z.number()),
  usefulMs: z.array(z.number()),
  /** Webhooks, heartbeats and sign-outs, by status. */
  vital: z.record(z.string(), z.number()),
  usefulBySecond: z.array(z.number().nullable()),
  /** When the last request was sent, epoch milliseconds. */
  endedAt: z.number(),
})
export type LoadResult = z.output<typeof resultSchema>

export type Target = { readonly url: string; readonly token: string; readonly webhook: string }
type Load = { readonly rate: number | null; readonly seconds: number; readonly connections: number }

/** Sends load from a process of its own. */
export async function sendLoad(target: Target, load: Load): Promise<LoadResult> {
  const script = 'tests/prove/overload/load-process.ts'
  const { stdout } = await promisify(execFile)(process.execPath, [script, JSON.stringify({ ...target, ...load })])
  return resultSchema.parse(JSON.parse(stdout))
}
