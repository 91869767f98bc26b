import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { afterAll, afterEach } from 'vitest'
import { checkOwnRequest, ownRequests, reportOwnRequests } from './own-requests.ts'

/*
 * Vitest runs this for each test file; the modules that it imports are shared by all files of a worker. It fails the test in which
 * the service itself sends the platform something that a real server would refuse: a document or variables that do not fit the
 * recorded schema, or a request that the strict stand-in refuses by a rule.
 */
ownRequests.checked = 0
ownRequests.documents.clear()
subscribe('sandbox:answer', checkOwnRequest)
afterEach(reportOwnRequests)
afterAll(() => {
  unsubscribe('sandbox:answer', checkOwnRequest)
  reportOwnRequests()
})
