import { z } from 'zod'
import type { OutboundStatus } from '../../../calls/outbound-telephony.ts'
import { invalidInput } from '../../../kernel/errors.ts'
import { parseExactJson } from '../../../kernel/exact-json.ts'
import { instantOf } from './moments.ts'

const text = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((value) => String(value ?? '').trim())

const statusSchema = z.object({
  CallSid: z.string().min(1).max(100),
  EventType: z.enum(['answered', 'terminal']),
  Status: text,
  StartTime: text,
  EndTime: text,
  ConversationDuration: z.coerce.number().nonnegative().catch(0),
  CustomField: text,
  RecordingUrl: text,
})

/** A status callback: JSON as we ask for it, or a form, the provider's default. */
export function readStatus(body: string, contentType: string): OutboundStatus {
  const fields = /json/i.test(contentType) ? parseExactJson(body) : Object.fromEntries(new URLSearchParams(body))
  const parsed = statusSchema.safeParse(fields)
  if (!parsed.success) throw invalidInput(String(parsed.error.issues[0]?.path[0] ?? 'body'), 'is not as in a status callback')
  const status = parsed.data
  const ended = status.EventType === 'terminal'
  return {
    callId: status.CallSid,
    phase: ended ? 'ENDED' : 'ANSWERED',
    outcome: ended ? outcomeOf(status.Status, status.ConversationDuration) : null,
    reference: status.CustomField || null,
    startedAt: instantOf(status.StartTime),
    endedAt: ended ? instantOf(status.EndTime) : null,
    talkSeconds: status.ConversationDuration,
    recordingUrl: URL.canParse(status.RecordingUrl) ? status.RecordingUrl : null,
  }
}

/** `completed` says that the agent's leg was; the customer was reached where the two have talked. */
function outcomeOf(status: string, talkSeconds: number): OutboundStatus['outcome'] {
  if (status === 'completed') return talkSeconds > 0 ? 'CONNECTED' : 'NO_ANSWER'
  if (status === 'busy') return 'BUSY'
  return status === 'no-answer' ? 'NO_ANSWER' : 'FAILED'
}
