import type { DocumentStore } from '../../ports/documents.ts'
import type { RedisConnection } from '../redis/connection.ts'

const replaceScript = `
  local standing = redis.call('GET', KEYS[1])
  if ARGV[1] == 'nothing' then
    if standing then return 0 end
  elseif standing ~= ARGV[2] then
    return 0
  end
  redis.call('SET', KEYS[1], ARGV[3])
  return 1`

/**
 * Documents as keys of Redis, shared by all instances. What is acknowledged lasts as long as Redis itself keeps what it acknowledged
 * (its append-only file). Update of changes between instances is the business of notices: there is nothing to watch.
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
