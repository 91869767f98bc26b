import { spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { readReport, type TestReport } from './report-file.ts'
import type { Tree } from './tree.ts'

export type TestRun = { readonly deadlineMs: number; readonly bail: boolean }

/** Runs test files in a tree, one after another in this order; null if they had not ended at the deadline (then all they started is killed). */
export async function runTests(tree: Tree, tests: readonly string[], { deadlineMs, bail }: TestRun): Promise<TestReport | null> {
  const report = join(tree.path, '.report.json')
  rmSync(report, { force: true })
  const needsAll = tests.some((path) => needsMoreServers(readFileSync(join(tree.path, path), 'utf8')))
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'tests/prove/mutations/vitest.config.ts', ...tests]
  const child = spawn(process.execPath, [...vitest, ...(bail ? ['--bail=1'] : [])], {
    cwd: tree.path,
    env: {
      ...process.env,
      MUTATIONS_REPORT: report,
      MUTATIONS_TESTS: tests.join(','),
      ...(needsAll ? { MUTATIONS_SERVERS: 'all' } : {}),
    },
    stdio: ['ignore', 'ignore', 'ignore'],
    // A process group of its own, so that servers and workers end with it.
    detached: true,
  })
  const ended = new Promise<void>((resolve, reject) => child.once('error', reject).once('close', () => resolve()))
  const deadline = setTimeout(() => killGroup(child.pid), deadlineMs)
  await ended
  clearTimeout(deadline)
  killGroup(child.pid)
  try {
    return readReport(readFileSync(report, 'utf8'))
  } catch {
    return null
  }
}

function needsMoreServers(source: string): boolean {
  return /inject\('(kafka|chromium|espeak)'\)/.test(source)
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // All of it has ended.
  }
}
