import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type FileReport, lineOf, readRunReport, type RunReport, storeRunReport, sumOf } from './harness/run-report.ts'

/** What failed in more files than this is no matter of luck. */
const mostFiles = 5
/** The check's own tests say whether the code is as it must be: nothing in them may depend on the machine. */
const neverAgain = 'tests/check/'
const fileLimitMs = 15 * 60_000

export type SecondLook = {
  /** The run, with the second reports in place of the first ones. */
  readonly run: RunReport
  /** A line for each failure that was none the second time. It is mended before other work. */
  readonly flaky: readonly string[]
  /** Why nothing was run again; null if it was. */
  readonly refusal: string | null
}

/** Runs the files that failed once more, one after the other. `runAgain` gives a file's new report, null if it did not come to an end. */
export async function secondLook(run: RunReport, runAgain: (file: string) => Promise<FileReport | null>): Promise<SecondLook> {
  const failed = run.files.filter(({ counts }) => counts.failed > 0)
  const refusal = whyNot(failed, run.unhandled)
  if (refusal !== null) return { run, flaky: [], refusal }
  const second = new Map<string, FileReport>()
  for (const { file } of failed) {
    const report = await runAgain(file)
    if (report) second.set(file, report)
  }
  const files = run.files.map((first) => second.get(first.file) ?? first)
  const passed = failed.filter(({ file }) => isGreen(second.get(file)))
  const flaky = passed.flatMap(({ file, failures }) => failures.map(({ test, error }) => `FLAKY ${file} > ${test}: ${error}`))
  return { run: { files, unhandled: run.unhandled }, flaky, refusal: null }
}

function isGreen(report: FileReport | undefined): boolean {
  return report !== undefined && report.counts.failed === 0 && report.counts.passed > 0
}

function whyNot(failed: readonly FileReport[], unhandled: readonly string[]): string | null {
  if (unhandled.length > 0) return `an error belongs to no file: ${unhandled[0] ?? ''}`
  if (failed.length > mostFiles) return `${failed.length} files failed; up to ${mostFiles} are run again`
  const strict = failed.find(({ file }) => file.startsWith(neverAgain))
  return strict ? `${strict.file} failed, which is never run again` : null
}

async function runFile(file: string): Promise<FileReport | null> {
  console.log(`Second look at ${file}`)
  const child = spawn('npm', ['test', '--', file], { stdio: 'inherit', timeout: fileLimitMs, killSignal: 'SIGKILL' })
  await once(child, 'exit')
  return readRunReport()?.files.find((report) => report.file === file) ?? null
}

async function main(): Promise<void> {
  const first = readRunReport()
  if (!first) {
    console.error('The last run of the tests did not come to its end, so no file can be run again: run "npm test" first')
    process.exitCode = 1
    return
  }
  const { run, flaky, refusal } = await secondLook(first, runFile)
  if (refusal !== null) console.log(`No second look: ${refusal}`)
  // The reports of single files took the place of the run's.
  storeRunReport(run)
  for (const line of flaky) console.log(line)
  const counts = sumOf(run.files, run.unhandled)
  console.log(lineOf(counts))
  process.exitCode = counts.failed > 0 ? 1 : 0
}

if (import.meta.main) await main()
