import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { recordReporter } from './changed/record-reporter.ts'
import { runReporter } from './harness/run-reporter.ts'
import { sharedProcesses } from './harness/worker-pool.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

export default defineConfig({
  root,
  test: {
    include: ['tests/**/*.test.ts'],
    globalSetup: ['tests/harness/servers.ts'],
    setupFiles: ['tests/harness/setup.ts'],
    isolate: false,
    // Node loads the sources as it does in production. So the places in them that V8 names are those in the files.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    pool: sharedProcesses,
    reporters: ['default', runReporter(), recordReporter()],
    expect: { requireAssertions: true, poll: { timeout: 240_000 } },
    // Most suites wait for sockets and for time to pass: so many more workers than processors keep two of them busy.
    maxWorkers: availableParallelism() + 3,
    // A busy machine must not fail a test: these end what hangs, after the deadline of wait-for, which says what was missing.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    teardownTimeout: 60_000,
  },
})
