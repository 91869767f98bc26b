import { z } from 'zod'
import type { CallUpdate, WebhookUpdate } from '../../../ports/telephony-webhooks.ts'
import { invalidInput } from '../../../kernel/errors.ts'
import { parseExactJson } from '../../../kernel/exact-json.ts'
import { type CountryCode, toE164 } from '../../../kernel/phone.ts'
import { instantOf } from './moments.ts'

const text = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((value) => String(value ?? '').trim())

const statusSchema = z.object({
  CallSid: z.string().min(1).max(100),
  EventType: z.enum(['answered', 'terminal']),
  Status: text,
  To: text,
  StartTime: text,
  EndTime: text,
  DateUpdated: text,
  ConversationDuration: z.coerce.number().nonnegative().catch(0),
  RecordingUrl: text,
})
type Status = z.output<typeof statusSchema>

/**
 * A status webhook: JSON, which we request, or a form, which is the provider's default. It has no proof of its sender, so the address
 * that receives it must be secret.
 */
export function readStatus(body: string, contentType: string, country: CountryCode): readonly WebhookUpdate[] {
  const fields = /json/i.test(contentType) ? parseExactJson(body) : Object.fromEntries(new URLSearchParams(body))
  const parsed = statusSchema.safeParse(fields)
  if (!parsed.success) throw invalidInput(String(parsed.error.issues[0]?.path[0] ?? 'body'), 'is not as in a status callback')
  const status = parsed.data
  const known = { direction: 'OUTBOUND', phoneNumber: toE164(status.To, country), startedAt: instantOf(status.StartTime) } as const
  const { source, facts } = status.EventType === 'terminal' ? ended(status) : answered(status)
  return [{ about: 'CALL', ucid: status.CallSid, source, facts: { ...known, ...facts }, automaticDisposition: null }]
}

type Said = Pick<CallUpdate, 'source' | 'facts'>

function answered(status: Status): Said {
  return { source: 'LIVE', facts: { answeredAt: instantOf(status.DateUpdated) } }
}

/** `completed` only means that the agent's leg was completed. The customer was reached if the two have talked. */
function ended(status: Status): Said {
  const connected = status.Status === 'completed' && status.ConversationDuration > 0
  const endedAt = instantOf(status.EndTime) ?? instantOf(status.DateUpdated)
  const talkedFrom = endedAt === null ? null : new Date(Date.parse(endedAt) - status.ConversationDuration * 1000).toISOString()
  const facts = {
    answered: connected,
    answeredAt: connected ? talkedFrom : null,
    endedAt,
    talkSeconds: connected ? status.ConversationDuration : 0,
    recordingUrl: connected && URL.canParse(status.RecordingUrl) ? status.RecordingUrl : null,
  }
  return { source: 'RECORD', facts }
}
