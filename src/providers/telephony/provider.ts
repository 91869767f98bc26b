import type { Dispatcher } from 'undici'
import type { z } from 'zod'
import type { OutboundTelephony } from '../../ports/outbound-telephony.ts'
import type { Telephony } from '../../ports/telephony.ts'
import type { TelephonyWebhooks } from '../../ports/telephony-webhooks.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { CountryCode } from '../../kernel/phone.ts'
import type { Store } from '../../ports/store.ts'

/** What an adapter for outbound calls may use. */
export type OutboundDeps = {
  /** The country of numbers that the provider writes without a country code. */
  readonly defaultCountry: CountryCode
  /** The outcome codes that the workspace lists: a person chose one that a report has, whatever it looks like. */
  readonly dispositions?: readonly string[] | undefined
  /** The deadline of each method; of a recording, of its first byte. Default: `telephonyDeadlineMs`, `outboundDeadlineMs`. */
  readonly deadlineMs?: number
  /** Makes the connections, for example only to addresses that admins may enter. */
  readonly dispatcher?: Dispatcher | undefined
}

/** What an adapter for agents may use. */
export type TelephonyDeps = OutboundDeps & {
  /** Shared by all instances. Holds what must exist only once per account, such as the token. */
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
}

/** A telephony provider: its description, and functions that create a client for one of its accounts. It has one of the two kinds, or both. */
export type TelephonyProvider<Settings extends z.ZodObject = z.ZodObject> = {
  readonly id: string
  /** What an admin chooses: the provider, or its product. */
  readonly title: string
  /** As the provider writes itself, if the title has more. */
  readonly name?: string
  /** Secrets have `.meta({ secret: true })`. Fields that determine where the secrets are sent have `.meta({ destination: true })`. */
  readonly settings: Settings
  /** Agents sign in there, and calls come from there. Cheap, because it is called for each use. So a changed configuration takes effect at once. */
  readonly createTelephony?: (settings: z.output<Settings>, deps: TelephonyDeps) => Telephony
  /** It calls customers for agents who do not sign in there. Cheap, as well. */
  readonly createOutbound?: (settings: z.output<Settings>, deps: OutboundDeps) => OutboundTelephony
  /** Parses the provider's webhooks. */
  readonly createWebhooks: (settings: z.output<Settings>, deps: Pick<OutboundDeps, 'defaultCountry' | 'dispositions'>) => TelephonyWebhooks
}
