import { scaled } from '../../kernel/deadlines.ts'
import type { Redis } from 'ioredis'
import type { Log } from '../../kernel/log.ts'
import { loggedReason } from '../../kernel/logged-error.ts'

/** How long the start waits for Redis before it continues without it. */
const startTimeoutMs = 2_000

/** Logs once that Redis is unreachable and once that it is back, however often it is tried in between. */
export function logOutages(redis: Redis, log: Log): void {
  let isAway = false
  const { host, port } = redis.options
  redis.on('error', (error: Error) => {
    if (!isAway) log.error({ address: `${host}:${port}`, reason: loggedReason(error) }, 'redis.unreachable')
    isAway = true
  })
  redis.on('ready', () => {
    if (isAway) log.info('redis.reachable')
    isAway = false
  })
}

/** Resolves with the first answer, or after two seconds. */
export async function firstAnswer(answer: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, scaled(startTimeoutMs))
  })
  await Promise.race([answer, timeout])
  clearTimeout(timer)
}
