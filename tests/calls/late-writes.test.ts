import { expect, test } from 'vitest'
import { factsOf } from '../../src/features/calls/state/call-facts.ts'
import { dial } from '../../src/features/calls/dialling/dial.ts'
import { updateCall } from '../../src/features/calls/state/update-call.ts'
import { writeRecords } from '../../src/features/calls/records/write-records.ts'
import { queuedRecords } from '../../src/features/calls/state/record-queue.ts'
import { isoMoment } from '../../src/kernel/clock.ts'
import { newId } from '../../src/kernel/ids.ts'
import type { CallRecords } from '../../src/ports/call-records.ts'
import { createFakeTelephony } from '../harness/fake-telephony.ts'
import { waitFor } from '../harness/wait-for.ts'
import { createWiredDesk } from '../harness/wired-desk.ts'
import { doDue } from '../harness/do-due.ts'

test('the record of a dialled call has its end, also if the platform writes what was known at its beginning last', async () => {
  await using desk = await createWiredDesk()
  const { calls, clock, workspaceId } = desk
  const agent = await desk.signIn('agent1@demo.example')
  await desk.beginSession(agent, 'agent1')
  const ucid = 'dialled'
  const [asked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const late: Promise<unknown>[] = []
  const write: CallRecords['write'] = async (access, call) => {
    asked.resolve()
    const writing = held.promise.then(() => calls.callRecords.write(access, call))
    late.push(writing)
    return writing
  }
  const ports = {
    ...calls,
    callRecords: { ...calls.callRecords, write },
    telephonyOf: async () => createFakeTelephony({ dial: async () => ({ ucid }) }),
  }
  const writeDue = async () => {
    clock.advance(2_000)
    await doDue(writeRecords, calls)
    return desk.standIns.platform.records('demo', 'call', { ucid: { eq: ucid } })
  }
  const dialling = dial(ports, agent, { phoneNumber: '+919820000001' })
  await asked.promise
  const endedAt = isoMoment(clock.now())
  await updateCall(calls, { workspaceId, ucid }, factsOf({ answered: false, endedAt }, { source: 'RECORD', receivedAt: clock.now() }))
  expect(await writeDue()).toMatchObject([{ status: 'MISSED' }])
  held.resolve()
  await Promise.all([dialling, ...late])
  // On a slow machine the dial has not waited for the late write, and queues the record after it.
  await waitFor(async () => {
    expect(await writeDue()).toMatchObject([{ status: 'MISSED' }])
    return true
  })
})

test('calls are written again that another instance may have written meanwhile, because the lease was lost', async () => {
  await using desk = await createWiredDesk()
  const { calls, clock, workspaceId } = desk
  const ucid = newId()
  const origin = { source: 'LIVE', receivedAt: clock.now() } as const
  const facts = { direction: 'INBOUND', phoneNumber: '+919820000001', startedAt: isoMoment(clock.now()) } as const
  await updateCall(calls, { workspaceId, ucid }, factsOf(facts, origin))
  clock.advance(2_000)
  const lost = new AbortController()
  for (const fails of [false, true]) {
    const callRecords: CallRecords = {
      ...calls.callRecords,
      async writeMany(access, written) {
        await calls.callRecords.writeMany(access, written)
        lost.abort()
        // The other instance has written a newer state.
        await queuedRecords.remove(calls, { workspaceId, id: ucid })
        if (fails) throw new Error('late')
      },
    }
    await writeRecords({ ...calls, callRecords })
      .run([{ workspaceId, id: ucid }], lost.signal)
      .catch(() => undefined)
    expect(await queuedRecords.items.range(calls, workspaceId, { limit: 2 })).toMatchObject([{ member: ucid }])
  }
})
