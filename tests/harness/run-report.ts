import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { root } from '../changed/record.ts'

const countsSchema = z.object({ passed: z.number(), failed: z.number(), skipped: z.number() })
export type Counts = z.output<typeof countsSchema>

const fileSchema = z.object({
  /** From the root: `tests/team/team.test.ts`. */
  file: z.string(),
  /**
   * Processor time of its worker during its tests and hooks. Without what it loads, which is of use to other files too, and without browsers,
   * servers and processes that it starts.
   */
  cpuMs: z.number(),
  counts: countsSchema,
  /** Each failed test, hook or suite with the first line of its first error. */
  failures: z.array(z.object({ test: z.string(), error: z.string() })).readonly(),
})
/** What became of one test file. */
export type FileReport = z.output<typeof fileSchema>

const runSchema = z.object({
  files: z.array(fileSchema).readonly(),
  /** Errors that belong to no file: nothing can be run again for them. */
  unhandled: z.array(z.string()).readonly(),
})
/** What became of one run, for what comes after it: the second look, and the check of what files cost. */
export type RunReport = z.output<typeof runSchema>

const path = join(root, 'tests/.cache/last-run.json')

export function storeRunReport(report: RunReport): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, JSON.stringify(report))
}

/** At the start of a run: one that breaks off must not leave the report of the run before it. */
export function forgetRunReport(): void {
  rmSync(path, { force: true })
}

/** Null if the last run did not come to its end. */
export function readRunReport(): RunReport | null {
  try {
    return runSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return null
  }
}

export function sumOf(files: readonly FileReport[], unhandled: readonly string[]): Counts {
  const add = (name: keyof Counts): number => files.reduce((sum, { counts }) => sum + counts[name], 0)
  return { passed: add('passed'), failed: add('failed') + unhandled.length, skipped: add('skipped') }
}

/** The last line of a run, for machines. */
export function lineOf({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`
}
