import { deadlineSignal } from '../../../kernel/deadlines.ts'
import { z } from 'zod'
import { maxOutboundCallMs, type OutboundDial, type OutboundTelephony } from '../../../ports/outbound-telephony.ts'
import { invalidInput } from '../../../kernel/errors.ts'
import { httpRequest } from '../../../kernel/http-client.ts'
import { phoneParts } from '../../../kernel/phone.ts'
import type { OutboundDeps } from '../provider.ts'
import { instantOf } from '../field-values.ts'
import { successOf, who } from './answers.ts'
import type { ExotelSettings } from './settings.ts'

const maxReferenceLength = 128
const answerSchema = z.object({ Call: z.object({ Sid: z.string().min(1), StartTime: z.string().nullish() }) })

export type CallLimits = Pick<OutboundDeps, 'dispatcher'> & { readonly deadlineMs: number }

export function dialMethod(settings: ExotelSettings, { deadlineMs, dispatcher }: CallLimits): OutboundTelephony['dial'] {
  return async (request) => {
    const received = await httpRequest({
      who,
      url: `${settings.url}/v1/Accounts/${encodeURIComponent(settings.account)}/Calls/connect.json`,
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', authorization: basicOf(settings) },
      body: formOf(settings, request).toString(),
      signal: deadlineSignal(deadlineMs),
      dispatcher,
    })
    const { Call: call } = successOf(received, answerSchema)
    return { callId: call.Sid, startedAt: instantOf(call.StartTime ?? ''), callerId: settings.callerId }
  }
}

export function basicOf({ apiKey, apiToken }: ExotelSettings): string {
  return `Basic ${Buffer.from(`${apiKey}:${apiToken}`).toString('base64')}`
}

function formOf({ callerId }: ExotelSettings, request: OutboundDial): URLSearchParams {
  const form = new URLSearchParams({
    From: dialledForm(request.agentPhoneNumber),
    To: customerForm(request.phoneNumber),
    CallerId: dialledForm(callerId),
    CallType: 'trans',
    TimeLimit: String(maxOutboundCallMs / 1000),
    Record: String(request.recorded),
    CustomField: request.reference.slice(0, maxReferenceLength),
  })
  if (request.recorded) form.set('RecordingChannels', 'dual')
  if (request.statusWebhookUrl !== null) {
    form.set('StatusCallback', request.statusWebhookUrl)
    form.set('StatusCallbackEvents[0]', 'terminal')
    form.set('StatusCallbackEvents[1]', 'answered')
    form.set('StatusCallbackContentType', 'application/json')
  }
  return form
}

/** The provider takes whole numbers only. Throws INVALID_INPUT. */
function customerForm(number: string): string {
  if (phoneParts(number) === null)
    throw invalidInput('phoneNumber', `is an extension, or lacks its area code: ${who} dials whole phone numbers only`)
  return dialledForm(number)
}

/** Formats Indian numbers as `0` and the national number. */
function dialledForm(number: string): string {
  const parts = phoneParts(number)
  return parts?.callingCode === '+91' ? `0${parts.national}` : number
}
