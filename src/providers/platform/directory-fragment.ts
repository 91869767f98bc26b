import type { PlatformFields } from '../../ports/configuration/configuration.ts'

/**
 * The one query fragment: what is read of doctors and of visit slots, by our names of the fields. Whoever reads either reads these, under
 * the names that the workspace gives them.
 */
export const directoryFragment = {
  doctor: ['name', 'speciality', 'clinic', 'languages', 'fee', 'active'],
  visitSlot: ['name', 'doctor', 'startsAt', 'endsAt', 'state', 'lead'],
} as const satisfies { readonly [Name in 'doctor' | 'visitSlot']: readonly PlatformFields[Name][] }

/** A record as the platform answered the fragment: a field that the workspace lacks is absent. */
export type FragmentRecord<Name extends keyof typeof directoryFragment> = { readonly id: string } & {
  readonly [Field in (typeof directoryFragment)[Name][number]]?: unknown
}
