import { ConsecutiveBreaker, circuitBreaker, handleWhen, retry, wrap, ConstantBackoff } from 'cockatiel'
import { Redis, type RedisOptions } from 'ioredis'
import { TookTooLong, withDeadline } from '../../kernel/with-fallback.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import { firstAnswer, logOutages } from './outages.ts'
import { type ChannelListener, subscribe } from './subscription.ts'

/** One Redis, as the adapters on it share it: a connection for commands, guarded, and one more per channel listened to. */
export interface RedisConnection extends AsyncDisposable {
  /** Runs one command or script once. Throws STORE_UNAVAILABLE within half a second where Redis is away, hangs or refuses. */
  once<T>(command: (redis: Redis) => Promise<T>): Promise<T>
  /** The same for a command that may safely be run twice: it is tried a second time where the connection was lost. */
  repeatable<T>(command: (redis: Redis) => Promise<T>): Promise<T>
  /** The full name of a publish/subscribe channel of this service. */
  channel(name: string): string
  /** Listens to a channel on a connection of its own, until disposed of. Resolves when it is open or does not open for now. */
  listen(channel: string, listener: ChannelListener): Promise<Disposable>
}

export type RedisConnectionOptions = {
  /** `redis://` or `rediss://`, with user, password and database number where needed. */
  readonly url: string
  /** Put before every key and channel. */
  readonly prefix?: string
  readonly log: Log
}

/** After this long a command has failed. The ports promise an answer within 500 ms; the rest is the way back. */
export const redisDeadlineMs = 450
/** Longer without an answer to anything, and the connection is given up and made anew: a network that swallows packets. */
const deadSocketMs = 2_000
const longestReconnectMs = 1_000

/** Connects; resolves when Redis answers, or after two seconds without it: then it is connected to as soon as it is there. */
export async function connectRedis({ url, prefix = 'sidecar:', log }: RedisConnectionOptions): Promise<RedisConnection> {
  const options = {
    keyPrefix: prefix,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    // Only takes forgotten commands off the list: the limit that counts is ours, which a busy event loop does not mistake for Redis.
    commandTimeout: deadSocketMs,
    connectTimeout: deadSocketMs,
    socketTimeout: deadSocketMs,
    retryStrategy: (attempt: number) => Math.min(25 * 2 ** Math.min(attempt, 10), longestReconnectMs) * (0.5 + Math.random() / 2),
  } satisfies RedisOptions
  const redis = new Redis(url, options)
  logOutages(redis, log)
  await firstAnswer(new Promise((resolve) => redis.once('ready', resolve)))
  const policies = createPolicies()

  return {
    once: (command) => run(policies.once, () => command(redis)),
    repeatable: (command) => run(policies.repeatable, () => command(redis)),
    channel: (name) => prefix + name,
    listen: (channel, listener) => subscribe({ url, options, log }, channel, listener),
    [Symbol.asyncDispose]: async () => redis.disconnect(),
  }
}

function createPolicies() {
  const breaker = circuitBreaker(handleWhen(isOutage), { halfOpenAfter: 1_000, breaker: new ConsecutiveBreaker(5) })
  const again = retry(handleWhen(isLostConnection), { maxAttempts: 1, backoff: new ConstantBackoff(50) })
  return { once: breaker, repeatable: wrap(again, breaker) }
}

type Policy = { execute<T>(step: () => Promise<T>): Promise<T> }

/**
 * The time limit stands outside the breaker, because callers of a half-open breaker wait for its trial, and inside, where the breaker
 * counts it.
 */
async function run<T>(policy: Policy, command: () => Promise<T>): Promise<T> {
  let isLate = false
  const step = async (): Promise<T> => {
    if (isLate) throw new TookTooLong(redisDeadlineMs)
    return withDeadline(command(), redisDeadlineMs)
  }
  try {
    return await withDeadline(policy.execute(step), redisDeadlineMs)
  } catch (cause) {
    isLate = true
    throw new AppError('STORE_UNAVAILABLE', { data: { retryAfterSeconds: 5 }, cause })
  }
}

/** An answer of Redis, also a refusal, is no outage. */
function isOutage(error: unknown): boolean {
  return !(error instanceof Error && error.name === 'ReplyError')
}

function isLostConnection(error: unknown): boolean {
  return isOutage(error) && !(error instanceof TookTooLong)
}
