import { LRUCache } from 'lru-cache'
import { atMost } from './at-most.ts'
import type { Clock } from './clock.ts'
import { AppError, type ErrorCode, type ErrorReason } from './errors.ts'
import { createSingleFlight } from './single-flight.ts'
import { TookTooLong, withDeadline } from './with-fallback.ts'

/** `askedAt`: when the last look-up of it began, in `performance.now()` time. */
type Entry<Value> = { readonly value: Value; readonly validUntil: number; askedAt: number }

/** For a platform that hangs; shorter once it is known to be away. */
const patienceMs = 750
const shortPatienceMs = 50

/** What the platform has said in the last `validForMs`: it counts while the platform is away. In this process only. */
export class WhileAway<Value> {
  private readonly clock: Clock
  private readonly validForMs: number
  private readonly entries: LRUCache<string, Entry<Value>>
  private readonly lookUps = createSingleFlight<Value>()
  private hasFailed = false

  constructor(clock: Clock, { maxEntries, validForMs }: { readonly maxEntries: number; readonly validForMs: number }) {
    this.clock = clock
    this.validForMs = validForMs
    this.entries = new LRUCache({ ...atMost(maxEntries), ttl: validForMs, ttlAutopurge: true })
  }

  /** `readAt`, `endsAt` (it never counts after that): epoch milliseconds. */
  set(
    key: string,
    value: Value,
    { readAt, endsAt = Number.POSITIVE_INFINITY }: { readonly readAt: number; readonly endsAt?: number },
  ): void {
    this.entries.set(key, { value, validUntil: Math.min(readAt + this.validForMs, endsAt), askedAt: 0 })
  }

  /** Also if it is older. */
  get(key: string): Value | null {
    return this.entries.get(key)?.value ?? null
  }

  delete(key: string): void {
    this.entries.delete(key)
  }

  drop(isAffected: (value: Value) => boolean): void {
    for (const [key, { value }] of this.entries.entries()) if (isAffected(value)) this.entries.delete(key)
  }

  keepIf(key: string, isTrue: (value: Value) => boolean): void {
    const entry = this.entries.get(key)
    if (entry && !isTrue(entry.value)) this.entries.delete(key)
  }

  /**
   * Settles like the look-up, or resolves to what was said last if the platform is away, or does not answer within 750 ms; within 50 ms if it has not
   * answered since the last one, of any key. What it refuses, if only later, does not count any more. Concurrent calls with the same `flight` share
   * one look-up.
   */
  async lookUp(key: string, flight: string, step: () => Promise<Value>): Promise<Value> {
    const entry = this.entries.get(key)
    const asked = this.lookUps.run(`${flight}:${key}`, () => {
      if (entry) entry.askedAt = performance.now()
      return step().then(
        (value) => {
          this.hasFailed = false
          return value
        },
        (error: unknown) => {
          this.hasFailed = isAway(error)
          if (isVerdict(error)) this.entries.delete(key)
          throw error
        },
      )
    })
    if (!entry) return asked
    const patience = this.hasFailed ? shortPatienceMs : patienceMs
    try {
      return await withDeadline(asked, Math.max(0, entry.askedAt + patience - performance.now()))
    } catch (error) {
      // That it takes longer than the short time is usual.
      if (error instanceof TookTooLong && patience === patienceMs) this.hasFailed = true
      // A change may have dropped it meanwhile.
      const isValid = this.entries.get(key) === entry && this.clock.now() < entry.validUntil
      return isValid && isAway(error) ? entry.value : asked
    }
  }
}

const awayReasons: ReadonlySet<ErrorReason> = new Set([
  'PROVIDER_UNAVAILABLE',
  'PROVIDER_ANSWER_INVALID',
  'PROVIDER_REFUSED',
  'DEADLINE_PASSED',
])

/** Whether the platform gave no verdict. Its rate limit is not among these, because who holds a token can cause it. */
function isAway(error: unknown): boolean {
  return error instanceof TookTooLong || (error instanceof AppError && awayReasons.has(error.reason))
}

const verdicts: ReadonlySet<ErrorCode> = new Set(['UNAUTHENTICATED', 'FORBIDDEN', 'NOT_FOUND'])

function isVerdict(error: unknown): boolean {
  return error instanceof AppError && verdicts.has(error.code)
}
