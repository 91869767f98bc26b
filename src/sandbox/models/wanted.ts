import type { WireSchema } from './ask.ts'
import type { Material } from './material.ts'

/** A part of a form, and what there is to fill it with. */
export type Wanted = {
  readonly schema: WireSchema
  readonly root: WireSchema
  /** The property's name. Together with the description it defines the value. */
  readonly name: string
  readonly material: Material
  readonly now: number
  /** Values already chosen beside it, so that a reason is about the choice. */
  readonly siblings: string
}
