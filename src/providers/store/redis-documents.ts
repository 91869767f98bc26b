import type { DocumentStore } from '../../ports/documents.ts'
import type { RedisConnection } from '../redis/connection.ts'

const replaceScript = `
  local present = redis.call('GET', KEYS[1])
  if ARGV[1] == 'nothing' then
    if present then return 0 end
  elseif present ~= ARGV[2] then
    return 0
  end
  redis.call('SET', KEYS[1], ARGV[3])
  return 1`

/**
 * Documents as keys of Redis, shared by all instances. An acknowledged write is as durable as Redis itself (its append-only file).
 * Notifications report changes between instances, so there is nothing to watch.
 */
export function createRedisDocuments({ connection }: { readonly connection: RedisConnection }): DocumentStore {
  const keyOf = (name: string): string => `configuration:${name}`
  return {
    read: (name) => connection.repeatable((redis) => redis.get(keyOf(name))),
    replace: async (name, { expected, text }) => {
      const args = expected === null ? ['nothing', ''] : ['text', expected]
      const replaced = await connection.once((redis) => redis.eval(replaceScript, 1, keyOf(name), ...args, text))
      return replaced === 1
    },
    locate: (name) => `the Redis key ${keyOf(name)}`,
    watch: () => ({ [Symbol.dispose]: () => undefined }),
    close: async () => undefined,
  }
}
