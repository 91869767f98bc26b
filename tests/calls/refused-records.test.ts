import { expect, test } from 'vitest'
import { z } from 'zod'
import { factsOf } from '../../src/features/calls/state/call-facts.ts'
import { confirmLater, confirmMissedCalls } from '../../src/features/calls/missed-calls/confirm-missed-calls.ts'
import { updateCall } from '../../src/features/calls/state/update-call.ts'
import { writeAlone } from '../../src/features/calls/records/write-alone.ts'
import { writeRecords } from '../../src/features/calls/records/write-records.ts'
import { newId } from '../../src/kernel/ids.ts'
import { NonRetryableError } from '../../src/ports/non-retryable-error.ts'
import { appErrorOf } from '../../src/providers/platform/errors.ts'
import type { ReportedCallFacts } from '../../src/ports/call-facts.ts'
import { telephonyAccounts } from '../../src/sandbox/accounts.ts'
import { createTestApp, type TestApp, type TestSignIn } from '../harness/app.ts'
import { type CallsDesk, createCallsDesk } from '../harness/calls-desk.ts'
import { createTestClock } from '../harness/clock.ts'
import { ownRequests } from '../harness/own-requests.ts'
import { createPlatformClient } from '../harness/platform-client.ts'
import { waitFor } from '../harness/wait-for.ts'
import { doDue } from '../harness/do-due.ts'

const deadLettersSchema = z.object({
  deadLetters: z.array(z.object({ topic: z.string(), receiver: z.string(), reason: z.string(), detail: z.string(), key: z.string() })),
})

const objectsSchema = z.object({
  data: z.object({ objects: z.object({ edges: z.array(z.object({ node: z.object({ id: z.string(), nameSingular: z.string() }) })) }) }),
})

/** A call that has ended; returns its UCID. */
function takeCall(app: TestApp): string {
  return app.standIns.telephony.inboundCall({ from: '+919820011111', agentId: telephonyAccounts.demo.agents[0]?.id ?? '' }).ucid
}

/** Disposes of a call whose record is written. */
async function dispose(app: TestApp, { token }: TestSignIn, { ucid, notes }: { ucid: string; notes?: string }): Promise<void> {
  await waitFor(() => recordOf(app, ucid), { what: 'the record' })
  const body = { disposition: 'Information Given', ...(notes === undefined ? {} : { notes }) }
  expect(await app.rest('POST', `/api/calls/${ucid}/disposition`, { token, body })).toMatchObject({ status: 200 })
}
const recordOf = (app: TestApp, ucid: string) => app.standIns.platform.records('demo', 'call', { ucid: { eq: ucid } })[0] ?? null

/** A field of the workspace's own on calls: `score`. */
async function addNumberField({ standIns }: TestApp): Promise<void> {
  const client = createPlatformClient(standIns.platform)
  const { access: token } = await client.signIn('manager')
  const objects = objectsSchema.parse(
    await client.ask('/metadata', '{ objects(paging: { first: 100 }) { edges { node { id nameSingular } } } }', { token }),
  )
  const objectMetadataId = objects.data.objects.edges.find(({ node }) => node.nameSingular === 'call')?.node.id
  const input = { field: { objectMetadataId, name: 'score', label: 'Score', type: 'NUMBER', isNullable: true } }
  const query = 'mutation ($input: CreateOneFieldMetadataInput!) { createOneField(input: $input) { id } }'
  expect(await client.ask('/metadata', query, { token, variables: { input } })).not.toHaveProperty('errors')
}

test('a record that the platform refuses delays no other, becomes a dead letter with its reason, and is written by a replay', async () => {
  await using app = await createTestApp({ receivesWebhooks: true, environment: { PLATFORM_REQUESTS_PER_MINUTE: '1000' } })
  app.standIns.platform.setApiKeyLimit(1_000)
  await addNumberField(app)
  const manager = await app.signIn('manager@demo.example')
  const agent = await app.signIn('agent1@demo.example')
  const mapNotes = async (notes: string) => {
    const body = { objects: { call: { fields: { notes } } } }
    expect(await app.rest('PUT', '/api/config/platform', { token: manager.token, body })).toMatchObject({ status: 200 })
  }
  // Notes go to a field for numbers that nothing else is written to: the platform refuses the records of calls with notes.
  await mapNotes('score')
  const [refused, ...good] = [takeCall(app), takeCall(app), takeCall(app)]
  await dispose(app, agent, { ucid: refused, notes: 'Asked about knees' })
  for (const ucid of good) await dispose(app, agent, { ucid })
  const isDisposed = (ucid: string) => recordOf(app, ucid)?.['disposition'] === 'Information Given'
  await waitFor(() => good.every(isDisposed), { what: 'the good records' })
  const { deadLetters } = await waitFor(
    async () => {
      const page = deadLettersSchema.parse((await app.rest('GET', '/api/events/dead', { token: manager.token })).body)
      return page.deadLetters.length > 0 && page
    },
    { what: 'the dead letter' },
  )
  const why = { reason: 'RECORD_REFUSED', detail: 'BAD_USER_INPUT / INVALID_ARGS_DATA' }
  expect(deadLetters).toEqual([{ topic: 'call.record', receiver: 'call-records', ...why, key: refused }])
  expect(isDisposed(refused)).toBe(false)
  await waitFor(async () => JSON.stringify((await app.rest('GET', '/health')).body).includes('"deadLetters":1'))
  expect((await app.rest('GET', '/metrics')).body).toContain('sidecar_dead_letters 1')
  // A later call is written beside it.
  const later = takeCall(app)
  await dispose(app, agent, { ucid: later })
  await waitFor(() => isDisposed(later), { what: 'the later record' })
  await mapNotes('notes')
  const replayed = await app.rest('POST', '/api/events/dead/replay', { token: manager.token })
  expect(replayed).toMatchObject({ status: 200, body: { replayed: 1, remaining: false } })
  await waitFor(() => isDisposed(refused), { what: 'the replayed record' })
  expect(recordOf(app, refused)).toMatchObject({ notes: 'Asked about knees' })
  // This test makes the service send what the platform refuses.
  expect(ownRequests.found.splice(0).filter((fault) => !fault.includes('Asked about knees'))).toEqual([])
})

test.for([
  { code: 'BAD_USER_INPUT', ends: true },
  { code: 'INTERNAL_SERVER_ERROR', ends: false },
])('a record refused with $code eight times becomes a dead letter: $ends', async ({ code, ends }) => {
  await using desk = await createCallsDesk()
  const extensions = { code, subCode: null, conflictingRecordId: null }
  const write = () => Promise.reject(appErrorOf({ message: 'No', extensions }))
  const ports = { ...desk.callPorts, callRecords: { ...desk.callPorts.callRecords, write } }
  const key = { workspaceId: desk.workspaceId, ucid: '4471' }
  const facts = factsOf({ startedAt: '2026-11-20T10:00:00.000Z' }, { source: 'LIVE', receivedAt: 0 })
  const tries = []
  for (let count = 0; count < 8; count++) {
    const error: unknown = await writeAlone(ports, { key, facts }).catch((thrown: unknown) => thrown)
    tries.push(error instanceof NonRetryableError)
  }
  expect(tries.includes(true)).toBe(ends)
})

test('records that wait for an API key are parked in sight, and written when there is one', async () => {
  const clock = createTestClock(new Date().toISOString())
  await using app = await createTestApp({ clock, receivesWebhooks: true, environment: { PLATFORM_API_KEY: '' } })
  const manager = await app.signIn('manager@demo.example')
  const ucid = takeCall(app)
  const parked = async () => JSON.stringify((await app.rest('GET', '/health')).body)
  const isParked = async () => {
    clock.advance(100)
    return /"call-records":\{[^}]*"parked":[1-9]/.test(await parked())
  }
  await waitFor(isParked, { what: 'the parked record' })
  expect((await app.rest('GET', '/metrics')).body).toMatch(/sidecar_events_parked\{receiver="call-records"\} [1-9]/)
  const body = { apiKey: app.standIns.platform.apiKeyOf('demo') }
  expect(await app.rest('PUT', '/api/config/platform', { token: manager.token, body })).toMatchObject({ status: 200 })
  clock.advance(61_000)
  await waitFor(() => recordOf(app, ucid)?.['status'] === 'COMPLETED')
})

const ahead = (desk: CallsDesk) => ({ ...desk.callPorts, clock: { now: () => Date.now() + 2_000 } })

async function reportCall({ callPorts, workspaceId }: CallsDesk, facts: ReportedCallFacts): Promise<string> {
  const ucid = newId()
  const startedAt = new Date().toISOString()
  await updateCall(callPorts, { workspaceId, ucid }, factsOf({ startedAt, ...facts }, { source: 'LIVE', receivedAt: Date.now() }))
  return ucid
}

test('links that are no web addresses, NUL characters and vanished relations do not stop a record', async () => {
  await using desk = await createCallsDesk()
  desk.callPorts.recordRetries.start()
  const records = (ucid: string) => desk.standIns.platform.records('demo', 'call', { ucid: { eq: ucid } })
  const links = ['s3://bucket/a.wav', 'http://recordings/a.wav', 'http://[2001:db8::1]/a.wav', '/a.wav', 'https://rec.example/a.wav']
  const linked = await Promise.all(links.map((recordingUrl) => reportCall(desk, { recordingUrl, notes: 'before\0after' })))
  const orphan = await reportCall(desk, { leadId: newId(), agentRecordId: newId(), campaignName: 'Sales' })
  await doDue(writeRecords, ahead(desk))
  const written = await waitFor(
    () => [...linked, orphan].every((ucid) => records(ucid).length === 1) && linked.map((ucid) => records(ucid)[0]),
  )
  const urlOf = (record: unknown) =>
    z.object({ recording: z.object({ primaryLinkUrl: z.string() }) }).parse(record).recording.primaryLinkUrl
  expect(written.map(urlOf)).toEqual(['', '', '', '', 'https://rec.example/a.wav'])
  expect(written.map((record) => record?.['notes'])).toEqual(links.map(() => 'beforeafter'))
  expect(records(orphan)[0]).toMatchObject({ leadId: null, agentId: null, campaignName: 'Sales' })
})

test('a missed call that cannot be confirmed does not stop the others', async () => {
  await using desk = await createCallsDesk()
  const { callPorts, workspaceId } = desk
  const ended = { direction: 'INBOUND', endedAt: new Date().toISOString() } as const
  const ucids = [await reportCall(desk, ended), await reportCall(desk, ended), await reportCall(desk, ended)]
  for (const ucid of ucids) await confirmLater(callPorts, { workspaceId, ucid })
  // Another version of the service, or a person, has left something that cannot be read.
  await desk.store.set(`call:${workspaceId}:${ucids.toSorted()[0]}`, '{"direction":"SIDEWAYS"}')
  expect(await doDue(confirmMissedCalls, { ...callPorts, clock: { now: () => Date.now() + 6_000 } })).toBe(2)
})
