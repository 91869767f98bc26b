import { createLog } from '../../src/kernel/log.ts'
import { connectRedis, type RedisConnection } from '../../src/providers/redis/connection.ts'
import { realServer } from './real-server.ts'

/** A connection to the run's Redis, or to the given one; each suite under a prefix of its own. */
export async function connectTestRedis({ url, prefix }: { url?: string; prefix: string }): Promise<RedisConnection> {
  const address = url ?? (await realServer('redis'))?.url
  if (address === undefined) throw new Error('There is no Redis in this run')
  return connectRedis({ url: address, prefix, log: createLog('silent') })
}
