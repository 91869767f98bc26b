import type { RateLimiterAbstract } from 'rate-limiter-flexible'

/** Returns a point that was consumed. If its time window has ended meanwhile, the next window gains none. */
export async function givePointBack(limiter: RateLimiterAbstract, key: string): Promise<void> {
  const left = await limiter.reward(key)
  if (left.consumedPoints < 0) await limiter.delete(key)
}
