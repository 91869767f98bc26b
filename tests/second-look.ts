import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type FileReport, lineOf, readRunReport, type RunReport, storeRunReport, sumOf } from './harness/run-report.ts'

/** What failed in more files than this is no matter of luck. */
const mostFiles = 5
/** The tests of the check say whether the code is as it must be: nothing in them may depend on the machine. */
const neverAgain = /^tests\/(?:check\/|process\/check\.test\.ts$)/
const fileLimitMs = 15 * 60_000

export type SecondLook = {
  /** The run, with the second reports of the files that passed in place of the first ones. */
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
  const passed = failed.filter((first) => isGreen(first, second.get(first.file)))
  const files = run.files.map((first) => (passed.includes(first) ? (second.get(first.file) ?? first) : first))
  const flaky = passed.flatMap(({ file, failures }) => failures.map(({ test, error }) => `FLAKY ${file} > ${test}: ${error}`))
  return { run: { files, unhandled: run.unhandled }, flaky, refusal: null }
}

/** A test that is skipped the second time, because what it needs did not start, has not passed. */
function isGreen({ counts: first }: FileReport, second: FileReport | undefined): boolean {
  return second !== undefined && second.counts.failed === 0 && second.counts.passed > 0 && second.counts.skipped <= first.skipped
}

function whyNot(failed: readonly FileReport[], unhandled: readonly string[]): string | null {
  if (unhandled.length > 0) return `an error belongs to no file: ${unhandled[0] ?? ''}`
  if (failed.length === 0) return 'no file failed, so it was the run itself'
  if (failed.length > mostFiles) return `${failed.length} files failed; up to ${mostFiles} are run again`
  const strict = failed.find(({ file }) => neverAgain.test(file))
  return strict ? `${strict.file} failed, which is never run again` : null
}

/** Null also if the run failed in what belongs to no test: an error that nobody handles, a process that broke off. */
async function runFile(file: string): Promise<FileReport | null> {
  console.log(`Second look at ${file}`)
  // A group of its own, so that nothing of it goes on beside the next one.
  const child = spawn(process.execPath, ['tests/run.ts', file], { stdio: 'inherit', detached: true })
  const limit = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), fileLimitMs)
  await once(child, 'exit')
  clearTimeout(limit)
  return child.exitCode === 0 ? (readRunReport()?.files.find((report) => report.file === file) ?? null) : null
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
  process.exitCode = counts.failed > 0 || refusal !== null ? 1 : 0
}

if (import.meta.main) await main()
