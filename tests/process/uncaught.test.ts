import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { createTempDir } from '../harness/temp-dir.ts'

const reportSchema = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string(),
      assertionResults: z.array(z.object({ failureMessages: z.array(z.string()) })),
    }),
  ),
})

test('an error that nothing handles fails its suite: a rejection, an error in a timer, in a process, in a thread', async () => {
  await using directory = await createTempDir()
  const report = join(directory.path, 'report.json')
  const parameters = ['run', '--config', 'tests/fixtures/uncaught/vitest.config.ts', `--outputFile=${report}`]
  expect(await exitCodeOf(parameters, { ...process.env, UNCAUGHT_ERRORS_FILE: join(directory.path, 'uncaught') })).toBe(1)
  const results = reportSchema
    .parse(JSON.parse(await readFile(report, 'utf8')))
    .testResults.map(({ name, status, message, assertionResults }) => {
      const shown = [message, ...assertionResults.flatMap(({ failureMessages }) => failureMessages)].join()
      return [basename(name, '.suite.ts'), status, /nobody awaits this|nobody catches this|in another process|in a thread/.exec(shown)?.[0]]
    })
  expect(results.toSorted((one, other) => (String(one) < String(other) ? -1 : 1))).toEqual([
    ['error', 'failed', 'nobody catches this'],
    ['handled', 'passed', undefined],
    ['process', 'failed', 'in another process'],
    ['rejection', 'failed', 'nobody awaits this'],
    ['worker', 'failed', 'in a thread'],
  ])
})

function exitCodeOf(parameters: readonly string[], env: NodeJS.ProcessEnv): Promise<unknown> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['node_modules/vitest/vitest.mjs', ...parameters], { env }, (error) => resolve(error?.code ?? 0))
  })
}
