/** The library's base class for limiters on a store. The library has types for it, but exports it only from this file. */
declare module 'rate-limiter-flexible/lib/RateLimiterStoreAbstract.js' {
  import type { IRateLimiterStoreOptions, RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible'

  class RateLimiterStoreAbstract extends RateLimiterAbstract {
    constructor(options: IRateLimiterStoreOptions)
    // oxlint-disable-next-line max-params -- the library's signature
    protected _upsert(key: string, points: number, msDuration: number, forceExpire: boolean): Promise<unknown>
    protected _get(key: string): Promise<unknown>
    protected _delete(key: string): Promise<boolean>
    protected _getRateLimiterRes(key: string, changedPoints: number, storeResult: unknown): RateLimiterRes
  }
  export default RateLimiterStoreAbstract
}
