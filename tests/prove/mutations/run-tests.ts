import { spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { readReport, type TestReport } from './report-file.ts'
import type { Tree } from './tree.ts'

/** `waitMs`: how long a test waits for something before it fails; `bail`: whether the first failure ends the run. */
export type TestRun = { readonly deadlineMs: number; readonly waitMs: number; readonly bail: boolean }

/** Runs test files in a tree, one after another in this order; null if they had not ended at the deadline (then all they started is killed).
 * Throws if the run itself broke. */
export async function runTests(tree: Tree, tests: readonly string[], { deadlineMs, waitMs, bail }: TestRun): Promise<TestReport | null> {
  const report = join(tree.path, '.report.json')
  rmSync(report, { force: true })
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'tests/prove/mutations/vitest.config.ts', ...tests]
  const child = spawn(process.execPath, [...vitest, ...(bail ? ['--bail=1'] : [])], {
    cwd: tree.path,
    env: {
      ...process.env,
      TEST_WAIT_MS: String(waitMs),
      MUTATIONS_REPORT: report,
      MUTATIONS_TESTS: tests.join(','),
    },
    stdio: ['ignore', 'ignore', 'ignore'],
    // A process group of its own, so that servers and workers end with it.
    detached: true,
  })
  const ended = new Promise<void>((resolve, reject) => child.once('error', reject).once('close', () => resolve()))
  let isLate = false
  const deadline = setTimeout(() => {
    isLate = true
    killGroup(child.pid)
  }, deadlineMs)
  await ended
  clearTimeout(deadline)
  killGroup(child.pid)
  return isLate ? null : readReport(readFileSync(report, 'utf8'))
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // All of it has ended.
  }
}
