import { writeSync } from 'node:fs'
import { cpus } from 'node:os'
import { relative } from 'node:path'
import type { Reporter, TestCase, TestModule, TestSuite } from 'vitest/node'
import { root } from '../changed/record.ts'
import { type FileReport, forgetRunReport, lineOf, storeRunReport, sumOf } from './run-report.ts'

const dearest = 10

/**
 * Prints what the run cost, and `N passed, N failed, N skipped` as its very last line, for machines. A file or hook that broke counts as
 * failed. Stores the report of the run.
 */
export function runReporter(): Reporter {
  let last = (): string => ''
  let usedBefore = 0
  process.once('exit', () => void writeSync(1, last()))
  return {
    onInit() {
      forgetRunReport()
      usedBefore = processorSeconds()
    },
    onTestRunEnd(modules, unhandledErrors) {
      const files = modules.map(reportOf)
      const unhandled = unhandledErrors.map(({ message }) => firstLine(message))
      storeRunReport({ files, unhandled })
      last = () => `${costsOf(files, usedBefore)}${lineOf(sumOf(files, unhandled))}\n`
    },
  }
}

/** Measured at the exit of the process, when what it started has ended too. */
function costsOf(files: readonly FileReport[], usedBefore: number): string {
  const used = Math.round(processorSeconds() - usedBefore)
  const lines = files
    .toSorted((one, other) => other.cpuMs - one.cpuMs)
    .slice(0, dearest)
    .map(({ file, cpuMs }) => `  ${(cpuMs / 1_000).toFixed(1).padStart(6)} s  ${file}\n`)
  return `Processor time of this machine: ${used} s. The dearest files, by the processor time of their workers:\n${lines.join('')}`
}

/** Of all processes of the machine, user and system, since it was started. What runs beside the tests counts too. */
function processorSeconds(): number {
  return cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0) / 1_000
}

function reportOf(module: TestModule): FileReport {
  const broken = [module, ...module.children.allSuites()].filter((suite) => suite.errors().length > 0)
  const tests = [...module.children.allTests()]
  const counts = { passed: 0, failed: broken.length, skipped: 0 }
  for (const test of tests) counts[outcome(test)] += 1
  return {
    file: relative(root, module.moduleId).replaceAll('\\', '/'),
    cpuMs: module.meta().cpuMs ?? 0,
    counts,
    failures: [...broken.map(failureOfSuite), ...tests.filter((test) => outcome(test) === 'failed').map(failureOfTest)],
  }
}

/** A test that never ran (the run was cut short) did not pass. */
function outcome(test: TestCase): 'passed' | 'failed' | 'skipped' {
  const { state } = test.result()
  return state === 'pending' ? 'failed' : state
}

function failureOfTest(test: TestCase): FileReport['failures'][number] {
  return { test: test.fullName, error: firstLine(test.result().errors?.[0]?.message ?? 'it did not run') }
}

function failureOfSuite(suite: TestModule | TestSuite): FileReport['failures'][number] {
  const test = suite.type === 'module' ? 'the file itself' : suite.fullName
  return { test, error: firstLine(suite.errors()[0]?.message ?? 'it did not run') }
}

function firstLine(message: string): string {
  return message.split('\n')[0] ?? ''
}
