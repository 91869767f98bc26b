import type { SectionName, Sections } from '../../ports/configuration/configuration.ts'

/** One thing that was tried with a section. */
export type Check = {
  /** Stable, for example `telephony.access`. */
  readonly name: string
  readonly ok: boolean
  readonly tried: string
  readonly found: string
  /** What to do; null where nothing is to be done. */
  readonly advice: string | null
}

export type ConnectionTestScope = {
  readonly workspaceId: string
  /** The manager's own token. */
  readonly accessToken: string
  readonly signal: AbortSignal
}

/** Tries values for real, changing nothing. What fails is a check that says so; it throws only where nothing could be tried at all. */
export type ConnectionTest<Name extends SectionName> = (values: Sections[Name], scope: ConnectionTestScope) => Promise<readonly Check[]>

export type ConnectionTests = { readonly [Name in SectionName]: ConnectionTest<Name> }
