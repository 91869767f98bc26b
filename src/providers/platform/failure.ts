import { Refusal } from '../../kernel/refusal.ts'

/** The kinds of platform errors that adapters tell apart. */
export type PlatformErrorKind = 'DUPLICATE' | 'LIMIT_REACHED' | 'UNKNOWN_ARGUMENT' | 'UNKNOWN_FIELD' | 'VANISHED_RELATION' | 'OTHER'

export type PlatformErrorFacts = {
  readonly code: string | null
  readonly subCode: string | null
  readonly kind: PlatformErrorKind
  /** The existing record that a duplicate collides with, if the platform names it. */
  readonly conflictingRecordId: string | null
}

/**
 * The cause of an AppError that came from an error of the platform, for adapters to inspect. The platform's own message is behind a
 * function, so that no log prints it: it can quote what a person typed.
 */
export class PlatformError extends Refusal {
  readonly facts: PlatformErrorFacts
  readonly platformMessage: () => string

  constructor(facts: PlatformErrorFacts, message: string) {
    super({ provider: 'platform', code: facts.code, subCode: facts.subCode })
    this.name = 'PlatformError'
    this.facts = facts
    this.platformMessage = () => message
  }
}

/** The platform's error behind an error, or null if the platform did not answer with one. */
export function platformErrorOf(error: unknown): PlatformError | null {
  const cause: unknown = error instanceof Error ? error.cause : null
  return cause instanceof PlatformError ? cause : null
}

/** Whether the role of the token may not read or write this. */
export function isPermissionDenied(error: unknown): boolean {
  return platformErrorOf(error)?.facts.subCode === 'PERMISSION_DENIED'
}
