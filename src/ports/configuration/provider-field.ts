import { z } from 'zod'
import type { DeepReadonly } from '../../kernel/freeze.ts'

/**
 * A provider that an admin may choose. In its settings each secret is marked `.meta({ secret: true })`. Each field that decides where these
 * secrets are sent (an address, an account) is marked `.meta({ destination: true })`; the one that names the account also has `account: true`.
 */
export type ProviderChoice = {
  readonly id: string
  readonly title: string
  /** As the provider writes itself, if the title has more. */
  readonly name?: string
  readonly settings: z.ZodObject
}

const providerSettings = z.looseObject({ id: z.string() })

/** A provider's id and the settings that its own schema describes. */
export type ProviderSettings = DeepReadonly<z.output<typeof providerSettings>>

/** A choice of one provider by its `id`, or null. */
export function providerField(providers: readonly ProviderChoice[], description: string) {
  const [first, ...rest] = providers.map(({ id, name, title, settings }) =>
    settings
      .safeExtend({ id: z.literal(id).meta({ destination: true, account: true, title: 'Provider' }) })
      .strict()
      .meta({ title, ...(name !== undefined && { name }) }),
  )
  const choice: z.ZodType = first ? z.discriminatedUnion('id', [first, ...rest]) : z.never()
  return choice.pipe(providerSettings).nullable().default(null).describe(description)
}
