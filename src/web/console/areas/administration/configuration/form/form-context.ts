import { createContext, useContext } from 'react'
import type { FieldNames } from './field-names.ts'
import type { Path, Values } from './values.ts'

/** What the controls of a form share. */
export type FormState = {
  readonly slug: string
  readonly names: FieldNames
  /** As it is stored. */
  readonly base: Values
  /** As the person has changed it. */
  readonly draft: Values
  /** Fingerprints of the secrets that are set, by dotted path. */
  readonly fingerprints: Values
  readonly set: (path: Path, value: unknown) => void
  /** The person has left the field: from now on it shows what is wrong with it. */
  readonly touch: (path: Path) => void
  readonly errorAt: (path: Path) => string | null
}

const context = createContext<FormState | null>(null)
export const FormProvider = context.Provider

export function useForm(): FormState {
  const form = useContext(context)
  if (!form) throw new Error('This control belongs in a form')
  return form
}
