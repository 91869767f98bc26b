import { expect, test } from 'vitest'
import { findCall } from '../../src/features/recordings/find-call.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { createSingleFlight } from '../../src/kernel/single-flight.ts'
import type { CallRecords, PlatformCall } from '../../src/ports/call-records.ts'
import { createSqliteStore } from '../../src/providers/store/sqlite.ts'
import { testPrincipal } from '../harness/gateway.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { retentionOf } from '../../src/wiring/stored-values.ts'

test('concurrent requests for one id share a look-up only if they carry the same token', async () => {
  const answer = Promise.withResolvers<PlatformCall | null>()
  let asked = 0
  const byUcid: CallRecords['byUcid'] = () => {
    asked += 1
    return answer.promise
  }
  await using dir = await createTempDir()
  await using opened = new AsyncDisposableStack()
  const store = createSqliteStore({ dataDir: dir.path, clock: systemClock, retentionOf })
  opened.defer(() => store.close())
  const notNeeded = () => Promise.reject(new Error('a manager may see every call'))
  const ports = {
    callRecords: {
      ofLead: notNeeded,
      withPhone: notNeeded,
      byUcid,
      began: notNeeded,
      answered: notNeeded,
      search: notNeeded,
      byId: byUcid,
      write: notNeeded,
      writeMany: notNeeded,
    },
    callLookups: createSingleFlight<PlatformCall | null>(),
    agentRecordCache: { ofMember: notNeeded, forget: notNeeded },
    configuration: { read: notNeeded },
    store,
  }
  const principal = testPrincipal({ role: 'MANAGER' })
  const requests = ['one', 'one', 'two'].map((accessToken) => findCall(ports, { principal, accessToken, clientAddress: '' }, '31'))
  answer.resolve(null)
  for (const request of requests) await expect(request).rejects.toMatchObject({ reason: 'NOT_FOUND' })
  expect(asked).toBe(2)
})
