import { inject } from 'vitest'
import { createLog } from '../../src/kernel/log.ts'
import { connectRedis, type RedisConnection } from '../../src/providers/redis/connection.ts'

/** A connection to the run's Redis, or to the given one; each suite under a prefix of its own. */
export async function connectTestRedis({ url = inject('redis')?.url, prefix }: { url?: string; prefix: string }): Promise<RedisConnection> {
  if (url === undefined) throw new Error('There is no Redis in this run')
  return connectRedis({ url, prefix, log: createLog('silent') })
}
