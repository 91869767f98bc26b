import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { cacheFolder } from './sources.ts'

const result = z.object({
  /** Of the source that was mutated, with its hash. */
  source: z.string(),
  operator: z.string(),
  line: z.number(),
  shown: z.string(),
  /** `refused`: the compiler does not accept it, so it is no mutation. */
  verdict: z.enum(['killed', 'survived', 'not reached', 'refused']),
  by: z.string(),
  against: z.string(),
  ms: z.number(),
})
export type Result = z.output<typeof result>
const resultsSchema = z.record(z.string(), result)

/** Results of earlier runs, by the id of the mutation; a run of another seed that chooses the same mutation uses them too. */
export type Results = Map<string, Result>

const resultsFile = join(cacheFolder, 'results.json')

export function readResults(): Results {
  try {
    return new Map(Object.entries(resultsSchema.parse(JSON.parse(readFileSync(resultsFile, 'utf8')))))
  } catch {
    return new Map()
  }
}

export function writeResults(results: Results): void {
  mkdirSync(cacheFolder, { recursive: true })
  writeFileSync(resultsFile, JSON.stringify(Object.fromEntries(results), null, 1))
}
