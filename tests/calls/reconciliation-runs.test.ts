import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { type ReconciliationDesk, startReconciliationDesk } from '../harness/reconciliation-desk.ts'
import { anInterval, noMissedCalls, reconciliationViews } from '../harness/reconciliation-views.ts'
import { waitFor } from '../harness/wait-for.ts'

/** How the comparison with the provider's records runs: page by page, past what fails or cannot be read, and after the service was away. */

let desk: ReconciliationDesk
beforeEach(async () => {
  desk = await startReconciliationDesk()
})
afterEach(() => desk[Symbol.asyncDispose]())

const { missedCalls, recordsOf, pagesRead, compare } = reconciliationViews(() => desk)

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
