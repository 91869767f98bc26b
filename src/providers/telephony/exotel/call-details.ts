import { deadlineSignal } from '../../../kernel/deadlines.ts'
import { z } from 'zod'
import type { OutboundTelephony } from '../../../ports/outbound-telephony.ts'
import { httpRequest } from '../../../kernel/http-client.ts'
import type { CountryCode } from '../../../kernel/phone.ts'
import { AppError } from '../../../kernel/errors.ts'
import { isException, successOf, who } from './answers.ts'
import { field, instantOf, seconds } from '../field-values.ts'
import { type CallReport, endFacts, endStatuses, knownFacts, type Leg, statusWord } from './call-report.ts'
import { basicOf, type CallLimits } from './dial.ts'
import type { ExotelSettings } from './settings.ts'

const answerSchema = z.object({
  Call: z.object({
    Status: field,
    To: field,
    PhoneNumberSid: field,
    StartTime: field,
    EndTime: field,
    DateUpdated: field,
    RecordingUrl: field,
    Details: z
      .object({
        ConversationDuration: seconds,
        Leg1Status: field,
        Leg2Status: field,
        Legs: z.array(z.object({ Leg: z.object({ OnCallDuration: seconds }) })).catch([]),
      })
      .nullish()
      .catch(null),
  }),
})
type Call = z.output<typeof answerSchema>['Call']

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
    const status = statusWord(call.Status)
    // The end and the durations of a talk follow minutes after the call: until then, its status says less than a webhook does.
    if (!endStatuses.has(status) || (status === 'completed' && instantOf(call.EndTime) === null)) return null
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
    conversationSeconds: Details?.ConversationDuration ?? null,
    recordingUrl: call.RecordingUrl,
    legs: legsOf(Details),
  }
}

function legsOf(details: Call['Details']): readonly Leg[] {
  if (!details) return []
  const statuses = [details.Leg1Status, details.Leg2Status]
  const legs = statuses.map((status, index) => ({ status, seconds: details.Legs[index]?.Leg.OnCallDuration ?? null }))
  return statuses.some((status) => status !== '') || details.Legs.length > 0 ? legs : []
}
