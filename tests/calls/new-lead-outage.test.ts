import { expect, test } from 'vitest'
import { factsOf } from '../../src/features/calls/state/call-facts.ts'
import { addCallFacts } from '../../src/features/calls/state/call-state-store.ts'
import { createLeadsOfCallers } from '../../src/features/calls/unknown-callers/create-leads-of-callers.ts'
import { queueUnknownCaller, unknownCallers } from '../../src/features/calls/unknown-callers/queue-unknown-caller.ts'
import { AppError, type ErrorReason } from '../../src/kernel/errors.ts'
import { createCallsDesk } from '../harness/calls-desk.ts'
import { doDue } from '../harness/do-due.ts'

test.for<{ reason: ErrorReason; asked: number }>([
  { reason: 'PROVIDER_UNAVAILABLE', asked: 1 },
  { reason: 'PROVIDER_REFUSED', asked: 5 },
])('after $reason five waiting callers are postponed at once; the platform was asked $asked times', async ({ reason, asked }) => {
  await using desk = await createCallsDesk()
  const { workspaceId, callPorts } = desk
  const telephony = await desk.configuration.read(workspaceId, 'telephony')
  desk.configure('telephony', { newLeads: { ...telephony.newLeads, enabled: true } })
  let requests = 0
  const byPhone = () => {
    requests += 1
    return Promise.reject(new AppError(reason))
  }
  const ports = { ...callPorts, leadRecords: { ...callPorts.leadRecords, byPhone } }
  for (let index = 0; index < 5; index += 1) {
    const facts = { direction: 'INBOUND', phoneNumber: `+91987654320${index}`, answeredAt: '2026-11-20T10:00:00.000Z' } as const
    const { after } = await addCallFacts(ports, { workspaceId, ucid: `77${index}` }, factsOf(facts, { source: 'LIVE', receivedAt: 0 }))
    expect(await queueUnknownCaller(ports, workspaceId, after)).toBe(true)
  }
  await doDue(createLeadsOfCallers, ports)
  expect(requests).toBe(asked)
  expect(await unknownCallers.items.range(ports, workspaceId, { max: ports.clock.now(), limit: 10 })).toEqual([])
})
