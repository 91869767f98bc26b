import { writeFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'
import { z } from 'zod'

/** What a run of test files found. `failure`: test and message of the first one that failed; null if none did. */
const testReport = z.object({
  files: z.array(z.object({ path: z.string(), state: z.string(), ms: z.number(), failure: z.string().nullable() })),
  unhandled: z.array(z.string()),
})
export type TestReport = z.output<typeof testReport>

export function readReport(text: string): TestReport {
  return testReport.parse(JSON.parse(text))
}

/** Writes a `TestReport` to a file at the end of a run. */
export function reportFile(path: string): Reporter {
  return {
    onTestRunEnd(modules, unhandledErrors) {
      const report: TestReport = {
        files: modules.map((module) => ({
          path: module.relativeModuleId,
          state: module.state(),
          ms: timeOf(module),
          failure: failureOf(module),
        })),
        unhandled: unhandledErrors.map(({ message }) => firstLine(message)),
      }
      writeFileSync(path, JSON.stringify(report))
    },
  }
}

function timeOf(module: TestModule): number {
  const { collectDuration, setupDuration, duration, environmentSetupDuration, prepareDuration } = module.diagnostic()
  return Math.round(collectDuration + setupDuration + duration + environmentSetupDuration + prepareDuration)
}

function failureOf(module: TestModule): string | null {
  const broken = [module, ...module.children.allSuites()].flatMap((suite) => suite.errors())
  if (broken[0]) return firstLine(broken[0].message)
  for (const test of module.children.allTests('failed')) {
    const [error] = test.result().errors ?? []
    return `${test.fullName}: ${firstLine(error?.message ?? 'failed')}`
  }
  return null
}

function firstLine(message: string): string {
  return (message.split('\n')[0] ?? '').slice(0, 200)
}
