import { z } from 'zod'
import type { Clock } from '../../kernel/clock.ts'
import {
  type IndexedCall,
  type IndexedTranscript,
  maxIndexedCalls,
  searchDeadlineMs,
  searchTooLong,
  type TranscriptIndex,
  type TranscriptQuery,
} from '../../ports/transcript-index.ts'
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
  // One step of a search. Values: workspace, terms as JSON, from, to, at and call where the step before has ended, now, limit, most calls to read.
  // Returns the calls that were found with their times, then at and call of the last one that was read, or '' at the end. The set of the rarest
  // term is intersected with the others if it is small; else the newest calls are tried one by one.
  find: `
    local own = KEYS[1] .. ':' .. ARGV[1]
    local calls = own .. ':calls'
    local from, to, before, now, limit, most = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[7]), tonumber(ARGV[8]), tonumber(ARGV[9])
    local sets = {}
    for _, term in ipairs(cjson.decode(ARGV[2])) do
      local key = own .. ':term:' .. term
      sets[#sets + 1] = { key = key, size = redis.call('SCARD', key) }
    end
    table.sort(sets, function(one, other) return one.size < other.size end)
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
    if #sets > 0 and sets[1].size <= most then
      local command = { #sets + 1, calls }
      for _, set in ipairs(sets) do command[#command + 1] = set.key end
      command[#command + 1] = 'WEIGHTS'
      for index = 0, #sets do command[#command + 1] = index == 0 and 1 or 0 end
      command[#command + 1] = 'WITHSCORES'
      local matches = redis.call('ZINTER', unpack(command))
      for index = #matches - 1, 1, -2 do
        if tonumber(matches[index + 1]) < from or #found >= 2 * limit then break end
        add(matches[index], matches[index + 1])
      end
      return { found, '', '' }
    end
    local latest = string.format('%.0f', math.min(to, before))
    local rank = redis.call('ZCOUNT', calls, '(' .. latest, '+inf')
    local last = redis.call('ZSCORE', calls, ARGV[6])
    if last and tonumber(last) == before and before <= to then rank = redis.call('ZREVRANK', calls, ARGV[6]) + 1 end
    local page = redis.call('ZREVRANGE', calls, rank, rank + most - 1, 'WITHSCORES')
    for index = 1, #page, 2 do
      local call, score = page[index], page[index + 1]
      if tonumber(score) < from then return { found, '', '' } end
      local hasAll = true
      for _, set in ipairs(sets) do hasAll = hasAll and redis.call('SISMEMBER', set.key, call) == 1 end
      if hasAll then add(call, score) end
      if #found >= 2 * limit then return { found, '', '' } end
    end
    if #page < 2 * most then return { found, '', '' } end
    return { found, page[#page], page[#page - 1] }`,
  // Values: now, how many.
  purge: `${remove}
    local expired = redis.call('ZRANGEBYSCORE', KEYS[1] .. ':ends', '-inf', ARGV[1], 'LIMIT', 0, ARGV[2])
    for _, member in ipairs(expired) do
      local colon = string.find(member, ':', 1, true)
      remove(string.sub(member, 1, colon - 1), string.sub(member, colon + 1))
    end
    return #expired`,
}

const foundReply = z.tuple([z.array(z.string()), z.string(), z.string()])
/** Calls that one step of a search reads. Redis does nothing else meanwhile. */
const stepCalls = 500

/** The index on the Redis that instances share. A search is done in steps of some milliseconds, with everything else in between. */
export function createRedisTranscriptIndex({
  connection,
  clock,
  maxCalls = maxIndexedCalls,
  deadlineMs = searchDeadlineMs,
  callsPerStep = stepCalls,
}: {
  readonly connection: RedisConnection
  readonly clock: Clock
  /** A test has fewer, and less. */
  readonly maxCalls?: number
  readonly deadlineMs?: number
  readonly callsPerStep?: number
}): TranscriptIndex {
  const run = (script: keyof typeof scripts, values: readonly (string | number)[]): Promise<unknown> =>
    connection.repeatable((redis) => redis.eval(scripts[script], 1, base, ...values))

  return {
    put: async (workspaceId, transcript) => {
      const { callId, at, expiresAt } = transcript
      await run('put', [workspaceId, callId, at, expiresAt, JSON.stringify(termsOf(transcript)), longestMs, maxCalls])
    },
    async find(workspaceId, { from, to, before, limit, ...wanted }) {
      const endsAt = performance.now() + deadlineMs
      const fixed = [workspaceId, JSON.stringify(queryTerms(wanted)), from ?? 0, to ?? Number.MAX_SAFE_INTEGER]
      const found: IndexedCall[] = []
      let last: readonly [number, string] | null = [before?.at ?? Number.MAX_SAFE_INTEGER, before?.callId ?? '']
      while (last !== null && found.length < limit) {
        const [flat, at, callId] = foundReply.parse(await run('find', [...fixed, ...last, clock.now(), limit - found.length, callsPerStep]))
        found.push(...callsIn(flat))
        last = at === '' ? null : [Number(at), callId]
        if (last !== null && performance.now() > endsAt) throw searchTooLong(deadlineMs)
      }
      return found
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

/** Of a list of calls, each followed by its time. */
function callsIn(flat: readonly string[]): readonly IndexedCall[] {
  return flat.flatMap((callId, index) => (index % 2 === 0 ? [{ callId, at: Number(flat[index + 1]) }] : []))
}

function queryTerms({ phrases, facets }: Pick<TranscriptQuery, 'phrases' | 'facets'>): readonly string[] {
  return [...new Set([...phrases.flat().map(wordTerm), ...facets.map(facetTerm)])]
}

const wordTerm = (word: string): string => `w:${word}`
const facetTerm = (facet: string): string => `f:${facet}`
