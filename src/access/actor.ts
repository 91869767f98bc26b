import type { Principal } from './principal.ts'

/** Who asks for a section or changes it, and from where. */
export type Asker = { readonly principal: Principal; readonly clientAddress: string }
