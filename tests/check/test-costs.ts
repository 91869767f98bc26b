import { globSync } from 'node:fs'
import { type FileReport, readRunReport } from '../harness/run-report.ts'

/**
 * No test file takes more than its share of the processor time of all workers in the last run of all files. A share, so that a slow machine measures the
 * same: it is 25 s of the 838 s that they took together on 2026-11-29 (one core).
 */
const largestShare = 0.03
const mostExceptions = 5

/** Files that may take more, each with the reason. */
const exceptions: Readonly<Record<string, string>> = {}

export type Costs = { readonly lines: readonly string[]; readonly faults: readonly string[] }

/** What is wrong with what these files cost, and what each of the dearest takes. */
export function findDearFiles(files: readonly FileReport[], allowed: Readonly<Record<string, string>> = exceptions): Costs {
  const total = files.reduce((sum, { cpuMs }) => sum + cpuMs, 0)
  const dear = files.filter(({ cpuMs }) => cpuMs > largestShare * total).toSorted((one, other) => other.cpuMs - one.cpuMs)
  const name = ({ file, cpuMs }: FileReport): string => `${file}: ${((100 * cpuMs) / total).toFixed(1)} % of the workers’ processor time`
  const isAllowed = ({ file }: FileReport): boolean => Object.hasOwn(allowed, file)
  // Half of what is allowed: two runs do not measure the same.
  const needless = Object.keys(allowed).filter(
    (path) => !files.some(({ file, cpuMs }) => file === path && cpuMs > (largestShare / 2) * total),
  )
  return {
    lines: dear.filter(isAllowed).map((file) => `${name(file)}, allowed: ${allowed[file.file] ?? ''}`),
    faults: [
      ...dear
        .filter((file) => !isAllowed(file))
        .map((file) => `${name(file)}: at most ${(100 * largestShare).toFixed(2)}; CONTRIBUTING.md says how to test cheaply`),
      ...needless.map((file) => `${file}: it needs no exception`),
      ...(Object.keys(allowed).length > mostExceptions ? [`${Object.keys(allowed).length} exceptions: at most ${mostExceptions}`] : []),
    ],
  }
}

/** The reports of the last run, if it was one of all tests. */
function wholeRun(): readonly FileReport[] | null {
  const files = readRunReport()?.files ?? []
  const known = new Set(files.filter(({ counts }) => counts.skipped === 0).map(({ file }) => file))
  return globSync('tests/**/*.test.ts').every((path) => known.has(path.replaceAll('\\', '/'))) ? files : null
}

if (import.meta.main) {
  const files = wholeRun()
  const isGate = process.env['CI'] === 'true'
  if (files === null) console.log('The last run was not one of all tests, so none is measured: run "npm test" first')
  const { lines, faults } = files === null ? { lines: [], faults: [] } : findDearFiles(files)
  for (const line of lines) console.log(line)
  for (const fault of faults) console.error(fault)
  process.exitCode = faults.length > 0 || (files === null && isGate) ? 1 : 0
}
