import type { z } from 'zod'
import { AppError } from '../../kernel/errors.ts'
import type { ProviderSettings } from './configuration.ts'

/**
 * A provider's own settings out of the telephony section; `field` is where they stand there. Throws NOT_CONFIGURED that names what is
 * missing or wrong.
 */
export function ownSettings<Schema extends z.ZodObject>(schema: Schema, chosen: ProviderSettings, field: string): z.output<Schema> {
  const { id: _id, ...settings } = chosen
  const parsed = schema.safeParse(settings)
  if (parsed.success) return parsed.data
  const faults = new Set(parsed.error.issues.map((issue) => [field, ...issue.path].join('.')))
  throw new AppError('NOT_CONFIGURED', { detail: `The telephony configuration is not complete: ${[...faults].join(', ')}` })
}

/** The provider that is chosen among the known ones. Throws NOT_CONFIGURED where none is. */
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
