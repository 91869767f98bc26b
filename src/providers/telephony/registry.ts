import type { z } from 'zod'
import type { TelephonyWebhooks } from '../../ports/telephony-webhooks.ts'
import type { Telephony } from '../../ports/telephony.ts'
import type { ProviderSettings } from '../../ports/configuration/provider-field.ts'
import { chosenProvider, ownSettings } from '../../ports/configuration/provider-settings.ts'
import { ozonetel } from './ozonetel/provider.ts'
import type { TelephonyDeps, TelephonyProvider } from './provider.ts'

/** All telephony providers, one line each. */
export const telephonyProviders = [registered(ozonetel)] as const

const field = 'provider'

/**
 * The client of the workspace's configured provider: `chosen` is the provider's id and settings. Throws NOT_CONFIGURED if no provider
 * is chosen, or if settings are missing or invalid (the error names them).
 */
export function createTelephony(chosen: ProviderSettings | null, deps: TelephonyDeps): Telephony {
  const found = chosenProvider(telephonyProviders, chosen, field)
  return found.provider.telephonyOf(found.chosen, deps)
}

/** The webhook parser of the workspace's provider. Throws like `createTelephony`. */
export function createTelephonyWebhooks(chosen: ProviderSettings | null, deps: Pick<TelephonyDeps, 'defaultCountry'>): TelephonyWebhooks {
  const found = chosenProvider(telephonyProviders, chosen, field)
  return found.provider.webhooksOf(found.chosen, deps)
}

/** Wraps a provider so that its settings are validated before use. So all providers have the same type. */
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
