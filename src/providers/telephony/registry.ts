import type { Telephony } from '../../calls/telephony.ts'
import type { ProviderSettings } from '../../configuration/configuration.ts'
import { AppError } from '../../kernel/errors.ts'
import { ozonetel } from './ozonetel/provider.ts'
import type { TelephonyDeps, TelephonyProvider } from './provider.ts'

/** Every telephony provider: one line each. */
export const telephonyProviders = [ozonetel] as const satisfies readonly TelephonyProvider[]

/**
 * Telephony as a workspace has configured it: `chosen` is the provider's id and settings. Throws NOT_CONFIGURED where none is chosen,
 * or where the settings lack something (named).
 */
export function createTelephony(chosen: ProviderSettings | null, deps: TelephonyDeps): Telephony {
  if (chosen === null) {
    throw new AppError('NOT_CONFIGURED', { detail: 'Telephony is not configured: set "provider" in the telephony configuration' })
  }
  const { id, ...settings } = chosen
  const provider = telephonyProviders.find((known) => known.id === id)
  if (!provider) throw new AppError('NOT_CONFIGURED', { detail: `The telephony provider "${id}" is not known here` })
  const parsed = provider.settings.safeParse(settings)
  if (parsed.success) return provider.create(parsed.data, deps)
  const faults = parsed.error.issues.map((issue) => `provider.${issue.path.join('.')}`)
  throw new AppError('NOT_CONFIGURED', { detail: `The telephony configuration is not complete: ${[...new Set(faults)].join(', ')}` })
}
