import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ReconciliationDesk, startReconciliationDesk } from '../harness/reconciliation-desk.ts'
import { anInterval, noMissedCalls, reconciliationViews } from '../harness/reconciliation-views.ts'
import { waitFor } from '../harness/wait-for.ts'

/** What webhooks did not report, because one of both sides was away, comes from the provider's records. */

let desk: ReconciliationDesk
beforeEach(async () => {
  desk = await startReconciliationDesk()
})
afterEach(() => desk[Symbol.asyncDispose]())

const { missedCalls, recordsOf, compare } = reconciliationViews(() => desk)
/** The provider writes whole seconds. */
const wholeSecond = (at: number | null): string => new Date(Math.floor((at ?? 0) / 1_000) * 1_000).toISOString()
const anAnsweredCall = { from: '+919812345670', agentId: 'agent1', talkSeconds: 4, ringSeconds: 2 } as const

test('a call missed while webhooks were lost appears with its true time', async () => {
  const { telephony } = desk.standIns
  telephony.accountMode({ delivery: 'lost' })
  telephony.fault(noMissedCalls)
  const { ucid } = telephony.ring({ from: '+919945012345' })
  desk.clock.advance(20_000)
  telephony.hangUp({ ucid })
  const [startedAt, endedAt] = [telephony.call({ ucid }).startedAt, telephony.call({ ucid }).endedAt].map(wholeSecond)
  await compare()
  const missed = await waitFor(async () => (await missedCalls()).find((call) => call.ucid === ucid))
  expect(missed).toMatchObject({ phoneNumber: '+919945012345', at: endedAt })
  const [record] = await waitFor(() => recordsOf(ucid).length > 0 && recordsOf(ucid))
  expect(record).toMatchObject({ status: 'MISSED', startedAt, endedAt })
})

test('a missed call appears although no report can be read', async () => {
  const { telephony } = desk.standIns
  telephony.accountMode({ delivery: 'lost' })
  telephony.fault({ operation: 'fetchCdrByPagination', act: 'refuse', status: 429 })
  const { ucid } = telephony.missCall({ from: '+919945012345' })
  const at = wholeSecond(telephony.call({ ucid }).startedAt)
  desk.clock.advance(anInterval)
  const missed = await waitFor(async () => (await missedCalls()).find((call) => call.ucid === ucid))
  expect(missed).toMatchObject({ phoneNumber: '+919945012345', at })
})

test('an answered call that webhooks did not report leads to an insight with its notes', async () => {
  const { telephony, platform } = desk.standIns
  telephony.accountMode({ delivery: 'lost' })
  const { ucid } = telephony.inboundCall(anAnsweredCall)
  await desk.disposeAtProvider(ucid, { disposition: 'Information Given', comments: 'asked for the green room' })
  expect(await compare()).toMatchObject({ added: 1, rows: 1, unreadable: 0 })
  const record = await waitFor(() => recordsOf(ucid)[0]?.['notes'] === 'asked for the green room' && recordsOf(ucid)[0])
  expect(record).toMatchObject({ status: 'COMPLETED', disposition: 'Information Given', notes: 'asked for the green room' })
  const leadOf = () => platform.records('demo', 'lead', { name: { eq: 'Rahul Verma' } })[0]
  await waitFor(() => String(leadOf()?.['aiSummary']).includes('asked for the green room'))
  expect(await compare()).toMatchObject({ added: 0, rows: 1 })
})

test('webhooks that arrive after the comparison change nothing', async () => {
  const { telephony } = desk.standIns
  telephony.accountMode({ delivery: 'late' })
  const missed = telephony.missCall({ from: '+919945012345' })
  const answered = telephony.inboundCall(anAnsweredCall)
  await desk.disposeAtProvider(answered.ucid, { disposition: 'Information Given', comments: 'came late' })
  expect(await compare()).toMatchObject({ rows: 2 })
  const summary = () => String(desk.standIns.platform.records('demo', 'lead', { name: { eq: 'Rahul Verma' } })[0]?.['aiSummary'])
  await waitFor(() => recordsOf(missed.ucid).length > 0 && summary().includes('came late'))
  const records = () => [...recordsOf(missed.ucid), ...recordsOf(answered.ucid)]
  await waitFor(() => recordsOf(answered.ucid)[0]?.['notes'] === 'came late')
  // Each webhook makes the record be written again; only the moment of the write may differ.
  const state = async () => [records().map((record) => ({ ...record, updatedAt: '' })), await missedCalls()]
  const before = await state()
  const asked = desk.standIns.models.calls().length
  const late = desk.clock.now()
  telephony.accountMode({ delivery: 'works' })
  await waitFor(() => telephony.callbacks().length === 7 && telephony.callbacks().every(({ done }) => done))
  await waitFor(() => records().every(({ updatedAt }) => Date.parse(String(updatedAt)) > late))
  expect(await state()).toEqual(before)
  expect(desk.standIns.models.calls().length).toBe(asked)
})
