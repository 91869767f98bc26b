import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { type ReconciliationDesk, startReconciliationDesk } from '../harness/reconciliation-desk.ts'
import { waitFor } from '../harness/wait-for.ts'

/** What webhooks did not report, because one of both sides was away, comes from the provider's records. */

let desk: ReconciliationDesk
beforeEach(async () => {
  desk = await startReconciliationDesk()
})
afterEach(() => desk[Symbol.asyncDispose]())

const missedSchema = z.array(z.object({ ucid: z.string(), phoneNumber: z.string().nullable(), at: z.string() }))
const missedCalls = async (workspace: 'demo' | 'acme' = 'demo') =>
  missedSchema.parse(await desk.rest('/api/calls/missed?first=50', await desk.managerToken(workspace)))
const recordsOf = (ucid: string, workspace: 'demo' | 'acme' = 'demo') =>
  desk.standIns.platform.records(workspace, 'call', { ucid: { eq: ucid } })
const pagesRead = () =>
  desk.standIns.telephony.calls('fetchCdrByPagination').filter(({ body }) => body.includes('"userName":"demo-account"'))
/** The provider writes whole seconds. */
const wholeSecond = (at: number | null): string => new Date(Math.floor((at ?? 0) / 1_000) * 1_000).toISOString()
const anAnsweredCall = { from: '+919812345670', agentId: 'agent1', talkSeconds: 4, ringSeconds: 2 } as const
/** Then the comparison is due again, and the account may read another report. */
const anInterval = 5 * 60_000 + 1_000
const noMissedCalls = { operation: 'abandonCalls', act: 'refuse', status: 200, body: '{"status":"error","message":"Unknown"}' } as const

/** Moves the clock to the next comparison, and resolves to its result. */
async function compare(ms = anInterval) {
  desk.clock.advance(ms)
  const from = desk.clock.now()
  return waitFor(
    async () => {
      const status = await desk.status()
      return status !== null && Date.parse(status.lastRunAt) >= from && status
    },
    { what: 'the comparison with the records of the provider' },
  )
}

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

test('more calls than a page has are read page by page, also by another process', async () => {
  const { telephony } = desk.standIns
  telephony.accountMode({ delivery: 'lost' })
  telephony.fault(noMissedCalls)
  const ucids = Array.from({ length: 520 }, () => telephony.missCall({ from: '+919945012345' }).ucid)
  desk.clock.advance(anInterval)
  await waitFor(async () => (await desk.status())?.rowsOfUnfinishedRuns === 500)
  await desk.stop()
  desk.clock.advance(70_000)
  await desk.start()
  expect(await compare(1)).toMatchObject({ added: 520, rows: 520 })
  const ranges = pagesRead().map(({ body }) => body)
  expect(ranges).toEqual([ranges[0], ranges[0]])
  const last = [ucids.at(0), ucids.at(-1)]
  await waitFor(() => last.every((ucid) => recordsOf(ucid ?? '').length === 1))
})

test('a record that cannot be read is counted and does not hold up the others', async () => {
  const { telephony } = desk.standIns
  telephony.accountMode({ delivery: 'lost' })
  telephony.fault(noMissedCalls)
  const { ucid } = telephony.missCall({ from: '+919945012345' })
  const day = { fromDate: '2025-01-15 00:00:00', toDate: '2025-01-15 23:59:59' }
  const { details } = z.object({ details: z.array(z.unknown()) }).parse(await desk.askProvider('GET', '/ca_reports/fetchCDRDetails', day))
  const body = JSON.stringify({ details: [{ UCID: '12', StartTime: 'never' }, null, ...details], totalCount: 3 })
  telephony.fault({ operation: 'fetchCdrByPagination', act: 'refuse', status: 200, body })
  expect(await compare()).toMatchObject({ unreadable: 4, failures: 0 })
  await waitFor(async () => (await missedCalls()).length === 1)
  expect(await missedCalls()).toMatchObject([{ phoneNumber: '+919945012345' }])
  expect(ucid).toBeTruthy()
})

test('a comparison that fails is visible, is repeated, and leaves the other workspace alone', async () => {
  const { telephony } = desk.standIns
  for (const account of ['demo-account', 'acme-account']) telephony.accountMode({ account, delivery: 'lost' })
  telephony.fault(noMissedCalls)
  telephony.fault({ operation: 'fetchCdrByPagination', act: 'refuse', status: 503, times: 2 })
  const ours = telephony.missCall({ from: '+919945012345' })
  const theirs = telephony.missCall({ account: 'acme-account', from: '+919945099999' })
  desk.clock.advance(anInterval)
  await waitFor(async () => (await desk.status())?.failures === 2)
  expect(await desk.status()).toMatchObject({ errors: ['PROVIDER_UNAVAILABLE'] })
  expect(await (await fetch(`${desk.url()}/metrics`)).text()).toContain('\nsidecar_call_reconciliation_failures 2\n')
  expect(await compare(70_000)).toMatchObject({ added: 2, failures: 0, errors: [] })
  await waitFor(() => recordsOf(ours.ucid).length > 0 && recordsOf(theirs.ucid, 'acme').length > 0)
  expect([recordsOf(ours.ucid, 'acme'), recordsOf(theirs.ucid)]).toEqual([[], []])
  expect((await missedCalls()).map(({ ucid }) => ucid)).toEqual([ours.ucid])
  expect((await missedCalls('acme')).map(({ ucid }) => ucid)).toEqual([theirs.ucid])
})

test('a service that was away compares at its start, but not with the time before it was installed', async () => {
  const { telephony } = desk.standIns
  expect(pagesRead()).toEqual([])
  await desk.stop()
  const { ucid } = telephony.missCall({ from: '+919945012345' })
  desk.clock.advance(70_000)
  await desk.start()
  await waitFor(async () => (await missedCalls()).some((call) => call.ucid === ucid))
})
