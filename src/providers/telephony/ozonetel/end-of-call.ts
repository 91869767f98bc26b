import type { CallUpdate } from '../../../ports/telephony-webhooks.ts'
import { isoMoment } from '../../../kernel/clock.ts'
import { invalidInput } from '../../../kernel/errors.ts'
import { addressOf, field, instantOf, isTime, present, rawText, said, secondsOf } from '../field-values.ts'
import { otherParty } from '../other-party.ts'
import type { OutboundDeps } from '../provider.ts'
import { reportedOutcome } from './reported-outcome.ts'
import { transferOf } from './transfer.ts'
import { answeredOf, didOf, directionOf, talkOf } from './wire.ts'

/** What a report does not say itself. */
export type ReportDeps = Pick<OutboundDeps, 'defaultCountry' | 'dispositions'>

/**
 * Parses the end of a call from its fields, by lower-case names. A field that is missing or unknown says nothing: its fact is null. Throws
 * INVALID_INPUT if the identifier, or both the start and the end, are missing. An empty clock is a time that is not known.
 */
export function callEnd(data: ReadonlyMap<string, unknown>, { defaultCountry: country, dispositions = [] }: ReportDeps): CallUpdate {
  const text = (name: string): string => field.parse(data.get(name))
  const ucid = text('monitorucid')
  if (!/^\d{1,30}$/.test(ucid)) throw invalidInput('data.monitorUCID', 'must be the digits of an identifier')
  const [startedAt, endedAt] = [instantOf(text('starttime')), instantOf(text('endtime'))]
  if (startedAt === null && endedAt === null && !isTime(text('starttime')) && !isTime(text('endtime')))
    throw invalidInput('data.StartTime', 'must be a moment')
  const talkSeconds = secondsOf(text('duration'))
  const answered = answeredOf(text('status'), talkSeconds, [text('agentstatus'), text('customerstatus')])
  const raw = (name: string): string => rawText.parse(data.get(name))
  const { disposition, automatic } = reportedOutcome(raw('disposition'), dispositions)
  return {
    about: 'CALL',
    ucid,
    source: 'RECORD',
    facts: {
      direction: directionOf(text('type')),
      ...otherParty(text('callerid'), country),
      did: didOf(text('did'), country),
      campaignName: said(raw('campaignname')),
      agentId: present(text('agentid')),
      startedAt,
      answeredAt: answered === true ? answeredAfter(startedAt, secondsOf(text('timetoanswer'))) : null,
      endedAt,
      answered,
      talkSeconds: talkOf(answered, talkSeconds),
      disposition,
      notes: said(raw('comments')),
      ...transferOf({ type: text('transfertype'), to: text('transferredto') }, country),
      recordingUrl: addressOf(text('audiofile')),
    },
    automaticDisposition: automatic,
  }
}

function answeredAfter(startedAt: string | null, seconds: number | null): string | null {
  return startedAt === null || seconds === null ? null : isoMoment(Date.parse(startedAt) + seconds * 1000)
}
