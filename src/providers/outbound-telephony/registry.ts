import type { z } from 'zod'
import type { OutboundTelephony } from '../../ports/outbound-telephony.ts'
import type { TelephonyWebhooks } from '../../ports/telephony-webhooks.ts'
import type { ProviderSettings } from '../../ports/configuration/provider-field.ts'
import { chosenProvider, ownSettings } from '../../ports/configuration/provider-settings.ts'
import { exotel } from './exotel/provider.ts'
import type { OutboundDeps, OutboundProvider } from './provider.ts'

/** All providers of outbound calls, one line each. */
export const outboundProviders = [registered(exotel)] as const

const field = 'outbound'

/**
 * The client of the workspace's configured provider: `chosen` is the provider's id and settings. Throws NOT_CONFIGURED if no provider
 * is chosen, or if settings are missing or invalid (the error names them).
 */
export function createOutboundTelephony(chosen: ProviderSettings | null, deps: OutboundDeps): OutboundTelephony {
  const found = chosenProvider(outboundProviders, chosen, field)
  return found.provider.outboundOf(found.chosen, deps)
}

/** The webhook parser of the workspace's provider. Throws like `createOutboundTelephony`. */
export function createOutboundWebhooks(chosen: ProviderSettings | null, deps: Pick<OutboundDeps, 'defaultCountry'>): TelephonyWebhooks {
  const found = chosenProvider(outboundProviders, chosen, field)
  return found.provider.webhooksOf(found.chosen, deps)
}

/** Wraps a provider so that its settings are validated before use. So all providers have the same type. */
function registered<Settings extends z.ZodObject>({ id, title, settings, create, createCallbacks }: OutboundProvider<Settings>) {
  return {
    id,
    title,
    settings,
    outboundOf: (chosen: ProviderSettings, deps: OutboundDeps) => create(ownSettings(settings, chosen, field), deps),
    webhooksOf: (chosen: ProviderSettings, deps: Pick<OutboundDeps, 'defaultCountry'>) =>
      createCallbacks(ownSettings(settings, chosen, field), deps),
  }
}
