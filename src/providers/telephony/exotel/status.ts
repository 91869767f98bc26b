import { z } from 'zod'
import type { WebhookUpdate } from '../../../ports/telephony-webhooks.ts'
import { invalidInput } from '../../../kernel/errors.ts'
import { parseBoundedJson } from '../../../kernel/json-limits.ts'
import type { CountryCode } from '../../../kernel/phone.ts'
import { field, instantOf, seconds } from '../field-values.ts'
import { readForm } from '../read-form.ts'
import { type CallReport, customerAnswered, endFacts, knownFacts } from './call-report.ts'

const statusSchema = z.object({
  CallSid: z.string().min(1).max(100),
  EventType: field.transform((type) => type.toLowerCase()).pipe(z.enum(['answered', 'terminal'])),
  Status: field,
  To: field,
  PhoneNumberSid: field,
  CustomField: field,
  StartTime: field,
  EndTime: field,
  DateUpdated: field,
  ConversationDuration: seconds,
  RecordingUrl: field,
  Legs: z
    .array(z.object({ Status: field, OnCallDuration: seconds }))
    .nullish()
    .catch(null),
})

/**
 * A status webhook: JSON, which we request, or a form, which is the provider's default. It has no proof of its sender, so the address
 * that receives it must be secret.
 */
export function readStatus(body: string, contentType: string, country: CountryCode): readonly WebhookUpdate[] {
  const fields = /json/i.test(contentType) ? parseBoundedJson(body) : fieldsOfForm(body)
  const parsed = statusSchema.safeParse(fields)
  if (!parsed.success) throw invalidInput(String(parsed.error.issues[0]?.path[0] ?? 'body'), 'is not as in a status callback')
  const { CallSid: ucid, EventType } = parsed.data
  const report = reportOf(parsed.data)
  const known = knownFacts(report, country)
  const about = { about: 'CALL', ucid, automaticDisposition: null } as const
  if (EventType === 'terminal') return [{ ...about, source: 'RECORD', facts: { ...known, ...endFacts(report) } }]
  // The agent's phone rings first, so this may be the agent's answer.
  const isAnswered = customerAnswered(report)
  const answeredAt = isAnswered === false ? null : instantOf(report.updatedAt)
  return [{ ...about, source: 'LIVE', facts: { ...known, answeredAt }, ...(isAnswered === null ? { mayBeAgentAlone: true } : {}) }]
}

function reportOf(status: z.output<typeof statusSchema>): CallReport {
  return {
    status: status.Status,
    to: status.To,
    callerId: status.PhoneNumberSid,
    customField: status.CustomField,
    startTime: status.StartTime,
    endTime: status.EndTime,
    updatedAt: status.DateUpdated,
    conversationSeconds: status.ConversationDuration,
    recordingUrl: status.RecordingUrl,
    legs: (status.Legs ?? []).map((leg) => ({ status: leg.Status, seconds: leg.OnCallDuration })),
  }
}

/** Forms have the fields of the legs as `Legs[0][Status]`. */
function fieldsOfForm(body: string): Readonly<Record<string, unknown>> {
  const form = [...readForm(body)]
  const leg = (index: number) =>
    Object.fromEntries(form.flatMap(([name, value]) => (name.startsWith(`Legs[${index}][`) ? [[name.slice(8, -1), value]] : [])))
  const Legs = [leg(0), leg(1)].filter((fields) => Object.keys(fields).length > 0)
  return { ...Object.fromEntries(form), Legs }
}
