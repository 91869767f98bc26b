import { z } from 'zod'
import type { RedisConnection } from './connection.ts'

/** `ALWAYS`: an acknowledged write is on the disk of Redis. `UNKNOWN`: Redis does not report its configuration, or is unreachable. */
export type Durability = 'ALWAYS' | 'NOT_ALWAYS' | 'UNKNOWN'

/** Whether this Redis writes each command to its append-only file before it answers (`appendonly yes`, `appendfsync always`). */
export async function durabilityOf(connection: RedisConnection): Promise<Durability> {
  try {
    const read = async (name: string): Promise<string | undefined> =>
      z.array(z.string()).parse(await connection.repeatable((redis) => redis.config('GET', name)))[1]
    const [appendOnly, flush] = [await read('appendonly'), await read('appendfsync')]
    if (appendOnly === undefined || flush === undefined) return 'UNKNOWN'
    return appendOnly === 'yes' && flush === 'always' ? 'ALWAYS' : 'NOT_ALWAYS'
  } catch {
    return 'UNKNOWN'
  }
}
