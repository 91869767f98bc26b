import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { countReporter } from './harness/count-reporter.ts'

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
    setupFiles: ['tests/harness/own-requests.ts'],
    reporters: ['default', countReporter()],
    expect: { requireAssertions: true },
    // Most suites wait for sockets: one worker more than Vitest's own choice keeps two processors busy.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
})
