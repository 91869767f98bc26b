import { describe, expect, test } from 'vitest'
import { judge } from '../../src/providers/telephony/ozonetel/answers.ts'
import { instantOf, present, secondsOf } from '../../src/providers/telephony/field-values.ts'
import { dialledForm, didForm } from '../../src/providers/telephony/ozonetel/wire.ts'
import { reportedRow as row, reportsFrom } from '../harness/ozonetel-reports.ts'

const page = (rows: readonly unknown[], totalCount?: number) => ({ status: 'success', details: rows, totalCount })
const rows = (length: number) => Array.from({ length }, (_, index) => row(String(index)))
// 10:00 to 22:30 of two days in India.
const query = { from: '2025-01-14T04:30:00.000Z', to: '2025-01-15T17:00:00.000Z', after: null }

describe('the records of a time', () => {
  test('are read day by day and page by page, until a page is the last one', async () => {
    const { reports, asked, taken } = reportsFrom(page(rows(500)), page(rows(499)), page(rows(1), 501), page(rows(1), 500), page([]))
    const next = async (after: string | null) => (await reports.callRecordPage({ ...query, after })).next
    expect(await next(null)).toBe('2025-01-14 2')
    expect(await next('2025-01-14 2')).toBe('2025-01-15 1')
    expect(await next('2025-01-15 1')).toBe('2025-01-15 2')
    expect(await next('2025-01-15 1')).toBeNull()
    expect(await next('2025-01-14 1')).toBe('2025-01-15 1')
    expect(taken).toEqual(Array.from({ length: 5 }, () => 'JOB'))
    expect(asked.slice(0, 3).map(({ path, fields }) => [/pageNo=\d+/.exec(path)?.[0], fields['fromDate'], fields['toDate']])).toEqual([
      ['pageNo=1', '2025-01-14 10:00:00', '2025-01-14 23:59:59'],
      ['pageNo=2', '2025-01-14 10:00:00', '2025-01-14 23:59:59'],
      ['pageNo=1', '2025-01-15 00:00:00', '2025-01-15 22:30:00'],
    ])
  })

  test('of one moment are asked for, those of a time that ends before it begins are not', async () => {
    const { reports, asked } = reportsFrom(page([]))
    expect(await reports.callRecordPage({ from: query.from, to: query.from, after: null })).toMatchObject({ records: [], next: null })
    const refused = reports.callRecordPage({ from: query.to, to: query.from, after: null })
    await expect(refused).rejects.toMatchObject({ reason: 'INVALID_INPUT' })
    expect(asked).toHaveLength(1)
  })

  test('are counted if they cannot be read', async () => {
    const unreadable = [row('x'), row('1', { StartTime: 'soon' }), {}, null]
    const { reports } = reportsFrom(page([row('7'), ...unreadable]))
    expect(await reports.callRecordPage(query)).toMatchObject({ records: [{ ucid: '7' }], unreadable: 4 })
  })
})

describe('the record of a call', () => {
  const read = async (answer: object, ucid = '7') => {
    const { reports, asked, taken } = reportsFrom(answer)
    return { record: await reports.callRecord({ ucid, startedAt: '2025-01-14T18:29:59.000Z' }), asked, taken }
  }

  test('has all that the provider says', async () => {
    const { record, asked, taken } = await read(page([row('8'), row('7')]))
    expect(record).toEqual({
      about: 'CALL',
      ucid: '7',
      source: 'RECORD',
      facts: {
        direction: 'INBOUND',
        answered: true,
        phoneNumber: '+919876543210',
        dialledNumber: '9876543210',
        did: '+918069876501',
        campaignName: 'Inbound',
        agentId: 'agent1',
        startedAt: '2025-01-14T16:30:00.000Z',
        answeredAt: '2025-01-14T16:30:05.000Z',
        endedAt: '2025-01-14T16:33:00.000Z',
        talkSeconds: 175,
        disposition: 'Done',
        notes: null,
        recordingUrl: 'https://x.example/a.mp3',
      },
      automaticDisposition: null,
    })
    expect(taken).toEqual(['PERSON'])
    // Within the provider's day.
    expect(asked[0]?.fields).toEqual({ fromDate: '2025-01-14 23:59:59', toDate: '2025-01-14 23:59:59', ucid: '7' })
  })

  test('that nobody answered has no answer, and a disposition of the provider is none of the agent', async () => {
    const changes = { Status: 'NotAnswered', Type: 'Manual', Disposition: 'Wrap up time exceeded', CallAudio: 'none', DID: 'x1' }
    const { record } = await read(page([row('7', changes)]))
    const facts = {
      direction: 'OUTBOUND',
      answered: false,
      answeredAt: null,
      talkSeconds: 0,
      disposition: null,
      recordingUrl: null,
      did: 'x1',
    }
    expect(record).toMatchObject({ facts, automaticDisposition: 'Wrap up time exceeded' })
  })

  test('is null if there is none; an answer that cannot be read, and a refusal, are errors', async () => {
    expect((await read(page([]))).record).toBeNull()
    expect((await read(page([row('8')]))).record).toBeNull()
    expect((await read({ status: 'error', message: 'No records found' })).record).toBeNull()
    expect((await read({ status: 'success' })).record).toBeNull()
    await expect(read(page([row('x')]))).rejects.toMatchObject({ reason: 'PROVIDER_ANSWER_INVALID' })
    await expect(read({ status: 'error', message: 'Something else' })).rejects.toMatchObject({ reason: 'PROVIDER_REFUSED' })
  })
})

test('a missed call has its caller and its time; one without a time is skipped', async () => {
  const missed = { monitorUCID: 7, callerID: '9876543210', did: '918069876501', agentID: 'None', callTime: '2025-01-14 22:00:00' }
  const { reports } = reportsFrom({
    status: 'success',
    message: [missed, { ...missed, callTime: 'soon' }, { ...missed, monitorUCID: null }],
  })
  const numbers = { phoneNumber: '+919876543210', dialledNumber: '9876543210' }
  expect(await reports.missedCalls()).toEqual([
    { ucid: '7', ...numbers, did: '+918069876501', agentId: null, at: '2025-01-14T16:30:00.000Z' },
  ])
})

describe('an answer of the provider', () => {
  const answer = (status: number, body: unknown, retryAfterSeconds: number | null = null) =>
    judge({ status, retryAfterSeconds, text: typeof body === 'string' ? body : JSON.stringify(body) })

  test.each([
    [200, { status: 'success', message: 'm' }, true],
    [200, { Status: 'Queued', message: '' }, true],
    [200, { status: 'error', message: 'm' }, false],
    [200, { details: [] }, true],
    [200, { other: 1 }, false],
    [399, { status: 'success' }, true],
    [400, { status: 'success' }, false],
    [401, 'no JSON', false],
  ])('with status %i and %j succeeds: %j', (status, body, succeeded) => expect(answer(status, body).succeeded).toBe(succeeded))

  test.each([
    [500, { status: 'success' }, { reason: 'PROVIDER_UNAVAILABLE', data: undefined }],
    [429, { status: 'success' }, { reason: 'PROVIDER_UNAVAILABLE', data: { retryAfterSeconds: 30 } }],
    [200, 'no JSON', { reason: 'PROVIDER_ANSWER_INVALID' }],
  ])('with status %i and %j is an error', (status, body, error) => {
    expect(() => answer(status, body)).toThrow(expect.objectContaining(error))
  })

  test('says how long to wait', () => {
    expect(() => answer(429, '', 7)).toThrow(expect.objectContaining({ data: { retryAfterSeconds: 7 } }))
  })
})

test('values of the provider', () => {
  expect(['', 'None', 'null', 'Nonesuch'].map(present)).toEqual([null, null, null, 'Nonesuch'])
  expect(['2025-01-14 22:00:00', 'soon', '2025-13-14 22:00:00'].map(instantOf)).toEqual(['2025-01-14T16:30:00.000Z', null, null])
  expect([dialledForm('+919876543210'), dialledForm('+12125550123')]).toEqual(['09876543210', '+12125550123'])
  expect(didForm('+91 80-6987')).toBe('91806987')
  expect(['01:02:03', '24:00:00', '125', '1e3', '24:00:01', '-1:00:00', 'x', '1:2'].map(secondsOf)).toEqual([
    3_723,
    86_400,
    125,
    null,
    null,
    null,
    null,
    null,
  ])
})
