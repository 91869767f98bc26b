import type { Redis } from 'ioredis'
import { z } from 'zod'

/** Seconds since 1970 and the microseconds of the present one, each as text. */
const timeReply = z.tuple([z.coerce.number(), z.coerce.number()])

/**
 * Redis' own clock as seen from here, so that a command can carry the moment after which Redis must no longer run it: what was sent
 * to a Redis that hung is otherwise run when it wakes, long after its caller was told that it failed.
 */
export type ServerTime = {
  /** A moment of `performance.now()` in Redis' milliseconds since 1970; asks Redis the first time. */
  of(redis: Redis, moment: number): Promise<number>
  /** The next use asks anew: for when Redis' clock was set. */
  forget(): void
}

export function createServerTime(): ServerTime {
  let offset: number | undefined
  const measure = async (redis: Redis): Promise<number> => {
    const [seconds, microseconds] = timeReply.parse(await redis.time())
    return (offset = seconds * 1_000 + microseconds / 1_000 - performance.now())
  }
  return {
    of: async (redis, moment) => moment + (offset ?? (await measure(redis))),
    forget: () => void (offset = undefined),
  }
}
