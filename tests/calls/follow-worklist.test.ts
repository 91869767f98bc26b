import { expect, test } from 'vitest'
import { addMissedCall, removeMissedCall } from '../../src/features/calls/missed-calls/missed-call-store.ts'
import { followWorklist, type WorklistEvent } from '../../src/features/calls/worklist/list-worklist.ts'
import { createCallsDesk } from '../harness/calls-desk.ts'
import { createLossyDesk } from '../harness/lossy-desk.ts'

test('after missed notifications a stream of the worklist gets what was closed meanwhile', async () => {
  await using desk = await createCallsDesk()
  const { workspaceId } = desk
  const { actor, ports, losing } = await createLossyDesk(desk)
  const at = new Date().toISOString()
  for (const number of ['1', '2']) {
    const facts = { phoneNumber: `+91981234560${number}`, did: null, campaignName: null, leadId: null, at }
    await addMissedCall(ports, workspaceId, { ucid: `800${number}`, ...facts })
  }
  const leaving = new AbortController()
  const stream = followWorklist(ports, actor, leaving.signal)
  const take = async (count: number) => {
    const events: unknown[] = []
    while (events.length < count) {
      const next: IteratorResult<WorklistEvent, unknown> = await stream.next()
      if (next.done === true) throw new Error('the stream has ended')
      const { kind, entry } = next.value
      events.push([kind, entry.phoneNumber.at(-1), entry.closed !== null])
    }
    return events.toSorted((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other)))
  }
  expect(await take(2)).toEqual([
    ['SNAPSHOT', '1', false],
    ['SNAPSHOT', '2', false],
  ])
  await losing(() => removeMissedCall(ports, { workspaceId, ucid: '8001' }))
  expect(await take(2)).toEqual([
    ['CHANGED', '1', true],
    ['CHANGED', '2', false],
  ])
  leaving.abort()
  await stream.return(undefined)
})
