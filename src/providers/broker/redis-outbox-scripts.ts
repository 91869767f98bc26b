/**
 * The steps of the outbox on Redis; each is atomic. `KEYS[1]` is the prefix of all its keys: `sequence`, `receivers`, `known:<receiver>:<id>`,
 * `event:<sequence>`, `lane:<lane>` (sequences in order), `due:<receiver>` (lanes by due time), `active:<receiver>` and `parked:<receiver>`
 * (sequences by the time they were added), `deadLetters` (by id), `dead:<workspace>` (ids of dead letters by time), `deadWorkspaces` (whose
 * these are). Time is Redis' clock.
 */
const now = `
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local p = KEYS[1]`

const remove = `
  local function remove(receiver, lane, sequence)
    if redis.call('DEL', p .. 'event:' .. sequence) == 0 then return 0 end
    redis.call('LREM', p .. 'lane:' .. lane, 1, sequence)
    redis.call('ZREM', p .. 'active:' .. receiver, sequence)
    redis.call('ZREM', p .. 'parked:' .. receiver, sequence)
    if redis.call('LLEN', p .. 'lane:' .. lane) > 0 then redis.call('ZADD', p .. 'due:' .. receiver, now, lane)
    else redis.call('ZREM', p .. 'due:' .. receiver, lane) end
    return 1
  end`

const addOne = `
  local function addDeadLetter(id, workspace, deadAt, deadLetter)
    redis.call('SADD', p .. 'deadWorkspaces', workspace)
    if redis.call('HSETNX', p .. 'deadLetters', id, deadLetter) == 1 then redis.call('ZADD', p .. 'dead:' .. workspace, deadAt, id) end
  end`

const purgeOne = `
  local function purge(workspace, before)
    local dead = p .. 'dead:' .. workspace
    for _, id in ipairs(redis.call('ZRANGEBYSCORE', dead, '-inf', before)) do redis.call('HDEL', p .. 'deadLetters', id) end
    redis.call('ZREMRANGEBYSCORE', dead, '-inf', before)
    if redis.call('EXISTS', dead) == 0 then redis.call('SREM', p .. 'deadWorkspaces', workspace) end
  end`

/** Returns 1, 2 if every receiver knows the id, or 0 if there is no room. Values: id, topic, key, body, most events, longest age (-1: any), id retention, lane and receiver of each. */
const add = `${now}
  local fresh = {}
  for at = 8, #ARGV, 2 do
    local receiver = ARGV[at + 1]
    if redis.call('EXISTS', p .. 'known:' .. receiver .. ':' .. ARGV[1]) == 0 then table.insert(fresh, { lane = ARGV[at], receiver = receiver }) end
  end
  if #fresh == 0 then return 2 end
  for _, one in ipairs(fresh) do
    local active = p .. 'active:' .. one.receiver
    if redis.call('ZCARD', active) >= tonumber(ARGV[5]) then return 0 end
    local oldest = redis.call('ZRANGE', active, 0, 0, 'WITHSCORES')[2]
    if tonumber(ARGV[6]) >= 0 and oldest and now - tonumber(oldest) >= tonumber(ARGV[6]) then return 0 end
  end
  for _, one in ipairs(fresh) do
    local sequence = redis.call('INCR', p .. 'sequence')
    redis.call('SET', p .. 'known:' .. one.receiver .. ':' .. ARGV[1], 1, 'PX', ARGV[7])
    redis.call('HSET', p .. 'event:' .. sequence, 'id', ARGV[1], 'topic', ARGV[2], 'key', ARGV[3], 'body', ARGV[4], 'addedAt', now, 'tries', 0, 'parked', 0)
    redis.call('RPUSH', p .. 'lane:' .. one.lane, sequence)
    redis.call('ZADD', p .. 'due:' .. one.receiver, 'NX', now, one.lane)
    redis.call('ZADD', p .. 'active:' .. one.receiver, now, sequence)
    redis.call('SADD', p .. 'receivers', one.receiver)
  end
  return 1`

/** Values: receiver, most lanes, lease. Returns the fields of the first event of each lane. */
const claim = `${now}
  local due = p .. 'due:' .. ARGV[1]
  local claimed = {}
  for _, lane in ipairs(redis.call('ZRANGEBYSCORE', due, '-inf', now, 'LIMIT', 0, ARGV[2])) do
    local sequence = redis.call('LINDEX', p .. 'lane:' .. lane, 0)
    if sequence then
      redis.call('ZADD', due, now + ARGV[3], lane)
      redis.call('HSET', p .. 'event:' .. sequence, 'leased', 1)
      local event = redis.call('HMGET', p .. 'event:' .. sequence, 'id', 'topic', 'key', 'body', 'tries', 'addedAt', 'parked')
      table.insert(event, 1, sequence)
      table.insert(claimed, event)
    else redis.call('ZREM', due, lane) end
  end
  return claimed`

/** Values: lease, then receiver, lane and sequence of each. */
const renew = `${now}
  for at = 2, #ARGV, 3 do
    local due = p .. 'due:' .. ARGV[at]
    local leased = redis.call('HGET', p .. 'event:' .. ARGV[at + 2], 'leased')
    if leased == '1' and redis.call('LINDEX', p .. 'lane:' .. ARGV[at + 1], 0) == ARGV[at + 2] then
      redis.call('ZADD', due, 'XX', now + ARGV[1], ARGV[at + 1])
    end
  end
  return 1`

/** Values: receiver, lane, sequence. */
const settle = `${now}${remove}
  return remove(ARGV[1], ARGV[2], ARGV[3])`

/** Values: receiver, lane, sequence, delay, parked (1 or 0). */
const postpone = `${now}
  local event = p .. 'event:' .. ARGV[3]
  if redis.call('EXISTS', event) == 0 then return 0 end
  redis.call('HINCRBY', event, 'tries', 1)
  redis.call('HSET', event, 'parked', ARGV[5], 'leased', 0)
  redis.call('ZADD', p .. 'due:' .. ARGV[1], now + ARGV[4], ARGV[2])
  local from, to = 'parked:', 'active:'
  if ARGV[5] == '1' then from, to = to, from end
  if redis.call('ZREM', p .. from .. ARGV[1], ARGV[3]) == 1 then
    redis.call('ZADD', p .. to .. ARGV[1], redis.call('HGET', event, 'addedAt'), ARGV[3])
  end
  return 1`

/** Values: receiver, lane, sequence, then as for `addDeadLetter`. */
const moveToDeadLetters = `${now}${remove}${addOne}
  if remove(ARGV[1], ARGV[2], ARGV[3]) == 0 then return 0 end
  addDeadLetter(ARGV[4], ARGV[5], ARGV[6], ARGV[7])
  return 1`

/** Returns how many dead letters there are, and for each receiver: its name, how many events wait, how many are parked, the age of the oldest that waits. */
const depth = `${now}
  local depths = {}
  for _, receiver in ipairs(redis.call('SMEMBERS', p .. 'receivers')) do
    local oldest = redis.call('ZRANGE', p .. 'active:' .. receiver, 0, 0, 'WITHSCORES')[2]
    local age = oldest and math.max(0, now - tonumber(oldest)) or 0
    table.insert(depths, { receiver, redis.call('ZCARD', p .. 'active:' .. receiver), redis.call('ZCARD', p .. 'parked:' .. receiver), age })
  end
  return { redis.call('HLEN', p .. 'deadLetters'), depths }`

/** Values: id, workspace, time, content, the time before which dead letters of the workspace are removed. */
const addDeadLetter = `${now}${addOne}${purgeOne}
  purge(ARGV[2], ARGV[5])
  addDeadLetter(ARGV[1], ARGV[2], ARGV[3], ARGV[4])
  return 1`

/** Values: the time before which dead letters are removed. */
const purgeDeadLetters = `${now}${purgeOne}
  for _, workspace in ipairs(redis.call('SMEMBERS', p .. 'deadWorkspaces')) do purge(workspace, ARGV[1]) end
  return 1`

/** Values: time, how many. Returns receiver and fields of the events that were added before this time, whatever their receiver. */
const addedBefore = `${now}
  local found = {}
  for _, receiver in ipairs(redis.call('SMEMBERS', p .. 'receivers')) do
    for _, list in ipairs({ 'active:', 'parked:' }) do
      for _, sequence in ipairs(redis.call('ZRANGEBYSCORE', p .. list .. receiver, '-inf', '(' .. ARGV[1], 'LIMIT', 0, ARGV[2] - #found)) do
        local event = redis.call('HMGET', p .. 'event:' .. sequence, 'id', 'topic', 'key', 'body', 'tries', 'addedAt', 'parked')
        table.insert(event, 1, sequence)
        table.insert(found, { receiver, event })
      end
    end
  end
  return found`

/** Values: workspace, latest time, how many, how many to skip. Returns dead letters, newest first; empty for one without content. */
const listDeadLetters = `${now}
  local deadLetters = {}
  for _, id in ipairs(redis.call('ZREVRANGEBYSCORE', p .. 'dead:' .. ARGV[1], ARGV[2], '-inf', 'LIMIT', ARGV[4], ARGV[3])) do
    table.insert(deadLetters, redis.call('HGET', p .. 'deadLetters', id) or '')
  end
  return deadLetters`

/** Values: id. Returns the dead letter. */
const readDeadLetter = `${now}
  return redis.call('HGET', p .. 'deadLetters', ARGV[1])`

/** Values: id, workspace. */
const removeDeadLetter = `${now}
  redis.call('ZREM', p .. 'dead:' .. ARGV[2], ARGV[1])
  return redis.call('HDEL', p .. 'deadLetters', ARGV[1])`

export const outboxScripts = {
  add,
  claim,
  renew,
  settle,
  postpone,
  moveToDeadLetters,
  depth,
  addDeadLetter,
  purgeDeadLetters,
  addedBefore,
  listDeadLetters,
  readDeadLetter,
  removeDeadLetter,
}
