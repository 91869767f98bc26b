import { scaled } from '../../kernel/deadlines.ts'
import { handleWhen, retry, ConstantBackoff } from 'cockatiel'
import { Redis, type RedisOptions } from 'ioredis'
import { type BreakerRules, CircuitBreaker, type UpstreamParty } from '../../kernel/circuit-breaker.ts'
import { TookTooLong, withDeadline } from '../../kernel/with-fallback.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import { firstAnswer, logOutages } from './outages.ts'
import { RoleWatch } from './role-watch.ts'
import { type ChannelListener, subscribe } from './subscription.ts'

/** One Redis, shared by all adapters: a connection for commands behind a breaker, and one more per subscribed channel. */
export interface RedisConnection extends AsyncDisposable {
  /** Runs one command or script once. Throws STORE_UNAVAILABLE within half a second if Redis is unreachable, hangs or answers with an error. */
  once<T>(command: (redis: Redis) => Promise<T>): Promise<T>
  /** The same for a command that may safely run twice: it is tried a second time if the connection was lost. */
  repeatable<T>(command: (redis: Redis) => Promise<T>): Promise<T>
  /** The full name of a publish/subscribe channel of this service. */
  channel(name: string): string
  /** Subscribes to a channel on a separate connection, until disposed of. Resolves when it is open, or after two seconds without it. */
  listen(channel: string, listener: ChannelListener): Promise<Disposable>
}

export type RedisConnectionOptions = {
  /** `redis://` or `rediss://`, with user, password and database number if needed. */
  readonly url: string
  /** Prefix of every key and channel. */
  readonly prefix?: string
  readonly log: Log
}

/** The deadline of a command. The ports promise an answer within 500 ms; the rest is for the way back. */
export const redisDeadlineMs = 450
/** A connection without any answer for this long is closed and opened again, because the network may drop all packets. */
const deadSocketMs = 2_000
const longestReconnectMs = 1_000

export const redisParty: UpstreamParty = { party: 'redis', who: 'Redis', workspaceId: null }
/** Its deadline is so short that silence is a failure soon enough. */
export const redisRules: BreakerRules = { openMs: 1_000, silence: null }

/** Connects. Resolves when Redis answers, or after two seconds without it; then it connects as soon as Redis is there. */
export async function connectRedis(
  { url, prefix = 'sidecar:', log }: RedisConnectionOptions,
  breaker = new CircuitBreaker(redisParty, redisRules),
): Promise<RedisConnection> {
  const roles = new RoleWatch(log)
  const options = {
    keyPrefix: prefix,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    // Only removes old commands from the queue. The effective limit is `redisDeadlineMs`, which a busy event loop does not exceed by itself.
    commandTimeout: scaled(deadSocketMs),
    connectTimeout: scaled(deadSocketMs),
    socketTimeout: scaled(deadSocketMs),
    maxLoadingRetryTime: longestReconnectMs,
    retryStrategy: (attempt: number) => Math.min(25 * 2 ** Math.min(attempt, 10), longestReconnectMs) * (0.5 + Math.random() / 2),
  } satisfies RedisOptions
  const redis = new Redis(url, { ...options, reconnectOnError: (error) => roles.isOther(error) })
  logOutages(redis, log)
  redis.on('ready', () => {
    void redis.info('server').then(
      (report) => roles.reached(/^run_id:(\w+)/m.exec(report)?.[1] ?? null),
      () => undefined,
    )
  })
  await firstAnswer(new Promise((resolve) => redis.once('ready', resolve)))
  const policies = createPolicies(breaker)

  return {
    once: (command) => run(policies.once, () => command(redis)),
    repeatable: (command) => run(policies.repeatable, () => command(redis)),
    channel: (name) => prefix + name,
    listen: (channel, listener) => subscribe({ url, options, log, roles }, channel, listener),
    [Symbol.asyncDispose]: async () => redis.disconnect(),
  }
}

function createPolicies(breaker: CircuitBreaker): { readonly once: Policy; readonly repeatable: Policy } {
  const again = retry(handleWhen(isLostConnection), { maxAttempts: 1, backoff: new ConstantBackoff(50) })
  const once: Policy = { execute: (step) => breaker.run(step, isOutage) }
  return { once, repeatable: { execute: (step) => again.execute(() => once.execute(step)) } }
}

type Policy = { execute<T>(step: () => Promise<T>): Promise<T> }

/** The deadline applies inside the breaker, so that it counts, and outside, over both tries. */
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

/** Any answer of Redis, including an error, shows that it is reachable. */
function isOutage(error: unknown): boolean {
  return !(error instanceof Error && error.name === 'ReplyError')
}

function isLostConnection(error: unknown): boolean {
  return isOutage(error) && !(error instanceof TookTooLong) && !(error instanceof AppError)
}
