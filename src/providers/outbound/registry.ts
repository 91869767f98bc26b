import type { OutboundTelephony } from '../../calls/outbound-telephony.ts'
import type { ProviderSettings } from '../../configuration/configuration.ts'
import { AppError } from '../../kernel/errors.ts'
import { exotel } from './exotel/provider.ts'
import type { OutboundDeps, OutboundProvider } from './provider.ts'

/** Every provider of outbound calls: one line each. */
export const outboundProviders = [exotel] as const satisfies readonly OutboundProvider[]

/**
 * Outbound calls as a workspace has configured them: `chosen` is the provider's id and settings. Throws NOT_CONFIGURED where none is
 * chosen, or where the settings lack something (named).
 */
export function createOutboundTelephony(chosen: ProviderSettings | null, deps: OutboundDeps = {}): OutboundTelephony {
  if (chosen === null) {
    throw new AppError('NOT_CONFIGURED', { detail: 'Outbound calls are not configured: set "outbound" in the telephony configuration' })
  }
  const { id, ...settings } = chosen
  const provider = outboundProviders.find((known) => known.id === id)
  if (!provider) throw new AppError('NOT_CONFIGURED', { detail: `The outbound provider "${id}" is not known here` })
  const parsed = provider.settings.safeParse(settings)
  if (parsed.success) return provider.create(parsed.data, deps)
  const faults = parsed.error.issues.map((issue) => `outbound.${issue.path.join('.')}`)
  throw new AppError('NOT_CONFIGURED', { detail: `The telephony configuration is not complete: ${[...new Set(faults)].join(', ')}` })
}
