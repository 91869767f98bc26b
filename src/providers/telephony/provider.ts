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
  /** Shared by all instances: holds what one account may have only one of. */
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  /** Of numbers that the provider writes without a country code. */
  readonly defaultCountry: CountryCode
  /** Of each method; `telephonyDeadlineMs` where left out. */
  readonly deadlineMs?: number
  /** Makes the connections, for instance only to addresses that admins may name. */
  readonly dispatcher?: Dispatcher | undefined
}

/** A telephony provider: data about it, and how to speak to one of its accounts. */
export type TelephonyProvider<Settings extends z.ZodObject = z.ZodObject> = {
  readonly id: string
  readonly title: string
  /** Secrets are marked `.meta({ secret: true })`, what decides where they are sent `.meta({ destination: true })`. */
  readonly settings: Settings
  readonly capabilities: readonly TelephonyCapability[]
  /** Costs next to nothing: made anew for each use, so that a changed configuration counts at once. */
  readonly create: (settings: z.output<Settings>, deps: TelephonyDeps) => Telephony
  /** Reads what the provider sends by itself. */
  readonly createCallbacks: (settings: z.output<Settings>, deps: Pick<TelephonyDeps, 'defaultCountry'>) => TelephonyWebhooks
}
