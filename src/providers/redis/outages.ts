import type { Redis } from 'ioredis'
import type { Log } from '../../kernel/log.ts'

/** How long a start waits for a Redis that is not there (yet) before it goes on without. */
const patienceAtStartMs = 2_000

/** Says once that Redis is away and once that it is back, however often it is tried in between. */
export function logOutages(redis: Redis, log: Log): void {
  let away = false
  redis.on('error', (error: Error) => {
    if (!away) log.error({ fault: error.message }, 'Redis is away; trying to reach it again')
    away = true
  })
  redis.on('ready', () => {
    if (away) log.info('Redis is back')
    away = false
  })
}

/** Resolves with the first answer, or when it has been waited for long enough. */
export async function firstAnswer(answer: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, patienceAtStartMs)
  })
  await Promise.race([answer, patience])
  clearTimeout(timer)
}
