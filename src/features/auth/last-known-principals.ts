import { LRUCache } from 'lru-cache'
import { atMost } from '../../kernel/at-most.ts'
import type { Principal } from '../../access/principal.ts'
import type { Clock } from '../../kernel/clock.ts'
import { AppError, type ErrorCode, type ErrorReason } from '../../kernel/errors.ts'
import { createSingleFlight } from '../../kernel/single-flight.ts'
import { TookTooLong, withDeadline } from '../../kernel/with-fallback.ts'

/** `askedAt`: when the last look-up of it began, in `performance.now()` time. */
type Entry = { readonly principal: Principal; readonly validUntil: number; askedAt: number }

/** Calls and sessions go on for so long without the platform. */
const validForMs = 600_000
/** For a platform that hangs. */
const patienceMs = 750

/** Whom the platform has confirmed in the last ten minutes, by a hash of the token: they go on while it is away. */
export class LastKnownPrincipals {
  private readonly clock: Clock
  private readonly entries: LRUCache<string, Entry>
  private readonly lookUps = createSingleFlight<Principal>()

  constructor(clock: Clock, maxEntries: number) {
    this.clock = clock
    this.entries = new LRUCache({ ...atMost(maxEntries), ttl: validForMs, ttlAutopurge: true })
  }

  /** `readAt`, `expiresAt` (of the token): epoch milliseconds. */
  set(
    key: string,
    { principal, readAt, expiresAt }: Pick<Entry, 'principal'> & { readonly readAt: number; readonly expiresAt: number },
  ): void {
    this.entries.set(key, { principal, validUntil: Math.min(readAt + validForMs, expiresAt), askedAt: 0 })
  }

  drop(isAffected: (principal: Principal) => boolean): void {
    for (const [key, { principal }] of this.entries.entries()) if (isAffected(principal)) this.entries.delete(key)
  }

  keepIf(key: string, isTrue: (principal: Principal) => boolean): void {
    const entry = this.entries.get(key)
    if (entry && !isTrue(entry.principal)) this.entries.delete(key)
  }

  /**
   * Settles like the look-up, or resolves to the last known principal if the platform is away, or does not answer within 750 ms. Who is refused, if only
   * later, is not known any more. Concurrent calls with the same `generation` share one look-up.
   */
  async lookUp(key: string, generation: number, step: () => Promise<Principal>): Promise<Principal> {
    const entry = this.entries.get(key)
    const asked = this.lookUps.run(`${generation}:${key}`, () => {
      if (entry) entry.askedAt = performance.now()
      return step().catch((error: unknown) => {
        if (isVerdict(error)) this.entries.delete(key)
        throw error
      })
    })
    if (!entry) return asked
    try {
      return await withDeadline(asked, Math.max(0, entry.askedAt + patienceMs - performance.now()))
    } catch (error) {
      // A change may have dropped it meanwhile.
      const isValid = this.entries.get(key) === entry && this.clock.now() < entry.validUntil
      return isValid && isAway(error) ? entry.principal : asked
    }
  }
}

const awayReasons: ReadonlySet<ErrorReason> = new Set([
  'PROVIDER_UNAVAILABLE',
  'PROVIDER_ANSWER_INVALID',
  'PROVIDER_REFUSED',
  'DEADLINE_PASSED',
])

/** The platform said nothing about the token. Its rate limit is not among these, because who holds the token can cause it. */
function isAway(error: unknown): boolean {
  return error instanceof TookTooLong || (error instanceof AppError && awayReasons.has(error.reason))
}

const verdicts: ReadonlySet<ErrorCode> = new Set(['UNAUTHENTICATED', 'FORBIDDEN', 'NOT_FOUND'])

function isVerdict(error: unknown): boolean {
  return error instanceof AppError && verdicts.has(error.code)
}
