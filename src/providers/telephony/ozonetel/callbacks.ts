import { createHash, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { ProviderCallback } from '../../../calls/provider-events.ts'
import type { Telephony } from '../../../calls/telephony.ts'
import { AppError, invalidInput } from '../../../kernel/errors.ts'
import { parseExactJson } from '../../../kernel/exact-json.ts'
import type { CountryCode } from '../../../kernel/phone.ts'
import type { OzonetelClient } from './client.ts'
import { callEnd } from './end-of-call.ts'
import { agentProgress, callProgress } from './live-events.ts'
import type { OzonetelSettings } from './settings.ts'
import type { Within } from './within.ts'

export type CallbackParts = {
  readonly settings: OzonetelSettings
  readonly client: OzonetelClient
  readonly country: CountryCode
  readonly within: Within
}

const liveSchema = z.object({
  eventType: z.string(),
  eventTime: z.string().optional(),
  username: z.string().optional(),
  data: z.record(z.string(), z.unknown()),
})
const endSchema = z.record(z.string(), z.unknown())

/** What the provider sends by itself: live events as JSON, the end of a call as a form with one field that holds JSON. */
export function callbackMethods({ settings, client, country, within }: CallbackParts): Pick<Telephony, 'subscribe' | 'readCallback'> {
  const readEnd = (text: string): ProviderCallback => {
    const fields = endSchema.safeParse(parseExactJson(text))
    if (!fields.success) throw invalidInput('data', 'must be a JSON object')
    // Spelled in several ways on the wire.
    const data = new Map(Object.entries(fields.data).map(([name, value]) => [name.toLowerCase(), value]))
    return { proof: proofOf(data.get('apikey'), settings.apiKey), events: [callEnd(data, country)] }
  }

  const readLive = (text: string): ProviderCallback => {
    const parsed = liveSchema.safeParse(parseExactJson(text))
    if (!parsed.success) throw invalidInput(String(parsed.error.issues[0]?.path[0] ?? 'body'), 'is not as in an event')
    const { eventType, eventTime, username, data } = parsed.data
    // Live events show no secret; those of another account are nevertheless not ours.
    const proof = username === undefined || username === settings.account ? 'ABSENT' : 'WRONG'
    const event = { data, at: eventTime ?? '', country }
    switch (eventType.toLowerCase()) {
      case 'call':
        return { proof, events: callProgress(event) }
      case 'agent':
        return { proof, events: agentProgress(event) }
      default:
        return { proof, events: [] }
    }
  }

  return {
    subscribe: ({ callEventsUrl, agentEventsUrl }) =>
      within((signal) => client.subscribe({ urls: { callEventsURL: callEventsUrl, agentEventsURL: agentEventsUrl }, signal })),
    async readCallback({ body, contentType }) {
      if (/json/i.test(contentType)) return readLive(Buffer.from(body).toString('utf8'))
      const data = await dataField(body, contentType)
      if (data === null) throw invalidInput('data', 'is missing')
      return readEnd(data)
    },
  }
}

async function dataField(body: Uint8Array, contentType: string): Promise<string | null> {
  if (!/^multipart\/form-data/i.test(contentType)) return new URLSearchParams(Buffer.from(body).toString('utf8')).get('data')
  try {
    const form = await new Response(Buffer.from(body), { headers: { 'content-type': contentType } }).formData()
    const data = form.get('data')
    return typeof data === 'string' ? data : null
  } catch (cause) {
    throw new AppError('INVALID_INPUT', { detail: 'The form cannot be read', cause })
  }
}

function proofOf(shown: unknown, apiKey: string): ProviderCallback['proof'] {
  if (typeof shown !== 'string' || shown === '') return 'WRONG'
  const [one, other] = [shown, apiKey].map((text) => createHash('sha256').update(text).digest())
  return one && other && timingSafeEqual(one, other) ? 'SHOWN' : 'WRONG'
}
