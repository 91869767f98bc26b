import { expect, test } from 'vitest'
import { createOutboundTelephony } from '../../src/providers/telephony/registry.ts'
import { outboundAccounts } from '../../src/sandbox/accounts.ts'
import { startOutboundTelephony } from '../../src/sandbox/outbound/outbound.ts'
import * as absent from '../harness/absent-fields.ts'

const settings = { id: 'exotel', account: 'a', apiKey: 'k', apiToken: 't', callerId: '+918069876590' }
const read = absent.webhookReader(settings, 'outbound').json
const agentRecordId = '01890a5d-ac96-4744-8b5c-3f1f0c9b6a01'
const leg = { OnCallDuration: 0, Status: 'in-progress', AnsweredBy: 'HUMAN' }
const status = { CallSid: 'c1', EventType: 'answered', Status: 'in-progress', To: '09876543210', PhoneNumberSid: '08069876590' }
const answered = {
  ...status,
  StartTime: '2025-01-15 14:30:00',
  DateUpdated: '2025-01-15 14:30:10',
  CustomField: agentRecordId,
  Legs: [leg, leg],
}
const [agent, customer] = [170, 160].map((seconds) => ({ ...leg, OnCallDuration: seconds, Status: 'completed' }))
const report = {
  ...answered,
  EventType: 'terminal',
  Status: 'completed',
  EndTime: '2025-01-15 14:32:50',
  DateUpdated: '2025-01-15 14:32:50',
  ConversationDuration: 160,
  RecordingUrl: 'https://x.example/a.mp3',
  Legs: [agent, customer],
}
const more = {
  Status: absent.noWords,
  StartTime: absent.noMoments,
  EndTime: absent.noMoments,
  DateUpdated: absent.noMoments,
  ConversationDuration: absent.noDurations,
  RecordingUrl: ['NA.mp3'],
  Legs: [[{ ...agent, Status: '' }, {}], [agent, { ...customer, Status: 'NA', OnCallDuration: '' }], 'none'],
}
const identity = ['CallSid', 'EventType']

test('knows the answered call', () => {
  expect(absent.known(read(answered))).toMatchObject({ phase: 'ANSWERED', direction: 'OUTBOUND', agentRecordId })
  expect(absent.known([...read(answered), ...read(report)])).toMatchObject({ phase: 'COMPLETED', talkSeconds: 160 })
  expect(absent.changes(read(answered), read(report))).toEqual([absent.ended])
})

test('keeps what is known, whatever field the end of a call lacks', () => {
  const reports = absent.lacking(report, identity, more)
  expect(absent.faultsOf(reports, (fields) => absent.changes(read(answered), read(fields)), [absent.ended])).toEqual([])
  expect(absent.faultsOf(reports, (fields) => absent.changes([...read(answered), ...read(report)], read(fields)))).toEqual([])
})

test('keeps what is known if a report has no more than its identifier', () => {
  const bare = { CallSid: 'c1', EventType: 'Terminal' }
  expect(absent.changes(read(answered), read(bare))).toEqual([absent.ended, 'isEndGuessed: false became true'])
  expect(absent.changes([...read(answered), ...read(report)], read(bare))).toEqual([])
})

test('asks for call details again until they have an end, and reads only what they say', async () => {
  const { sid, key, token, callerId } = outboundAccounts.demo
  await using provider = await startOutboundTelephony()
  const account = { id: 'exotel', url: provider.url, account: sid, apiKey: key, apiToken: token, callerId }
  const outbound = createOutboundTelephony(account, { defaultCountry: 'IN' })
  const details = {
    ConversationDuration: 160,
    Leg1Status: 'completed',
    Leg2Status: 'completed',
    Legs: [170, 160].map((seconds) => ({ Leg: { OnCallDuration: seconds } })),
  }
  const { StartTime, EndTime, DateUpdated, RecordingUrl, To, PhoneNumberSid } = report
  const call = { Status: 'completed', StartTime, EndTime, DateUpdated, RecordingUrl, To, PhoneNumberSid, Details: details }
  const detailsOf = async (fields: absent.Fields) => {
    provider.fault({ operation: 'c1.json', act: 'refuse', status: 200, body: JSON.stringify({ Call: fields }), times: 1 })
    const facts = await outbound.endedCall('c1')
    return facts && ({ about: 'CALL', ucid: 'c1', source: 'RECORD', facts, automaticDisposition: null } as const)
  }
  for (const value of [null, '', '-', ...absent.noMoments]) expect(await detailsOf({ ...call, EndTime: value })).toBeNull()
  for (const [, fields] of absent.lacking(call, ['EndTime', 'Status'], {
    ...more,
    Details: absent.lacking(details, [], more).map(([, one]) => one),
  })) {
    const update = await detailsOf(fields)
    expect(update && absent.changes(read(answered), [update])).toEqual([absent.ended])
  }
  const unknown = await detailsOf({ ...call, Status: 'Completed', Details: null })
  expect(unknown?.facts).toMatchObject({ answered: null, answeredAt: null, talkSeconds: null, endedAt: '2025-01-15T09:02:50.000Z' })
  // Of a call that nobody answered no durations follow.
  expect((await detailsOf({ ...call, Status: 'no-answer', EndTime: null, Details: null }))?.facts).toMatchObject({ answered: false })
  expect((await detailsOf({ ...call, Status: 'Busy', Details: null }))?.facts).toMatchObject({ answered: false, talkSeconds: 0 })
})
