import { Redis, type RedisOptions } from 'ioredis'
import type { Log } from '../../kernel/log.ts'
import { firstAnswer, logOutages } from './outages.ts'
import type { RoleWatch } from './role-watch.ts'

export type ChannelListener = {
  readonly message: (text: string) => void
  /** The channel was opened, for the first time or again after an outage. Messages may have been missed before. */
  readonly opened: () => void
}

export type RedisTarget = {
  readonly url: string
  readonly options: Omit<RedisOptions, 'replyMapping'>
  readonly log: Log
  readonly roles: RoleWatch
}

const heartbeatMs = 5_000

/** Subscribes to one channel on a separate connection, which reconnects. Resolves when it is open, or after two seconds without it. */
export async function subscribe(target: RedisTarget, channel: string, listener: ChannelListener): Promise<Disposable> {
  const redis = new Redis(target.url, { ...target.options, autoResubscribe: false })
  logOutages(redis, target.log)
  redis.on('message', (_channel, text) => listener.message(text))
  const opened = new Promise<void>((resolve) => {
    redis.on('ready', () => {
      redis.subscribe(channel).then(
        () => {
          listener.opened()
          resolve()
        },
        () => redis.disconnect(true),
      )
    })
  })
  const following = target.roles.follow(() => redis.disconnect(true))
  // Without the heartbeat a dead connection looks like a channel without messages.
  const heartbeat = setInterval(() => void redis.ping().catch(() => undefined), heartbeatMs).unref()
  await firstAnswer(opened)
  return {
    [Symbol.dispose]() {
      clearInterval(heartbeat)
      following[Symbol.dispose]()
      redis.disconnect()
    },
  }
}
