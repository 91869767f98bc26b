import type { z } from 'zod'
import type { TelephonyWebhooks } from '../../ports/telephony-webhooks.ts'
import type { Telephony } from '../../ports/telephony.ts'
import type { ProviderSettings } from '../../ports/configuration/provider-field.ts'
import { chosenProvider, ownSettings } from '../../ports/configuration/provider-settings.ts'
import { ozonetel } from './ozonetel/provider.ts'
import type { TelephonyDeps, TelephonyProvider } from './provider.ts'

/** Every telephony provider: one line each. */
export const telephonyProviders = [registered(ozonetel)] as const

const field = 'provider'

/**
 * Telephony as a workspace has configured it: `chosen` is the provider's id and settings. Throws NOT_CONFIGURED where none is chosen,
 * or where the settings lack something (named).
 */
export function createTelephony(chosen: ProviderSettings | null, deps: TelephonyDeps): Telephony {
  const found = chosenProvider(telephonyProviders, chosen, field)
  return found.provider.telephonyOf(found.chosen, deps)
}

/** What reads the callbacks of the workspace's provider; throws as `createTelephony`. */
export function createTelephonyWebhooks(chosen: ProviderSettings | null, deps: Pick<TelephonyDeps, 'defaultCountry'>): TelephonyWebhooks {
  const found = chosenProvider(telephonyProviders, chosen, field)
  return found.provider.webhooksOf(found.chosen, deps)
}

/** A provider whose settings are checked before it is used: from here on all are of one type. */
function registered<Settings extends z.ZodObject>({
  id,
  title,
  settings,
  capabilities,
  create,
  createCallbacks,
}: TelephonyProvider<Settings>) {
  return {
    id,
    title,
    settings,
    capabilities,
    telephonyOf: (chosen: ProviderSettings, deps: TelephonyDeps) => create(ownSettings(settings, chosen, field), deps),
    webhooksOf: (chosen: ProviderSettings, deps: Pick<TelephonyDeps, 'defaultCountry'>) =>
      createCallbacks(ownSettings(settings, chosen, field), deps),
  }
}
