import { expect, test } from 'vitest'
import { findCall } from '../../src/features/recordings/find-call.ts'
import { createSingleFlight } from '../../src/kernel/single-flight.ts'
import type { CallRecords, PlatformCall } from '../../src/ports/call-records.ts'
import { testPrincipal } from '../harness/gateway.ts'

test('concurrent requests for one id share a look-up only if they carry the same token', async () => {
  const answer = Promise.withResolvers<PlatformCall | null>()
  let asked = 0
  const byUcid: CallRecords['byUcid'] = () => {
    asked += 1
    return answer.promise
  }
  const ports = { callRecords: { byUcid, byId: byUcid }, callLookups: createSingleFlight<PlatformCall | null>() }
  const principal = testPrincipal({ role: 'MANAGER' })
  const requests = ['one', 'one', 'two'].map((accessToken) => findCall(ports, { principal, accessToken, clientAddress: '' }, '31'))
  answer.resolve(null)
  for (const request of requests) await expect(request).rejects.toMatchObject({ reason: 'NOT_FOUND' })
  expect(asked).toBe(2)
})
