import { appendFileSync, readFileSync } from 'node:fs'
import { currentTestFile } from './current-test-file.ts'

const noted = new Set<number>()
let file: string | undefined

/** Notes that a block ran, once per process and thread. Called by the probes that `withProbes` puts into a copy of the sources. */
export function reached(block: number): void {
  if (noted.has(block)) return
  noted.add(block)
  file ??= `${readFileSync(currentTestFile, 'utf8')}.reached`
  appendFileSync(file, `${block}\n`)
}
