import type { Dispatcher } from 'undici'
import type { z } from 'zod'
import type { OutboundTelephony } from '../../ports/outbound-telephony.ts'
import type { TelephonyWebhooks } from '../../ports/telephony-webhooks.ts'
import type { CountryCode } from '../../kernel/phone.ts'

export type OutboundDeps = {
  /** Numbers without a country code belong to it. */
  readonly defaultCountry: CountryCode
  /** The time limit for dialling, and for the first byte of a recording. Default: `outboundDeadlineMs`. */
  readonly deadlineMs?: number
  /** Makes the connections, for example only to addresses that admins may enter. */
  readonly dispatcher?: Dispatcher | undefined
}

/** A provider of outbound calls: its description, and functions that create a client for one of its accounts. */
export type OutboundProvider<Settings extends z.ZodObject = z.ZodObject> = {
  readonly id: string
  readonly title: string
  /** Secrets have `.meta({ secret: true })`. Fields that determine where the secrets are sent have `.meta({ destination: true })`. */
  readonly settings: Settings
  /** Cheap, because it is called for each use. So a changed configuration takes effect at once. */
  readonly create: (settings: z.output<Settings>, deps: OutboundDeps) => OutboundTelephony
  /** Parses the provider's webhooks. */
  readonly createCallbacks: (settings: z.output<Settings>, deps: Pick<OutboundDeps, 'defaultCountry'>) => TelephonyWebhooks
}
