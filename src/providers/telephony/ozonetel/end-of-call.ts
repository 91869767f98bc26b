import type { CallUpdate } from '../../../ports/telephony-webhooks.ts'
import { invalidInput } from '../../../kernel/errors.ts'
import type { CountryCode } from '../../../kernel/phone.ts'
import { transferOf } from './transfer.ts'
import { dispositionOf, instantOf, numberOf, present, secondsOf } from './wire.ts'

/** Parses the end of a call from its fields, by lower-case names. Throws INVALID_INPUT if the identifier or the start time is missing. */
export function callEnd(data: ReadonlyMap<string, unknown>, country: CountryCode): CallUpdate {
  const text = (name: string): string => {
    const value = data.get(name)
    return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
  }
  const ucid = text('monitorucid')
  if (!/^\d{1,30}$/.test(ucid)) throw invalidInput('data.monitorUCID', 'must be the digits of an identifier')
  const startedAt = instantOf(text('starttime'))
  if (startedAt === null) throw invalidInput('data.StartTime', 'must be a moment')
  const answered = /^answered$/i.test(text('status'))
  const disposition = dispositionOf(text('disposition'))
  return {
    about: 'CALL',
    ucid,
    source: 'RECORD',
    facts: {
      direction: /^inbound$/i.test(text('type')) ? 'INBOUND' : 'OUTBOUND',
      phoneNumber: numberOf(text('callerid'), country),
      did: numberOf(text('did'), country) ?? present(text('did')),
      campaignName: present(text('campaignname')),
      agentId: present(text('agentid')),
      startedAt,
      answeredAt: answered ? new Date(Date.parse(startedAt) + secondsOf(text('timetoanswer')) * 1000).toISOString() : null,
      endedAt: instantOf(text('endtime')),
      answered,
      talkSeconds: answered ? secondsOf(text('duration')) : 0,
      disposition,
      notes: present(text('comments')),
      ...transferOf({ type: text('transfertype'), to: text('transferredto') }, country),
      recordingUrl: URL.canParse(text('audiofile')) ? text('audiofile') : null,
    },
    automaticDisposition: disposition === null ? present(text('disposition')) : null,
  }
}
