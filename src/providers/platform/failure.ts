/** What the platform's refusal was about, where an adapter must tell it apart. */
export type PlatformFaultKind = 'DUPLICATE' | 'LIMIT_REACHED' | 'UNKNOWN_FIELD' | 'OTHER'

export type PlatformFaultFacts = {
  readonly code: string | null
  readonly subCode: string | null
  readonly kind: PlatformFaultKind
  /** The record that stands in the way of a duplicate, where the platform names it. */
  readonly conflictingRecordId: string | null
}

/**
 * The cause of an AppError that came from an error of the platform, for adapters to look into. The platform's own words are reachable
 * by `words()` alone, so that no log prints them: they can quote what a person typed.
 */
export class PlatformFault extends Error {
  readonly facts: PlatformFaultFacts
  readonly words: () => string

  constructor(facts: PlatformFaultFacts, words: string) {
    super(`the platform answered ${facts.code ?? 'an error without a code'} / ${facts.subCode ?? '-'} (${facts.kind})`)
    this.name = 'PlatformFault'
    this.facts = facts
    this.words = () => words
  }
}

/** The platform's fault behind an error, or null where the platform did not say one. */
export function platformFaultOf(error: unknown): PlatformFault | null {
  const cause: unknown = error instanceof Error ? error.cause : null
  return cause instanceof PlatformFault ? cause : null
}
