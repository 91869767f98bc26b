import type { Redis } from 'ioredis'
import { z } from 'zod'

/** Seconds since 1970 and the microseconds within the second, each as text. */
const timeReply = z.tuple([z.coerce.number(), z.coerce.number()])

/**
 * The clock of Redis, so that a command can carry the time after which Redis must not run it any more. Without it, a Redis that hung runs
 * the commands it received when it continues, long after they were reported as failed.
 */
export type ServerTime = {
  /** Converts a time of `performance.now()` to milliseconds since 1970 on the clock of Redis; asks Redis the first time. */
  of(redis: Redis, moment: number): Promise<number>
  /** The next use asks Redis again, in case its clock was set. */
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
