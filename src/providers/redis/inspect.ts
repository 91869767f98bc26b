import { Redis } from 'ioredis'
import { z } from 'zod'

/** What an operator must know of a Redis. A value is null if Redis does not report it (a hosted Redis may hide its configuration). */
export type RedisReport = {
  readonly version: string | null
  readonly appendOnly: string | null
  readonly appendFsync: string | null
  /** What Redis does when its memory is full. */
  readonly maxMemoryPolicy: string | null
  readonly usedBytes: number | null
  /** 0: no limit. */
  readonly maxBytes: number | null
}

const timeoutMs = 3_000
const pairSchema = z.array(z.string())

/** Reads the state of a Redis, once, without a reconnection. Rejects with the error of the connection if it does not answer. */
export async function inspectRedis(url: string): Promise<RedisReport> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  })
  const failure: { first?: Error } = {}
  redis.on('error', (error: Error) => (failure.first ??= error))
  try {
    await redis.connect()
    const info = await redis.info()
    const setting = async (name: string): Promise<string | null> => {
      const pair = await redis.config('GET', name).catch(() => null)
      return pairSchema.safeParse(pair).data?.[1] ?? null
    }
    return {
      version: lineOf(info, 'valkey_version') ?? lineOf(info, 'redis_version'),
      appendOnly: await setting('appendonly'),
      appendFsync: await setting('appendfsync'),
      maxMemoryPolicy: (await setting('maxmemory-policy')) ?? lineOf(info, 'maxmemory_policy'),
      usedBytes: numberOf(lineOf(info, 'used_memory')),
      maxBytes: numberOf(lineOf(info, 'maxmemory')),
    }
  } catch (error) {
    throw failure.first ?? error
  } finally {
    redis.disconnect()
  }
}

function lineOf(info: string, name: string): string | null {
  return new RegExp(`^${name}:(.*)$`, 'm').exec(info)?.[1]?.trim() ?? null
}

function numberOf(text: string | null): number | null {
  return text === null ? null : Number(text)
}
