import { expect, test } from 'vitest'
import { createTelephonyWebhooks } from '../../src/providers/telephony/registry.ts'
import { reportedRow, reportsOf } from '../harness/ozonetel-reports.ts'

/** What Ozonetel's reports say about the outcome of a call, in both ways that they come. */

const settings = { id: 'ozonetel', account: 'a', apiKey: 'secret', authentication: 'API_KEY' }

/** `listed`: the outcome codes of the workspace. */
async function outcomesOf(text: unknown, listed: readonly string[] = []) {
  const end = { monitorUCID: '7', Apikey: 'secret', Status: 'Answered', StartTime: '2025-01-15 14:30:00', Disposition: text }
  const body = new URLSearchParams({ data: JSON.stringify(end) }).toString()
  const webhooks = createTelephonyWebhooks(settings, { defaultCountry: 'IN', dispositions: listed })
  const [ofEnd] = webhooks.read(body, 'application/x-www-form-urlencoded')
  const { reports } = reportsOf([{ status: 'success', details: [reportedRow('7', { Disposition: text })] }], listed)
  const ofRecord = await reports.callRecord({ ucid: '7', startedAt: '2025-01-14T16:30:00.000Z' })
  return [ofEnd, ofRecord].map((update) => {
    if (update?.about !== 'CALL') throw new Error('the report cannot be read')
    return { chosen: update.facts.disposition, automatic: update.automaticDisposition }
  })
}

test.each([
  'Wrap up time exceeded :120',
  'Wrap up time exceeded',
  'wrap up time exceeded:30',
  'WRAP UP TIME EXCEEDED : 120',
  'Wrapup Time Exceeded :5',
  'Wrap-up time exceeded (120)',
  'Wrap_up_time_exceeded_120',
  '  Wrap  up time   exceeded : 90 sec ',
  'Wrap up time exceeded - 120 seconds.',
  'Auto wrapup',
  'Auto Wrap-up :60',
  'auto wrap up 30s',
  'Not Disposed',
  'NOT_DISPOSED',
  'NotDisposed',
  'Undisposed',
  'No disposition',
  'NA',
  'na',
  'N/A',
  'N.A.',
])('%j is the text of the provider, and no outcome', async (text) => {
  const none = { chosen: null, automatic: text.trim() }
  expect(await outcomesOf(text)).toEqual([none, none])
})

test.each(['', ' ', 'None', 'NONE', 'null', 'undefined', '-', '--', '—', '?', null, undefined, {}, [], false])(
  '%j says nothing',
  async (text) => {
    const none = { chosen: null, automatic: null }
    expect(await outcomesOf(text)).toEqual([none, none])
  },
)

test.each([
  'Booked',
  'Wrap up time exceeded the visit: call again',
  'Told that wrap up time exceeded',
  'Exceeded',
  'Wrap up',
  'Auto',
  'Not disposed to talk',
  'Nathan',
  'NA2',
  'Nil',
  'None of these',
  'Nothing',
  'Not Available',
  'Not Answered',
  '120',
  '0',
  '...',
  '!!',
  'नहीं',
  '👍',
])('%j is what a person chose', async (text) => {
  const chosen = { chosen: text, automatic: null }
  expect(await outcomesOf(text)).toEqual([chosen, chosen])
})

test.each([
  ['NA', ['Booked', 'NA']],
  ['none', ['None']],
  ['-', ['-']],
  ['Not Disposed', ['not disposed']],
  ['Unknown', ['Unknown']],
])('%j is an outcome if the workspace lists it: %j', async (text, listed) => {
  const chosen = { chosen: text, automatic: null }
  expect(await outcomesOf(text, listed)).toEqual([chosen, chosen])
})

test('a number is read as its digits', async () => {
  expect(await outcomesOf(42)).toEqual([42, 42].map((code) => ({ chosen: String(code), automatic: null })))
})
