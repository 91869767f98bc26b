import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'
import { countReporter } from './harness/count-reporter.ts'
import { sharedProcesses } from './harness/worker-pool.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

export default defineConfig({
  root,
  resolve: {
    // Packages outside Vite's reach load the CommonJS file; ours must be the same one, or `instanceof GraphQLError` fails.
    alias: [{ find: /^graphql$/, replacement: `${root}node_modules/graphql/index.js` }],
  },
  test: {
    include: ['tests/**/*.test.ts'],
    globalSetup: ['tests/harness/servers.ts'],
    setupFiles: ['tests/harness/setup.ts'],
    isolate: false,
    pool: sharedProcesses,
    reporters: ['default', countReporter()],
    expect: { requireAssertions: true, poll: { timeout: 60_000 } },
    // For `--changed`: tests read the contract as files.
    forceRerunTriggers: [...configDefaults.forceRerunTriggers, '**/schema/*.graphql'],
    // Most suites wait for sockets and for time to pass: one worker more than processors keeps them busy.
    maxWorkers: availableParallelism() + 1,
    // A busy machine must not fail a test: these end what hangs, after the deadline of wait-for, which says what was missing.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    teardownTimeout: 60_000,
  },
})
