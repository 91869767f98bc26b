import { defineConfig } from 'vitest/config'
import base from '../../vitest.config.ts'
import { reportFile } from './report-file.ts'
import { GivenOrder } from './given-order.ts'

const waitMs = Number(process.env['TEST_WAIT_MS'] ?? 60_000)

/** The suites as `npm test` runs them, one at a time, in the order of the command line. */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    setupFiles: ['tests/prove/mutations/current-test.ts', 'tests/harness/setup.ts'],
    reporters: [reportFile(process.env['MUTATIONS_REPORT'] ?? 'report.json')],
    sequence: { sequencer: GivenOrder },
    maxWorkers: 1,
    isolate: true,
    pool: 'forks',
    expect: { ...base.test?.expect, poll: { timeout: waitMs } },
    testTimeout: 3 * waitMs,
    hookTimeout: 3 * waitMs,
  },
})
