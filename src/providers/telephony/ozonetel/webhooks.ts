import { createHash, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { WebhookUpdate, TelephonyWebhooks } from '../../../ports/telephony-webhooks.ts'
import { AppError, invalidInput } from '../../../kernel/errors.ts'
import { parseBoundedJson } from '../../../kernel/json-limits.ts'
import { rawText } from '../field-values.ts'
import { readForm } from '../read-form.ts'
import { callEnd, type ReportDeps } from './end-of-call.ts'
import { agentProgress, callProgress } from './live-events.ts'
import type { OzonetelSettings } from './settings.ts'

const liveSchema = z.object({
  eventType: z.string(),
  eventTime: rawText,
  username: rawText,
  data: z.record(z.string(), z.unknown()),
})
const endSchema = z.record(z.string(), z.unknown())

/** Parses the provider's webhooks: live events are JSON, the end of a call is a form with one field that holds JSON. */
export function createWebhooks(settings: OzonetelSettings, deps: ReportDeps): TelephonyWebhooks {
  const readEnd = (text: string): readonly WebhookUpdate[] => {
    const fields = endSchema.safeParse(parseBoundedJson(text))
    if (!fields.success) throw invalidInput('data', 'must be a JSON object')
    // The provider spells this field in several ways.
    const data = new Map(Object.entries(fields.data).map(([name, value]) => [name.toLowerCase(), value]))
    if (!isKey(data.get('apikey'), settings.apiKey)) throw notOurs()
    return [callEnd(data, deps)]
  }

  const readLive = (text: string): readonly WebhookUpdate[] => {
    const parsed = liveSchema.safeParse(parseBoundedJson(text))
    if (!parsed.success) throw invalidInput(String(parsed.error.issues[0]?.path[0] ?? 'body'), 'is not as in an event')
    const { eventType, eventTime, username, data } = parsed.data
    // Live events carry no secret, but events of another account are still refused.
    if (username !== '' && username !== settings.account) throw notOurs()
    const event = { data, at: eventTime, country: deps.defaultCountry }
    switch (eventType.toLowerCase()) {
      case 'call':
        return callProgress(event)
      case 'agent':
        return agentProgress(event)
      default:
        return []
    }
  }

  return {
    read(body, contentType) {
      if (/json/i.test(contentType)) return readLive(body)
      const data = readForm(body).get('data')
      if (data === null) throw invalidInput('data', 'is missing')
      return readEnd(data)
    },
  }
}

/** Compares in constant time, for any received value. */
function isKey(shown: unknown, apiKey: string): boolean {
  const [one, other] = [typeof shown === 'string' ? shown : '', apiKey].map((text) => createHash('sha256').update(text).digest())
  return one !== undefined && other !== undefined && timingSafeEqual(one, other)
}

function notOurs(): AppError {
  return new AppError('WEBHOOK_REFUSED')
}
