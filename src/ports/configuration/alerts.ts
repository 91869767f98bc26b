import { z } from 'zod'
import type { DeepReadonly } from '../../kernel/freeze.ts'

export const weekdays = ['SUNDAY', 'MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY'] as const

const time = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$|^24:00$/, 'must be a time such as 09:00, at most 24:00')

const openTime = z
  .strictObject({
    days: z.array(z.enum(weekdays)).min(1).max(7).describe('Days of the week'),
    from: time.describe("When the clinic opens, in the clinic's time zone"),
    to: time.describe('When it closes; a time after midnight belongs to the next day'),
  })
  .refine(({ from, to }) => from < to, {
    path: ['to'],
    message: 'must be later than "from"; hours after midnight are an entry of the next day',
  })

const limit = (max: number, description: string) =>
  z.int().min(1).max(max).nullable().default(null).describe(`${description}. Null: no alert`)
const minutes = (description: string) => limit(1_440, description)

const secretForm = 'must be whsec_ and 24 to 64 random bytes in base64'

/** Node also decodes what other libraries refuse, or read as another key. */
function isBase64(secret: string): boolean {
  const text = secret.slice('whsec_'.length)
  const bytes = Buffer.from(text, 'base64')
  return bytes.length >= 24 && bytes.length <= 64 && bytes.toString('base64') === text
}

const webhook = z
  .strictObject({
    url: z
      .url({ protocol: /^https?$/, error: 'must be an http(s) address' })
      .max(2_000)
      .meta({ destination: true })
      .nullable()
      .default(null)
      .describe('Where alerts are sent to; null: nowhere'),
    secret: z
      .string()
      .regex(/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/, secretForm)
      .refine(isBase64, secretForm)
      .meta({ secret: true })
      .nullable()
      .default(null)
      .describe('The secret that signs them, as in Standard Webhooks: whsec_ and 24 to 64 random bytes in base64'),
  })
  .refine(({ url, secret }) => url === null || secret !== null, { path: ['secret'], message: 'is missing: alerts are sent signed only' })

export const alertsSection = z
  .strictObject({
    openHours: z
      .array(openTime)
      .max(20)
      .default([])
      .describe("The clinic's opening hours, for alerts that need agents; an empty list: always open"),
    waitingMissedCalls: limit(10_000, 'An alert if so many missed calls wait for a callback'),
    longestWaitMinutes: minutes('An alert if a missed call waits for so many minutes'),
    wrapUpMinutes: minutes("An alert if an agent's wrap-up takes so many minutes"),
    noAgentReadyMinutes: minutes('An alert if no agent is ready for so many minutes while the clinic is open'),
    providerFailingMinutes: minutes('An alert if a provider or the platform fails for so many minutes'),
    webhooksSilentMinutes: minutes('An alert if no webhook of the telephony provider comes for so many minutes while the clinic is open'),
    webhook: webhook.prefault({}).describe('A web address that receives alerts'),
  })
  .describe('Alerts')

export type AlertsSection = DeepReadonly<z.output<typeof alertsSection>>
