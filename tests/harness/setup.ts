import { isNoting, ownPath, readEnds, storeNoted } from '../changed/note-executed.ts'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { scaleDeadlines } from '../../src/kernel/deadlines.ts'
import { checkOwnRequest, ownRequests, reportOwnRequests } from './own-requests.ts'
import { throwUncaughtErrors, unwatchUncaughtErrors, watchUncaughtErrors } from './uncaught-errors.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** Of a whole file. */
    cpuMs?: number
  }
}

/*
 * Vitest runs this for each test file; the modules that it imports are shared by all files of a worker. It fails the test in which
 * the service itself sends the platform something that a real server would refuse: a document or variables that do not fit the
 * recorded schema, or a request that the strict stand-in refuses by a rule. And it fails the file in which nothing handles an error.
 */
ownRequests.checked = 0
ownRequests.documents.clear()
subscribe('sandbox:answer', checkOwnRequest)
watchUncaughtErrors()
// The last app of the file before has scaled them.
scaleDeadlines(1)
afterEach(throwUncaughtErrors)
afterEach(reportOwnRequests)
afterAll(unwatchUncaughtErrors)
afterAll(() => {
  unsubscribe('sandbox:answer', checkOwnRequest)
  reportOwnRequests()
})

// What this file costs, for the report.
let usedBefore = process.cpuUsage()
beforeAll(() => void (usedBefore = process.cpuUsage()))
// oxlint-disable-next-line no-empty-pattern -- Vitest takes no other first argument.
afterAll(({}, { meta }) => {
  const { user, system } = process.cpuUsage(usedBefore)
  meta.cpuMs = Math.round((user + system) / 1_000)
})

// What this file executes, for `npm test -- --changed`.
if (isNoting) {
  const startedAt = performance.now()
  let loaded: ReturnType<typeof readEnds> = {}
  beforeAll(() => void (loaded = readEnds()))
  afterAll(() => {
    const test = ownPath(pathToFileURL(expect.getState().testPath ?? '').href)
    if (test !== null) storeNoted({ test, ms: performance.now() - startedAt, loaded, ran: readEnds() })
  })
}
