import { z } from 'zod'
import type { Clock } from '../../kernel/clock.ts'
import type { SortedEntry, SortedMember, SortedRange, Store } from '../../ports/store.ts'
import { type RedisConnection, redisDeadlineMs } from '../redis/connection.ts'
import { createServerTime } from '../redis/server-time.ts'
import { lifetimeOf, type RetentionOf } from './lifetime.ts'

const tooLate = -1
/** Keys that Redis reads at once, in about a millisecond. */
const scanned = 1_000

/** Adds to the list in `key`. Values from the `first`: member, score, the score up to which members have expired. The list ends with its last member. */
const adding = (key: string, first: number): string => `
    redis.call('ZADD', ${key}, ARGV[${first + 1}], ARGV[${first}])
    ${ending(key, first)}`

const ending = (key: string, first: number): string => `
    redis.call('ZREMRANGEBYSCORE', ${key}, '-inf', ARGV[${first + 2}])
    local last = redis.call('ZRANGE', ${key}, -1, -1, 'WITHSCORES')[2]
    if last then redis.call('PEXPIRE', ${key}, math.max(1, math.ceil(last - ARGV[${first + 2}]))) end`

/** Ends a script if the first key has another version than the first argument says, or none. */
const onlyThisVersion = `
    local present = redis.call('GET', KEYS[1])
    if not present or redis.sha1hex(present) ~= ARGV[1] then return 0 end`

const scripts = {
  setIfAbsent: `
    local time = redis.call('TIME')
    if time[1] * 1000 + time[2] / 1000 > tonumber(ARGV[3]) then return ${tooLate} end
    return redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2], 'NX') and 1 or 0`,
  compareAndSet: `
    ${onlyThisVersion}
    if KEYS[2] then ${adding('KEYS[2]', 4)} end
    redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
    return 1`,
  compareAndDelete: `
    ${onlyThisVersion}
    return redis.call('DEL', KEYS[1])`,
  entry: `
    local value = redis.call('GET', KEYS[1])
    return value and { value, redis.call('PTTL', KEYS[1]) }`,
  increment: `
    local value = redis.call('INCRBY', KEYS[1], ARGV[1])
    if redis.call('PTTL', KEYS[1]) < 0 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
    return value`,
  sortedAdd: adding('KEYS[1]', 1),
  sortedAddLowest: `
    redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[3])
    local present = redis.call('ZSCORE', KEYS[1], ARGV[1])
    if present and tonumber(present) <= tonumber(ARGV[2]) then return redis.call('ZINCRBY', KEYS[1], '-0.001', ARGV[1]) end
    ${adding('KEYS[1]', 1)}`,
  sortedMove: `
    local present = redis.call('ZSCORE', KEYS[1], ARGV[1])
    if not present or tonumber(present) ~= tonumber(ARGV[4]) then return 0 end
    if ARGV[2] == '' then redis.call('ZREM', KEYS[1], ARGV[1]) else
    ${adding('KEYS[1]', 1)} end
    return 1`,
}

/**
 * The store that several instances share. Entries expire by the clock of Redis; `clock` only converts a remaining lifetime to a time.
 * Closing the store does not close the connection, because others use it too.
 */
export function createRedisStore({
  connection,
  clock,
  retentionOf,
}: {
  readonly connection: RedisConnection
  readonly clock: Clock
  readonly retentionOf: RetentionOf
}): Store {
  const serverTime = createServerTime()
  const lifetime = (key: string, ttlMs?: number): number => lifetimeOf(retentionOf, key, ttlMs)
  /** Members with this score or a lower one have expired. */
  const expired = (list: string): number => clock.now() - lifetime(list)
  const addedValues = (add: SortedEntry | null) => (add ? [add.member, add.score, expired(add.list)] : [])
  const run = (script: keyof typeof scripts, keys: readonly string[], values: readonly (string | number)[]): Promise<unknown> =>
    connection.once((redis) => redis.eval(scripts[script], keys.length, ...keys, ...values))

  return {
    get: (key) => connection.repeatable((redis) => redis.get(key)),
    getMany: async (keys) => (keys.length === 0 ? [] : connection.repeatable((redis) => redis.mget(...keys))),
    entry: async (key) => entryOf(await connection.repeatable((redis) => redis.eval(scripts.entry, 1, key)), clock),
    set: async (key, value, { ttlMs } = {}) => {
      const ms = lifetime(key, ttlMs)
      await connection.repeatable((redis) => redis.set(key, value, 'PX', ms))
    },
    setIfAbsent: async (key, value, { ttlMs }) => {
      const ms = lifetime(key, ttlMs)
      const notAfter = performance.now() + redisDeadlineMs
      return connection.once(async (redis) => {
        const attempt = async (): Promise<unknown> =>
          redis.eval(scripts.setIfAbsent, 1, key, value, ms, await serverTime.of(redis, notAfter))
        let answer = await attempt()
        if (answer === tooLate) {
          serverTime.forget()
          answer = await attempt()
        }
        if (answer === tooLate) throw new Error('Redis ran the command too late')
        return answer === 1
      })
    },
    compareAndSet: async (key, { version, value, ttlMs, add = null }) =>
      (await run('compareAndSet', add ? [key, add.list] : [key], [version, value, lifetime(key, ttlMs), ...addedValues(add)])) === 1,
    compareAndDelete: async (key, version) => (await run('compareAndDelete', [key], [version])) === 1,
    delete: async (key) => (await connection.once((redis) => redis.del(key))) === 1,
    increment: async (key, by, { ttlMs }) => Number(await run('increment', [key], [by, lifetime(key, ttlMs)])),
    ...sortedLists(connection, { run, addedValues, expired }),
    keys: async (family, after) => {
      const prefix = connection.channel('')
      const match = `${prefix.replaceAll(/[*?[\]\\]/g, String.raw`\$&`)}${family}:*`
      const [next, found] = await connection.repeatable((redis) => redis.scan(after ?? '0', 'MATCH', match, 'COUNT', scanned))
      return { keys: found.map((key) => key.slice(prefix.length)), next: next === '0' ? null : next }
    },
    close: async () => undefined,
  }
}

type SortedSteps = {
  readonly run: (script: keyof typeof scripts, keys: readonly string[], values: readonly (string | number)[]) => Promise<unknown>
  readonly addedValues: (add: SortedEntry | null) => readonly (string | number)[]
  readonly expired: (list: string) => number
}

function sortedLists(
  connection: RedisConnection,
  { run, addedValues, expired }: SortedSteps,
): Pick<Store, Extract<keyof Store, `sorted${string}`>> {
  return {
    sortedAdd: async (list, member, score) => {
      const values = addedValues({ list, member, score })
      await connection.repeatable((redis) => redis.eval(scripts.sortedAdd, 1, list, ...values))
    },
    sortedAddLowest: async (list, member, score) => {
      const values = addedValues({ list, member, score })
      await connection.repeatable((redis) => redis.eval(scripts.sortedAddLowest, 1, list, ...values))
    },
    sortedRange: async (list, range) => sortedRange(connection, list, { ...range, after: expired(list) }),
    sortedCount: (list, max = Number.POSITIVE_INFINITY) =>
      connection.repeatable((redis) => redis.zcount(list, `(${expired(list)}`, max === Number.POSITIVE_INFINITY ? '+inf' : max)),
    sortedRemove: async (list, member) => (await connection.once((redis) => redis.zrem(list, member))) === 1,
    sortedMove: async (list, member, { from, to }) => (await run('sortedMove', [list], [member, to ?? '', expired(list), from])) === 1,
    sortedTrim: (list, max) => connection.once((redis) => redis.zremrangebyscore(list, '-inf', max)),
  }
}

/** The value and its remaining lifetime in milliseconds (-1: no expiry), or nothing. */
const entryReply = z.tuple([z.string(), z.number()]).nullable()

function entryOf(answer: unknown, clock: Clock): { value: string; expiresAt: number | null } | null {
  const entry = entryReply.parse(answer)
  return entry && { value: entry[0], expiresAt: entry[1] < 0 ? null : clock.now() + entry[1] }
}

type LiveRange = SortedRange & { readonly after: number }

async function sortedRange(connection: RedisConnection, list: string, range: LiveRange): Promise<readonly SortedMember[]> {
  const { after, max = '+inf', limit, offset = 0, reverse = false } = range
  const min = range.min !== undefined && range.min > after ? range.min : `(${after}`
  const flat = await connection.repeatable((redis) =>
    reverse
      ? redis.zrevrangebyscore(list, max, min, 'WITHSCORES', 'LIMIT', offset, limit)
      : redis.zrangebyscore(list, min, max, 'WITHSCORES', 'LIMIT', offset, limit),
  )
  return flat.flatMap((member, at) => (at % 2 === 0 ? [{ member, score: Number(flat[at + 1]) }] : []))
}
