import type { z } from 'zod'
import { AppError } from '../../kernel/errors.ts'
import type { ProviderSettings } from './provider-field.ts'

/**
 * Parses a provider's own settings. `field`: the field of the telephony section that holds them. Throws NOT_CONFIGURED, which names every
 * field that is missing or invalid.
 */
export function ownSettings<Schema extends z.ZodObject>(schema: Schema, chosen: ProviderSettings, field: string): z.output<Schema> {
  const { id: _id, ...settings } = chosen
  const parsed = schema.safeParse(settings)
  if (parsed.success) return parsed.data
  const faults = new Set(parsed.error.issues.map((issue) => [field, ...issue.path].join('.')))
  throw new AppError('NOT_CONFIGURED', { detail: `The telephony configuration is not complete: ${[...faults].join(', ')}` })
}

/** Finds the chosen provider. Throws NOT_CONFIGURED if none is chosen or the chosen one is unknown. */
export function chosenProvider<Provider extends { readonly id: string }>(
  providers: readonly Provider[],
  chosen: ProviderSettings | null,
  field: string,
): { readonly provider: Provider; readonly chosen: ProviderSettings } {
  if (chosen === null) throw new AppError('NOT_CONFIGURED', { detail: `Not configured: set "${field}" in the telephony configuration` })
  const provider = providers.find(({ id }) => id === chosen.id)
  if (provider) return { provider, chosen }
  throw new AppError('NOT_CONFIGURED', { detail: `The provider "${chosen.id}" is not known here: choose another as "${field}"` })
}
