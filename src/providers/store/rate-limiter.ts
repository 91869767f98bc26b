import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import RateLimiterStoreAbstract from 'rate-limiter-flexible/lib/RateLimiterStoreAbstract.js'
import type { WithFallback } from '../../kernel/with-fallback.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Store } from '../../ports/store.ts'
import type { Declaration } from '../../ports/stored/declaration.ts'

/** `name` is unique per limiter. A key has `points` per window of `seconds`; the window starts with the first point. */
export type LimitRule = { readonly name: string; readonly points: number; readonly seconds: number }

export type LimiterParts = { readonly store: Store; readonly clock: Clock; readonly withFallback: WithFallback }

/** What the library counts in the store, under its own keys. */
export const limits: Declaration<string> = {
  name: 'limits',
  scope: 'installation',
  key: (limited) => [limited],
  lifetime: 86_400_000,
  about: 'nothing',
  what: 'counters of rate limits: addresses, hashes of numbers and accounts',
}

/** Creates a limiter of `rate-limiter-flexible` that counts in the store, or only in this process while the store is unavailable. */
export function createLimiters(parts: LimiterParts): (rule: LimitRule) => RateLimiterAbstract {
  return ({ name, points, seconds }) => {
    const common = { keyPrefix: `${limits.name}:${name}`, points, duration: seconds }
    const insuranceLimiter = new RateLimiterMemory(common)
    return new StoreLimiter({ ...common, storeClient: parts.store, insuranceLimiter }, parts)
  }
}

type Counted = { readonly points: number; readonly msLeft: number }
type Options = ConstructorParameters<typeof RateLimiterStoreAbstract>[0]

class StoreLimiter extends RateLimiterStoreAbstract {
  readonly #parts: LimiterParts

  constructor(options: Options, parts: LimiterParts) {
    super(options)
    this.#parts = parts
  }

  // oxlint-disable-next-line max-params -- the library's signature
  protected override async _upsert(key: string, points: number, ttlMs: number, forceExpire: boolean): Promise<Counted> {
    const { store } = this.#parts
    return this.#orInsurance(async () => {
      if (!forceExpire) return { points: await store.increment(key, points, { ttlMs }), msLeft: ttlMs }
      await store.set(key, String(points), { ttlMs })
      return { points, msLeft: ttlMs }
    })
  }

  protected override async _get(key: string): Promise<Counted | null> {
    const { store, clock } = this.#parts
    const entry = await this.#orInsurance(() => store.entry(key))
    return entry && { points: Number(entry.value), msLeft: (entry.expiresAt ?? Number.POSITIVE_INFINITY) - clock.now() }
  }

  protected override _delete(key: string): Promise<boolean> {
    return this.#orInsurance(() => this.#parts.store.delete(key))
  }

  // oxlint-disable-next-line max-params -- the library's signature
  protected override _getRateLimiterRes(_key: string, changedPoints: number, counted: Counted): RateLimiterRes {
    const remaining = Math.max(this.points - counted.points, 0)
    return new RateLimiterRes(remaining, counted.msLeft, counted.points, counted.points === changedPoints)
  }

  /** If this throws, the library continues with the limiter of this process. */
  async #orInsurance<T>(step: () => Promise<T>): Promise<T> {
    const done = await this.#parts.withFallback(async () => ({ value: await step() }), null)
    if (!done) throw new Error('the store does not answer')
    return done.value
  }
}
