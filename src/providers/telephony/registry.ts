import type { z } from 'zod'
import type { OutboundTelephony } from '../../ports/outbound-telephony.ts'
import type { TelephonyWebhooks } from '../../ports/telephony-webhooks.ts'
import type { Telephony } from '../../ports/telephony.ts'
import type { ProviderSettings } from '../../ports/configuration/provider-field.ts'
import { chosenProvider, ownSettings } from '../../ports/configuration/provider-settings.ts'
import { exotel } from './exotel/provider.ts'
import { ozonetel } from './ozonetel/provider.ts'
import type { OutboundDeps, TelephonyDeps, TelephonyProvider } from './provider.ts'

/** The field of the telephony section in which a provider is chosen: for agents, and for outbound calls. */
type ProviderField = 'provider' | 'outbound'
export type RegisteredProvider = ReturnType<typeof registerProvider>
/** Default: all providers of this list. */
type Known = { readonly telephonyProviders?: readonly RegisteredProvider[] }

/** All telephony providers, one line each. */
export const telephonyProviders: readonly RegisteredProvider[] = [registerProvider(ozonetel), registerProvider(exotel)]

/** What can be chosen in each field. */
export function choicesOf(providers: readonly RegisteredProvider[]) {
  return {
    telephony: providers.filter(({ telephonyOf }) => telephonyOf !== undefined),
    outbound: providers.filter(({ outboundOf }) => outboundOf !== undefined),
  }
}

/**
 * The client of the provider that the workspace has chosen for its agents: `chosen` is the provider's id and settings. Throws NOT_CONFIGURED
 * if no provider is chosen, or if settings are missing or invalid (the error names them).
 */
export function createTelephony(chosen: ProviderSettings | null, deps: TelephonyDeps & Known): Telephony {
  const able = knownTo(deps).flatMap(({ id, telephonyOf }) => (telephonyOf ? [{ id, telephonyOf }] : []))
  const found = chosenProvider(able, chosen, 'provider')
  return found.provider.telephonyOf(found.chosen, deps)
}

/** The client of the provider that the workspace has chosen for outbound calls. Throws like `createTelephony`. */
export function createOutboundTelephony(chosen: ProviderSettings | null, deps: OutboundDeps & Known): OutboundTelephony {
  const able = knownTo(deps).flatMap(({ id, outboundOf }) => (outboundOf ? [{ id, outboundOf }] : []))
  const found = chosenProvider(able, chosen, 'outbound')
  return found.provider.outboundOf(found.chosen, deps)
}

/** The webhook parser of the provider that is chosen in this field. Throws like `createTelephony`. */
export function createTelephonyWebhooks(
  chosen: ProviderSettings | null,
  deps: Pick<OutboundDeps, 'defaultCountry' | 'dispositions'> & Known,
  field: ProviderField = 'provider',
): TelephonyWebhooks {
  const found = chosenProvider(knownTo(deps), chosen, field)
  return found.provider.webhooksOf(found.chosen, deps, field)
}

function knownTo({ telephonyProviders: known = telephonyProviders }: Known): readonly RegisteredProvider[] {
  return known
}

/** Wraps a provider so that its settings are validated before use. So all providers have the same type. */
export function registerProvider<Settings extends z.ZodObject>(provider: TelephonyProvider<Settings>) {
  const { settings, createTelephony: telephony, createOutbound: outbound, createWebhooks: webhooks, ...description } = provider
  const own = (chosen: ProviderSettings, field: ProviderField) => ownSettings(settings, chosen, field)
  return {
    ...description,
    settings,
    telephonyOf: telephony && ((chosen: ProviderSettings, deps: TelephonyDeps) => telephony(own(chosen, 'provider'), deps)),
    outboundOf: outbound && ((chosen: ProviderSettings, deps: OutboundDeps) => outbound(own(chosen, 'outbound'), deps)),
    webhooksOf: (chosen: ProviderSettings, deps: Pick<OutboundDeps, 'defaultCountry' | 'dispositions'>, field: ProviderField) =>
      webhooks(own(chosen, field), deps),
  }
}
