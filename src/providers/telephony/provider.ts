import type { Dispatcher } from 'undici'
import type { z } from 'zod'
import type { Telephony, TelephonyCapability } from '../../ports/telephony.ts'
import type { TelephonyWebhooks } from '../../ports/telephony-webhooks.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { CountryCode } from '../../kernel/phone.ts'
import type { Store } from '../../ports/store.ts'

/** What every telephony adapter may use. */
export type TelephonyDeps = {
  /** Shared by all instances. Holds what must exist only once per account, such as the token. */
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  /** The country of numbers that the provider writes without a country code. */
  readonly defaultCountry: CountryCode
  /** The deadline of each method. Default: `telephonyDeadlineMs`. */
  readonly deadlineMs?: number
  /** Makes the connections, for example only to addresses that admins may enter. */
  readonly dispatcher?: Dispatcher | undefined
}

/** A telephony provider: its description, and functions that create a client for one of its accounts. */
export type TelephonyProvider<Settings extends z.ZodObject = z.ZodObject> = {
  readonly id: string
  readonly title: string
  /** Secrets have `.meta({ secret: true })`. Fields that determine where the secrets are sent have `.meta({ destination: true })`. */
  readonly settings: Settings
  readonly capabilities: readonly TelephonyCapability[]
  /** Cheap, because it is called for each use. So a changed configuration takes effect at once. */
  readonly create: (settings: z.output<Settings>, deps: TelephonyDeps) => Telephony
  /** Parses the provider's webhooks. */
  readonly createCallbacks: (settings: z.output<Settings>, deps: Pick<TelephonyDeps, 'defaultCountry'>) => TelephonyWebhooks
}
