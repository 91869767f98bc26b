import { deadlineSignal } from '../../../kernel/deadlines.ts'
import { z } from 'zod'
import type { OutboundTelephony } from '../../../ports/outbound-telephony.ts'
import { httpRequest } from '../../../kernel/http-client.ts'
import type { CountryCode } from '../../../kernel/phone.ts'
import { AppError } from '../../../kernel/errors.ts'
import { isException, successOf, who } from './answers.ts'
import { type CallReport, endFacts, knownFacts, type Leg, seconds, text } from './call-report.ts'
import { basicOf, type CallLimits } from './dial.ts'
import type { ExotelSettings } from './settings.ts'

const answerSchema = z.object({
  Call: z.object({
    Status: text,
    To: text,
    PhoneNumberSid: text,
    StartTime: text,
    EndTime: text,
    DateUpdated: text,
    RecordingUrl: text,
    Details: z
      .object({
        ConversationDuration: seconds,
        Leg1Status: text,
        Leg2Status: text,
        Legs: z.array(z.object({ Leg: z.object({ OnCallDuration: seconds }) })).catch([]),
      })
      .nullish(),
  }),
})
type Call = z.output<typeof answerSchema>['Call']

const endStatuses: ReadonlySet<string> = new Set(['completed', 'failed', 'busy', 'no-answer', 'canceled'])

export function endedCallMethod(
  settings: ExotelSettings,
  { deadlineMs, dispatcher, defaultCountry }: CallLimits & { readonly defaultCountry: CountryCode },
): OutboundTelephony['endedCall'] {
  return async (callId) => {
    const account = encodeURIComponent(settings.account)
    const received = await httpRequest({
      who,
      url: `${settings.url}/v1/Accounts/${account}/Calls/${encodeURIComponent(callId)}.json?details=true`,
      method: 'GET',
      headers: { authorization: basicOf(settings) },
      signal: deadlineSignal(deadlineMs),
      dispatcher,
    })
    if (received.status === 404 && !isException(received))
      throw new AppError('PROVIDER_ANSWER_INVALID', { detail: `${who} gave an answer that cannot be read` })
    const { Call: call } = successOf(received, answerSchema)
    if (!endStatuses.has(call.Status)) return null
    const report = reportOf(call)
    return { ...knownFacts(report, defaultCountry), ...endFacts(report) }
  }
}

function reportOf({ Details, ...call }: Call): CallReport {
  return {
    status: call.Status,
    to: call.To,
    callerId: call.PhoneNumberSid,
    customField: '',
    startTime: call.StartTime,
    endTime: call.EndTime,
    updatedAt: call.DateUpdated,
    conversationSeconds: Details?.ConversationDuration ?? 0,
    recordingUrl: call.RecordingUrl,
    legs: legsOf(Details),
  }
}

function legsOf(details: Call['Details']): readonly Leg[] {
  if (!details) return []
  const statuses = [details.Leg1Status, details.Leg2Status]
  const legs = statuses.map((status, index) => ({ status, seconds: details.Legs[index]?.Leg.OnCallDuration ?? 0 }))
  return statuses.some((status) => status !== '') || details.Legs.length > 0 ? legs : []
}
