import type { Dispatcher } from 'undici'
import type { Ports } from '../ports/ports.ts'
import type { GuardedPorts } from './guarded-ports.ts'
import { countingTokens } from './models/count-tokens.ts'
import { createModelHabits } from './models/habits.ts'
import { addressOfModel, createLanguageModel } from './models/language-model.ts'
import type { ModelEndpoints } from './models/vendors.ts'
import { createOutboundTelephony, createTelephony, createTelephonyWebhooks, type RegisteredProvider } from './telephony/registry.ts'

type ChosenProviderOptions = Pick<Ports, 'configuration' | 'figures' | 'store' | 'clock' | 'log'> & {
  readonly guarded: GuardedPorts
  /** Connects only to addresses that admins may name. */
  readonly dispatcher: Dispatcher
  readonly models: ModelEndpoints
  readonly telephonyProviders: readonly RegisteredProvider[]
}

type ChosenProviders = Pick<Ports, 'telephonyOf' | 'outboundTelephonyOf' | 'telephonyWebhooksOf' | 'languageModelOf'>

/** The providers that each workspace has chosen, read from its configuration at each use. */
export function chosenProviders({ configuration, guarded, dispatcher, models, ...ports }: ChosenProviderOptions): ChosenProviders {
  const habits = createModelHabits()
  return {
    async telephonyOf(workspaceId) {
      const { provider, defaultCountry, dispositions } = await configuration.read(workspaceId, 'telephony')
      return guarded.telephony(createTelephony(provider, { ...ports, defaultCountry, dispositions, dispatcher }), { workspaceId, provider })
    },
    async outboundTelephonyOf(workspaceId) {
      const { outbound, defaultCountry } = await configuration.read(workspaceId, 'telephony')
      return (
        outbound &&
        guarded.outbound(createOutboundTelephony(outbound, { ...ports, defaultCountry, dispatcher }), { workspaceId, provider: outbound })
      )
    },
    async telephonyWebhooksOf({ workspaceId, provider: id }) {
      const { provider, outbound, defaultCountry, dispositions } = await configuration.read(workspaceId, 'telephony')
      if (outbound?.id === id) return createTelephonyWebhooks(outbound, { ...ports, defaultCountry }, 'outbound')
      return createTelephonyWebhooks(provider?.id === id ? provider : null, { ...ports, defaultCountry, dispositions })
    },
    async languageModelOf(workspaceId) {
      const choice = await configuration.read(workspaceId, 'ai')
      const model = countingTokens(createLanguageModel(choice, models, habits), choice.provider, ports.figures)
      return guarded.languageModel(model, { ...choice, url: addressOfModel(choice, models) })
    },
  }
}
