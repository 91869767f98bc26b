import { writeSync } from 'node:fs'
import type { Reporter, TestCase, TestModule } from 'vitest/node'

/** Prints `N passed, N failed, N skipped` as the very last line of a run, for machines. A file or hook that broke counts as failed. */
export function countReporter(): Reporter {
  let line: string | undefined
  process.once('exit', () => {
    if (line !== undefined) writeSync(1, `${line}\n`)
  })
  return {
    onTestRunEnd(modules, unhandledErrors) {
      const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0 }
      for (const module of modules) {
        counts.failed += brokenSuites(module)
        for (const test of module.children.allTests()) counts[outcome(test)] += 1
      }
      line = `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`
    },
  }
}

function brokenSuites(module: TestModule): number {
  const suites = [module, ...module.children.allSuites()]
  return suites.filter((suite) => suite.errors().length > 0).length
}

/** A test that never ran (the run was cut short) did not pass. */
function outcome(test: TestCase): 'passed' | 'failed' | 'skipped' {
  const { state } = test.result()
  return state === 'pending' ? 'failed' : state
}
