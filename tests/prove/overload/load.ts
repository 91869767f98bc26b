import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { createTempDir } from '../../harness/temp-dir.ts'

/** What the load process sends. `rate` null: a closed loop, each connection sends its next request after the answer. */
export const loadSchema = z.object({
  url: z.string(),
  /** Access tokens of agents with a session. */
  tokens: z.array(z.string()),
  /** Of agents who sign out meanwhile. */
  leaving: z.array(z.string()),
  webhookPath: z.string(),
  /** The number of the first call whose webhooks are sent. */
  firstCall: z.number(),
  rate: z.number().nullable(),
  seconds: z.number(),
  connections: z.number(),
})
export type Load = z.output<typeof loadSchema>

const resultSchema = z.object({
  /** Answered with status 200 and no errors, 503, anything else. */
  useful: z.number(),
  refused: z.number(),
  failed: z.record(z.string(), z.number()),
  /** The client itself had too much to do. */
  notSent: z.number(),
  /** Median, 95th and 99th percentile and the longest, milliseconds. */
  refusedMs: z.array(z.number()),
  usefulMs: z.array(z.number()),
  /** Useful answers by kind. */
  kinds: z.record(z.string(), z.number()),
  /** Webhooks, heartbeats and sign-outs, by kind and status. */
  vital: z.record(z.string(), z.number()),
  vitalMs: z.array(z.number()),
  usefulBySecond: z.array(z.number().nullable()),
  /** When the last request was sent, epoch milliseconds. */
  endedAt: z.number(),
})
export type LoadResult = z.output<typeof resultSchema>

/** Sends load from a process of its own. */
export async function sendLoad(load: Load): Promise<LoadResult> {
  await using directory = await createTempDir()
  const file = join(directory.path, 'load.json')
  await writeFile(file, JSON.stringify(load))
  const { stdout } = await promisify(execFile)(process.execPath, ['tests/prove/overload/load-process.ts', file])
  return resultSchema.parse(JSON.parse(stdout))
}
