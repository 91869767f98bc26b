import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { addMissedCall, readMissedCalls } from '../../src/features/calls/missed-calls/missed-call-store.ts'
import { entryIdOf, readEntry } from '../../src/features/calls/worklist-entries/entry-store.ts'
import { createTestApp, type TestApp, type TestSignIn } from '../harness/app.ts'
import { createCallsDesk } from '../harness/calls-desk.ts'
import { waitFor } from '../harness/wait-for.ts'

let app: TestApp
let agent: TestSignIn
let manager: TestSignIn
beforeAll(async () => {
  app = await createTestApp({ receivesWebhooks: true })
  agent = await app.signIn('agent1@demo.example')
  manager = await app.signIn('manager@demo.example')
})
afterAll(() => app[Symbol.asyncDispose]())

const get = async (path: string) => JSON.stringify((await app.rest('GET', path, { token: manager.token })).body)
const dial = (phoneNumber: string, more: object = {}) =>
  app.rest('POST', '/api/calls/dial', { token: agent.token, body: { phoneNumber, ...more } })
const lookUp = (body: object) => app.rest('POST', '/api/calls/lookup?enrich=false', { token: agent.token, body })
const record = (ucid: string) => app.standIns.platform.records('demo', 'call', { ucid: { eq: ucid } })[0] ?? {}
const worklistSchema = z.array(z.looseObject({ phoneNumber: z.string(), missedCount: z.number(), leadId: z.string().nullable() }))
const entryOf = async (phoneNumber: string) => {
  const { body } = await app.rest('GET', '/api/calls/worklist', { token: agent.token })
  return worklistSchema.parse(body).find((entry) => entry.phoneNumber === phoneNumber)
}
const miss = async (from: string): Promise<string> => {
  const { ucid } = app.standIns.telephony.missCall({ from })
  await waitFor(async () => (await get('/api/calls/missed')).includes(ucid), { what: `the missed call of ${from}` })
  return ucid
}

test('wrong prefixes are the number of a known patient, and a number of another country stays one', async () => {
  const leadId = String(app.standIns.platform.records('demo', 'lead', { name: { eq: 'Ananya Sharma' } })[0]?.['id'])
  for (const from of ['+09876543210', '0919876543210', '00919876543210', '91 09876543210']) await miss(from)
  expect(await entryOf('+919876543210')).toMatchObject({ missedCount: 4 })
  await waitFor(async () => (await entryOf('+919876543210'))?.leadId === leadId, { what: 'the lead of the entry' })
  expect(await get('/api/calls/missed')).toContain('"phoneNumber":"+919876543210","dialledNumber":"00919876543210"')
  await miss('14155552671')
  expect(await entryOf('+14155552671')).toMatchObject({ missedCount: 1 })
  await miss('971501234567')
  expect(await entryOf('+971501234567')).toMatchObject({ missedCount: 1 })
})

test('a number that cannot be E.164 is kept, found, and called back', async () => {
  const ucid = await miss('5232')
  expect(await get('/api/calls/missed')).toContain('"phoneNumber":null,"dialledNumber":"5232"')
  expect(await entryOf('5232')).toMatchObject({ missedCount: 1, leadId: null })
  await waitFor(() => record(ucid)['phone'] === '5232', { what: 'the number in the record' })
  const found = { phoneNumber: null, dialledNumber: '5232', lastCalls: [{ ucid }] }
  expect(await lookUp({ phoneNumber: '52-32' })).toMatchObject({ status: 200, body: { id: '5232', ...found } })
  expect(await lookUp({ ucid })).toMatchObject({ status: 200, body: { ...found, call: { phoneNumber: null, dialledNumber: '5232' } } })

  // The clinic's day may be another one than that of UTC.
  const dayAt = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
  const days = { from: dayAt(Date.now() - 86_400_000), to: dayAt(Date.now() + 86_400_000) }
  const search = (phoneNumber: string) => get(`/api/history/calls?${new URLSearchParams({ ...days, phoneNumber }).toString()}`)
  expect(JSON.parse(await search('5232'))).toMatchObject([{ ucid, phoneNumber: '5232' }])
  await waitFor(async () => (await search('0014155552671')).includes('"phoneNumber":"+14155552671"'), { what: 'the foreign number' })
  expect(JSON.parse(await search('523'))).toEqual([])
  expect(await search('nobody')).toContain('phoneNumber')
  const csv = await fetch(`${app.url}/api/history/calls.csv?${new URLSearchParams({ ...days, phoneNumber: '5232' }).toString()}`, {
    headers: { authorization: `Bearer ${manager.token}` },
  })
  expect((await csv.text()).trim().split('\r\n')).toHaveLength(2)

  const refused = await dial('5232', { via: 'OUTBOUND', agentPhoneNumber: '98450 12345' })
  expect(refused).toMatchObject({ status: 400, body: { data: { fields: [{ path: 'phoneNumber' }] } } })
  expect(JSON.stringify(refused.body)).toContain('extension')
  const made = await dial('5232')
  expect(made).toMatchObject({ status: 200, body: { phoneNumber: '5232' } })
  const call = z.object({ ucid: z.string() }).parse(made.body)
  app.standIns.telephony.answer(call)
  app.standIns.telephony.hangUp(call)
  await waitFor(async () => (await entryOf('5232')) === undefined, { what: 'the entry to be closed' })
  expect(await get('/api/calls/missed?waitingOnly=false')).toContain(`"calledBackUcid":"${call.ucid}"`)
  await waitFor(() => record(call.ucid)['status'] === 'COMPLETED', { what: 'the record' })
  expect(record(call.ucid)).toMatchObject({ phone: '5232', direction: 'OUTBOUND' })
})

test('a landline without its area code can be called back with the digits that were dialled, and nobody else with such a number', async () => {
  await miss('2654-3210')
  expect(await get('/api/calls/missed')).toContain('"phoneNumber":null,"dialledNumber":"2654-3210"')
  expect(await entryOf('26543210')).toMatchObject({ missedCount: 1 })
  expect(await lookUp({ phoneNumber: '26543219' })).toMatchObject({ status: 400, body: { data: { fields: [{ path: 'phoneNumber' }] } } })
  expect(await dial('26543219')).toMatchObject({ status: 400, body: { data: { fields: [{ path: 'phoneNumber' }] } } })
})

test('only a caller without any digit but 0 is withheld', async () => {
  const withheld = ['anonymous', 'Private', 'Unknown', 'sip:anonymous@10.0.0.1', '+', '0000000000', '+910000000000']
  for (const from of withheld) {
    const ucid = await miss(from)
    const call = (await get('/api/calls/missed')).split('{').find((part) => part.includes(`"ucid":"${ucid}"`))
    expect(call, from).toContain('"phoneNumber":null,"dialledNumber":null')
  }
  await miss('sip:7001@10.0.0.1')
  expect(await entryOf('7001')).toMatchObject({ missedCount: 1 })
  await miss('"Ward 2" <9812345670>')
  expect(await entryOf('+919812345670')).toMatchObject({ missedCount: 1 })
})

test('the call that rings is none of the last calls', async () => {
  const { ucid } = app.standIns.telephony.ring({ from: '5232', agentId: 'agent1' })
  await waitFor(() => record(ucid)['phone'] === '5232', { what: 'its record' })
  const { body } = await lookUp({ ucid })
  expect(body).toMatchObject({ call: { ucid }, lastCalls: [{ status: 'COMPLETED' }, { status: 'MISSED' }] })
  expect(JSON.stringify(z.object({ lastCalls: z.unknown() }).parse(body))).not.toContain(ucid)
  app.standIns.telephony.hangUp({ ucid })
})

test('a missed call gets the number that a later report has, and its person is in the worklist once', async () => {
  await using desk = await createCallsDesk()
  const { callPorts: ports, workspaceId } = desk
  const facts = { ucid: '9001', did: null, campaignName: null, leadId: null, at: '2026-11-28T10:00:00.000Z' }
  const missedOf = async (number: string) => (await readEntry(ports, { workspaceId, id: entryIdOf(workspaceId, number) }))?.missed.length
  await addMissedCall(ports, workspaceId, { ...facts, phoneNumber: null })
  await addMissedCall(ports, workspaceId, { ...facts, phoneNumber: null, dialledNumber: '5232' })
  expect(await missedOf('5232')).toBe(1)
  await addMissedCall(ports, workspaceId, { ...facts, phoneNumber: '+919876543210', dialledNumber: '09876543210' })
  expect([await missedOf('5232'), await missedOf('+919876543210')]).toEqual([0, 1])
  expect(await readMissedCalls(ports, workspaceId, ['9001'])).toMatchObject([{ phoneNumber: '+919876543210', dialledNumber: '5232' }])
})
