import { expect, test } from 'vitest'
import * as absent from '../harness/absent-fields.ts'
import { reportedRow, reportsFrom } from '../harness/ozonetel-reports.ts'

const settings = { id: 'ozonetel', account: 'a', apiKey: 'secret', authentication: 'API_KEY' }
const reader = absent.webhookReader(settings)
const live = (data: absent.Fields, eventTime: unknown) => reader.json({ eventType: 'Call', eventTime, username: 'a', data })
const end = (data: absent.Fields) => reader.form({ data: JSON.stringify(data) })

const event = {
  call_type: 'inbound',
  monitor_ucid: '31795211882000007',
  ucid: '31795211882000007',
  agent_id: 'agent1',
  caller_id: '09876543210',
  did: '918069876501',
}
const [calling, answered, over] = [
  { ...event, action: 'Calling', event_time: '2025-01-15 14:30:00' },
  { ...event, action: 'Answered', event_time: '2025-01-15 14:30:05' },
  { ...event, action: 'Disconnect', event_time: '2025-01-15 14:33:00' },
]
const answeredCall = [calling, answered, over].flatMap((data) => live(data, data.event_time))
const report = {
  monitorUCID: event.monitor_ucid,
  Apikey: 'secret',
  Did: event.did,
  CampaignName: 'Inbound',
  CallerID: '09876543210',
  StartTime: '2025-01-15 14:30:00',
  EndTime: '2025-01-15 14:33:00',
  TimeToAnswer: '00:00:05',
  Duration: '00:02:55',
  Type: 'InBound',
  AgentID: 'agent1',
  Disposition: 'Booked',
  Status: 'Answered',
  AudioFile: 'https://x.example/a.mp3',
  TransferType: 'AgentTransfer',
  TransferredTo: 'agent2',
  Comments: 'wants a visit',
}
const more = {
  StartTime: absent.noMoments,
  EndTime: absent.noMoments,
  event_time: absent.noMoments,
  TimeToAnswer: absent.noDurations,
  Duration: absent.noDurations,
  TalkTime: absent.noDurations,
  Type: absent.noWords,
  call_type: absent.noWords,
  Status: absent.noWords,
  Did: ['0', 0],
  did: ['0', 0],
  DID: ['0', 0],
  AudioFile: ['NA.mp3', 'file:///a.mp3'],
  TransferType: absent.noWords,
}
const identity = ['monitorUCID', 'Apikey']

test('knows the answered call', () => {
  expect(absent.known(answeredCall)).toMatchObject({ phase: 'COMPLETED', direction: 'INBOUND', agentId: 'agent1', talkSeconds: 175 })
  expect(absent.known([...answeredCall, ...end(report)])).toMatchObject({
    phase: 'COMPLETED',
    talkSeconds: 175,
    transferTarget: 'AGENT',
    notes: 'wants a visit',
  })
})

test('keeps what is known, whatever field the end of a call lacks', () => {
  const reports = absent.lacking(report, identity, more)
  expect(absent.faultsOf(reports, (fields) => absent.changes(answeredCall, end(fields)))).toEqual([])
  expect(absent.faultsOf(reports, (fields) => absent.changes([...answeredCall, ...end(report)], end(fields)))).toEqual([])
})

test('keeps what is known if a report has no more than its identifier and one moment', () => {
  const { monitorUCID, Apikey, StartTime, EndTime } = report
  for (const bare of [{ StartTime }, { EndTime }]) {
    for (const before of [answeredCall, [...answeredCall, ...end(report)]])
      expect(absent.changes(before, end({ monitorUCID, Apikey, ...bare }))).toEqual([])
  }
})

test('keeps what earlier events said, whatever field a live event lacks', () => {
  const before = [...live(calling, ''), ...live(answered, '')]
  const read = (data: absent.Fields) => absent.changes(before, live(data, answered.event_time))
  expect(absent.faultsOf(absent.lacking(answered, ['action', 'monitor_ucid'], more), read)).toEqual([])
  expect(absent.faultsOf(absent.lacking(over, ['action', 'monitor_ucid'], more), read, [absent.ended])).toEqual([])
})

test('finds the call of a live event by its other identifier', () => {
  for (const monitor_ucid of ['', 'None', null, '-']) expect(live({ ...answered, monitor_ucid }, '')).toMatchObject([{ ucid: event.ucid }])
})

const row = reportedRow(event.monitor_ucid, {
  CallDate: '2025-01-15',
  CallerID: event.caller_id,
  StartTime: '14:30:00',
  PickupTime: '14:30:05',
  EndTime: '14:33:00',
})
const noTimes = ['00:00:00', '14:75', 'soon', '1970-01-01 05:30:00']
test('keeps what live events said, whatever field a row of the daily report lacks', async () => {
  const table = absent.lacking(row, ['monitorUCID', 'CallDate', 'StartTime'], { ...more, PickupTime: noTimes, EndTime: noTimes.slice(1) })
  const { reports } = reportsFrom({ status: 'success', details: table.map(([, fields]) => fields) })
  const { records } = await reports.callRecordPage({ from: '2025-01-15T00:00:00.000Z', to: '2025-01-15T10:00:00.000Z', after: null })
  const read = table.map(([name], index) => [name, records[index]] as const)
  expect(absent.faultsOf(read, (record) => (record ? absent.changes(answeredCall, [record]) : ['is not read']))).toEqual([])
})

test.each([
  [
    { Status: 'NotAnswered', Duration: '00:00:00' },
    { phase: 'MISSED', talkSeconds: 0 },
  ],
  [{ Status: 'NOT ANSWERED' }, { phase: 'MISSED', talkSeconds: 0 }],
  [
    { Status: 'answered', Duration: '90', TimeToAnswer: 7 },
    { phase: 'COMPLETED', talkSeconds: 90, answeredAt: '2025-01-15T09:00:07.000Z' },
  ],
  [
    { Status: undefined, Duration: '00:00:40' },
    { phase: 'COMPLETED', talkSeconds: 40 },
  ],
  [{ Status: undefined, Duration: undefined }, { phase: 'MISSED' }],
  [
    { Status: undefined, Duration: undefined, AgentStatus: 'answered', CustomerStatus: 'answered' },
    { phase: 'COMPLETED', talkSeconds: 175 },
  ],
  [{ Status: undefined, Duration: undefined, AgentStatus: 'not answered', CustomerStatus: 'answered' }, { phase: 'MISSED' }],
  [
    { Duration: undefined, EndTime: undefined },
    { phase: 'COMPLETED', talkSeconds: null },
  ],
  [
    { Status: undefined, Duration: undefined, EndTime: undefined },
    { phase: 'MISSED', endedAt: '2025-01-15T09:10:00.000Z', isEndGuessed: true },
  ],
  [{ EndTime: undefined }, { phase: 'COMPLETED', talkSeconds: 175, endedAt: '2025-01-15T09:03:00.000Z' }],
  [{ Type: 'Manual' }, { direction: 'OUTBOUND' }],
  [{ Type: 'in bound' }, { direction: 'INBOUND' }],
  [{ Type: 'Power Dialer' }, { direction: 'OUTBOUND' }],
  [{ Disposition: 'NA' }, { disposition: null }],
  [
    { Disposition: 'Not Available', Comments: 'Nil' },
    { disposition: 'Not Available', notes: 'Nil' },
  ],
  [{ Disposition: 'None', Comments: '-' }, { notes: null }],
  [{ StartTime: '1970-01-01 05:30:00', EndTime: '' }, { endedAt: '2025-01-15T09:10:00.000Z' }],
  [
    { TransferType: 'Blind', TransferredTo: '' },
    { transferTarget: 'OTHER', transferredTo: null },
  ],
])('reads %j of a call of which nothing else is known', (fields, call) => {
  expect(absent.known(end({ ...report, ...fields }))).toMatchObject(call)
})
