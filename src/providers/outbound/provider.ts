import type { Dispatcher } from 'undici'
import type { z } from 'zod'
import type { OutboundTelephony } from '../../ports/outbound-telephony.ts'
import type { TelephonyWebhooks } from '../../ports/telephony-webhooks.ts'
import type { CountryCode } from '../../kernel/phone.ts'

export type OutboundDeps = {
  /** For dialling, and for the first byte of a recording; `outboundDeadlineMs` where left out. */
  readonly deadlineMs?: number
  /** Makes the connections, for instance only to addresses that admins may name. */
  readonly dispatcher?: Dispatcher | undefined
}

/** A provider of outbound calls: data about it, and how to speak to one of its accounts. */
export type OutboundProvider<Settings extends z.ZodObject = z.ZodObject> = {
  readonly id: string
  readonly title: string
  /** Secrets are marked `.meta({ secret: true })`, what decides where they are sent `.meta({ destination: true })`. */
  readonly settings: Settings
  /** Costs next to nothing: made anew for each use, so that a changed configuration counts at once. */
  readonly create: (settings: z.output<Settings>, deps: OutboundDeps) => OutboundTelephony
  /** Reads what the provider sends by itself; numbers without a country code are of `defaultCountry`. */
  readonly createCallbacks: (settings: z.output<Settings>, deps: { readonly defaultCountry: CountryCode }) => TelephonyWebhooks
}
