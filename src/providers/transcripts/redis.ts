import { z } from 'zod'
import type { Clock } from '../../kernel/clock.ts'
import { type IndexedTranscript, maxIndexedCalls, type TranscriptIndex, type TranscriptQuery } from '../../ports/transcript-index.ts'
import type { RedisConnection } from '../redis/connection.ts'

/** All keys begin with it. Each ends by itself, should nobody purge. */
const base = 'transcripts'
const day = 86_400_000
const longestMs = 120 * day
const filledMs = 365 * day
const purgeBatch = 20

/**
 * An inverted index: per workspace, the set of calls of each word and facet (`:term:`), the calls by time (`:calls`), and the terms of each call
 * (`:call:`), by which it is removed; for all workspaces, the calls by their end (`:ends`). Redis without modules has no search of its own.
 */
const remove = `
  local function remove(workspace, call)
    local own = KEYS[1] .. ':' .. workspace
    local terms = redis.call('GET', own .. ':call:' .. call)
    if terms then
      for _, term in ipairs(cjson.decode(terms)) do redis.call('SREM', own .. ':term:' .. term, call) end
      redis.call('DEL', own .. ':call:' .. call)
    end
    redis.call('ZREM', own .. ':calls', call)
    redis.call('ZREM', KEYS[1] .. ':ends', workspace .. ':' .. call)
  end`

const scripts = {
  // Values: workspace, call, at, expiry, terms as JSON, longest lifetime, most calls.
  put: `${remove}
    local workspace, call, longest = ARGV[1], ARGV[2], ARGV[6]
    local own = KEYS[1] .. ':' .. workspace
    remove(workspace, call)
    for _, term in ipairs(cjson.decode(ARGV[5])) do
      redis.call('SADD', own .. ':term:' .. term, call)
      redis.call('PEXPIRE', own .. ':term:' .. term, longest)
    end
    redis.call('SET', own .. ':call:' .. call, ARGV[5], 'PX', longest)
    redis.call('ZADD', own .. ':calls', ARGV[3], call)
    redis.call('PEXPIRE', own .. ':calls', longest)
    redis.call('ZADD', KEYS[1] .. ':ends', ARGV[4], workspace .. ':' .. call)
    redis.call('PEXPIRE', KEYS[1] .. ':ends', longest)
    local beyond = redis.call('ZCARD', own .. ':calls') - tonumber(ARGV[7])
    if beyond > 0 then
      for _, old in ipairs(redis.call('ZRANGE', own .. ':calls', 0, beyond - 1)) do remove(workspace, old) end
    end
    return 1`,
  // Values: workspace, terms as JSON, from, to, at and call of the page before, now, limit. If each term is common, the newest calls are tried one
  // by one, because some of them have all; else the terms' sets are intersected, which takes as long as the smallest one.
  find: `
    local own = KEYS[1] .. ':' .. ARGV[1]
    local calls = own .. ':calls'
    local from, to, before, now, limit = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[7]), tonumber(ARGV[8])
    local sets = {}
    local all = redis.call('ZCARD', calls)
    local least = all
    for _, term in ipairs(cjson.decode(ARGV[2])) do
      local set = own .. ':term:' .. term
      sets[#sets + 1] = set
      least = math.min(least, redis.call('SCARD', set))
    end
    local found = {}
    local function add(call, score)
      local at = tonumber(score)
      if at < from or at > to or not (at < before or (at == before and call < ARGV[6])) then return end
      local ends = redis.call('ZSCORE', KEYS[1] .. ':ends', ARGV[1] .. ':' .. call)
      if ends and tonumber(ends) > now then
        found[#found + 1] = call
        found[#found + 1] = score
      end
    end
    if least * 8 > all then
      local latest = string.format('%.0f', math.min(to, before))
      local rank = redis.call('ZCOUNT', calls, '(' .. latest, '+inf')
      while #found < 2 * limit and rank < all do
        local page = redis.call('ZREVRANGE', calls, rank, rank + limit - 1, 'WITHSCORES')
        for index = 1, #page, 2 do
          local hasAll = true
          for _, set in ipairs(sets) do hasAll = hasAll and redis.call('SISMEMBER', set, page[index]) == 1 end
          if hasAll then add(page[index], page[index + 1]) end
          if tonumber(page[index + 1]) < from or #found >= 2 * limit then return found end
        end
        rank = rank + limit
      end
      return found
    end
    local command = { #sets + 1, calls, unpack(sets) }
    command[#command + 1] = 'WEIGHTS'
    for index = 0, #sets do command[#command + 1] = index == 0 and 1 or 0 end
    command[#command + 1] = 'WITHSCORES'
    local matches = redis.call('ZINTER', unpack(command))
    for index = #matches - 1, 1, -2 do
      if tonumber(matches[index + 1]) < from or #found >= 2 * limit then break end
      add(matches[index], matches[index + 1])
    end
    return found`,
  // Values: now, how many.
  purge: `${remove}
    local expired = redis.call('ZRANGEBYSCORE', KEYS[1] .. ':ends', '-inf', ARGV[1], 'LIMIT', 0, ARGV[2])
    for _, member in ipairs(expired) do
      local colon = string.find(member, ':', 1, true)
      remove(string.sub(member, 1, colon - 1), string.sub(member, colon + 1))
    end
    return #expired`,
}

const foundReply = z.array(z.string())

/** The index on the Redis that instances share. A search takes some milliseconds of Redis, however many calls there are (at most `maxIndexedCalls`). */
export function createRedisTranscriptIndex({
  connection,
  clock,
  maxCalls = maxIndexedCalls,
}: {
  readonly connection: RedisConnection
  readonly clock: Clock
  /** A test has fewer. */
  readonly maxCalls?: number
}): TranscriptIndex {
  const run = (script: keyof typeof scripts, values: readonly (string | number)[]): Promise<unknown> =>
    connection.repeatable((redis) => redis.eval(scripts[script], 1, base, ...values))

  return {
    put: async (workspaceId, transcript) => {
      const { callId, at, expiresAt } = transcript
      await run('put', [workspaceId, callId, at, expiresAt, JSON.stringify(termsOf(transcript)), longestMs, maxCalls])
    },
    find: async (workspaceId, query) => {
      const { from, to, before, limit } = query
      const last = [before?.at ?? Number.MAX_SAFE_INTEGER, before?.callId ?? '']
      const range = [from ?? 0, to ?? Number.MAX_SAFE_INTEGER]
      const flat = foundReply.parse(
        await run('find', [workspaceId, JSON.stringify(queryTerms(query)), ...range, ...last, clock.now(), limit]),
      )
      return flat.flatMap((callId, index) => (index % 2 === 0 ? [{ callId, at: Number(flat[index + 1]) }] : []))
    },
    purge: async () => (await run('purge', [clock.now(), purgeBatch])) === purgeBatch,
    isFilled: async () => (await connection.repeatable((redis) => redis.exists(`${base}:filled`))) === 1,
    markFilled: async () => {
      await connection.repeatable((redis) => redis.set(`${base}:filled`, '1', 'PX', filledMs))
    },
    close: async () => undefined,
  }
}

function termsOf({ utterances, facets }: IndexedTranscript): readonly string[] {
  return [...new Set([...utterances.flat().map(wordTerm), ...facets.map(facetTerm)])]
}

function queryTerms({ phrases, facets }: TranscriptQuery): readonly string[] {
  return [...new Set([...phrases.flat().map(wordTerm), ...facets.map(facetTerm)])]
}

const wordTerm = (word: string): string => `w:${word}`
const facetTerm = (facet: string): string => `f:${facet}`
