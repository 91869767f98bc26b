import { z } from 'zod'

/**
 * A provider as an admin may choose it. In its settings a secret is marked `.meta({ secret: true })`, and whatever decides where the
 * secrets beside it are sent (an address, an account) `.meta({ destination: true })`.
 */
export type ProviderChoice = { readonly id: string; readonly title: string; readonly settings: z.ZodObject }

/** A choice among providers, told apart by `id`, or null. */
export function providerField(providers: readonly ProviderChoice[], description: string) {
  const [first, ...rest] = providers.map(({ id, title, settings }) =>
    settings
      .safeExtend({ id: z.literal(id).meta({ destination: true, title: 'Provider' }) })
      .strict()
      .meta({ title }),
  )
  const choice: z.ZodType = first ? z.discriminatedUnion('id', [first, ...rest]) : z.never()
  return choice
    .pipe(z.looseObject({ id: z.string() }))
    .nullable()
    .default(null)
    .describe(description)
}
