import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

const endsSchema = z.object({ version: z.string(), ends: z.array(z.number()) })

/** What a test file executed when it last passed, in this working tree. */
const executedSchema = z.object({
  test: z.string(),
  ms: z.number(),
  /** By the path of a source: its version (Git's name of its content), and the ends of the functions that ran while tests ran. */
  ran: z.record(z.string(), endsSchema),
  /** The same of what ran while modules were loaded. A module is loaded once for several test files: only the first one has it. */
  loaded: z.record(z.string(), endsSchema),
  /** The programs of ours that it started, such as `src/main.ts`. */
  programs: z.array(z.string()),
  /** The folders of browser code that it opened in a browser or read. */
  pages: z.array(z.string()),
})
export type Executed = z.output<typeof executedSchema>

export const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = join(root, 'tests/.cache/executed')

export function storeExecuted(executed: Executed): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(fileOf(executed.test), JSON.stringify(executed))
}

export function forgetExecuted(test: string): void {
  rmSync(fileOf(test), { force: true })
}

/** By the path of a test file. Those that never passed here have none. */
export function readExecuted(): ReadonlyMap<string, Executed> {
  return new Map(
    namesIn(folder).flatMap((name) => {
      const found = executedSchema.safeParse(jsonOf(join(folder, name))).data
      return found ? [[found.test, found]] : []
    }),
  )
}

/** Git's name of a content. */
export function versionOf(content: Buffer): string {
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex')
}

function fileOf(test: string): string {
  return join(folder, `${test.replaceAll('/', '+')}.json`)
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}

/** Null for a file that was cut off while it was written. */
function jsonOf(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return null
  }
}
