import { writeFileSync } from 'node:fs'
import { expect } from 'vitest'
import { currentTestFile } from './current-test-file.ts'

// Probes ask which test runs, also those in processes and threads that the test starts.
writeFileSync(currentTestFile, expect.getState().testPath ?? '')
