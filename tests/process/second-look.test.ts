import { expect, test } from 'vitest'
import type { FileReport, RunReport } from '../harness/run-report.ts'
import { secondLook } from '../second-look.ts'

const green = (file: string): FileReport => ({ file, cpuMs: 1, counts: { passed: 3, failed: 0, skipped: 0 }, failures: [] })
const red = (file: string): FileReport => ({
  file,
  cpuMs: 1,
  counts: { passed: 1, failed: 1, skipped: 1 },
  failures: [{ test: 'signs in', error: 'expected 200' }],
})
const runOf = (...files: readonly FileReport[]): RunReport => ({ files, unhandled: [] })

/** Answers with these reports, and remembers the files that it was asked for. */
function again(...reports: readonly (FileReport | null)[]) {
  const asked: string[] = []
  const runAgain = async (file: string): Promise<FileReport | null> => {
    asked.push(file)
    return reports[asked.length - 1] ?? null
  }
  return { asked, runAgain }
}

test('a file that passes the second time counts as passed, and each of its failures is named', async () => {
  const { asked, runAgain } = again(green('tests/b.test.ts'))
  const { run, flaky } = await secondLook(runOf(green('tests/a.test.ts'), red('tests/b.test.ts')), runAgain)
  expect(asked).toEqual(['tests/b.test.ts'])
  expect(run).toEqual(runOf(green('tests/a.test.ts'), green('tests/b.test.ts')))
  expect(flaky).toEqual(['FLAKY tests/b.test.ts > signs in: expected 200'])
})

test.each([
  { what: 'fails again', report: red('tests/b.test.ts') },
  { what: 'does not end the second time', report: null },
  { what: 'skips the second time what failed', report: { ...green('tests/b.test.ts'), counts: { passed: 1, failed: 0, skipped: 2 } } },
  { what: 'has no test the second time', report: { ...green('tests/b.test.ts'), counts: { passed: 0, failed: 1, skipped: 0 } } },
])('a file that $what has failed', async ({ report }) => {
  const { run, flaky } = await secondLook(runOf(red('tests/b.test.ts')), again(report).runAgain)
  expect(run.files[0]?.counts.failed).toBe(1)
  expect(flaky).toEqual([])
})

test.each([
  { what: 'six files failed', run: runOf(...Array.from({ length: 6 }, (_, index) => red(`tests/${index}.test.ts`))) },
  { what: 'a test of the check failed', run: runOf(red('tests/process/check.test.ts'), red('tests/b.test.ts')) },
  { what: 'the run was red and no file of it', run: runOf(green('tests/a.test.ts')) },
  { what: 'an error belongs to no file', run: { ...runOf(red('tests/b.test.ts')), unhandled: ['worker exited'] } },
])('if $what, there is no second look', async ({ run }) => {
  const { asked, runAgain } = again(green('tests/b.test.ts'))
  const seen = await secondLook(run, runAgain)
  expect(asked).toEqual([])
  expect(seen.run).toEqual(run)
  expect(seen.refusal).not.toBeNull()
})
