import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { newId } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import { assertShort, type Notifications } from '../../ports/notifications.ts'
import type { RedisConnection } from '../redis/connection.ts'
import { createInProcessNotifications } from './in-process.ts'

const messageSchema = z.object({
  from: z.string(),
  topic: z.string(),
  workspaceId: z.string(),
  payload: z.string(),
  audience: z.array(z.string()).optional(),
})

const askAgainMs = 100

/**
 * Notifications over Redis publish/subscribe. This process receives its own notifications at once, without Redis, and those of others
 * through one channel. Resolves when the channel is open, or after two seconds without it.
 */
export async function connectRedisNotifications({ connection, log }: { connection: RedisConnection; log: Log }): Promise<Notifications> {
  const self = newId()
  const channel = connection.channel('notifications')
  const local = createInProcessNotifications({ log })
  const gapListeners = new Set<() => void>()

  const receive = (text: string): void => {
    const { from, ...notification } = messageSchema.parse(JSON.parse(text))
    if (from !== self) void local.publish(notification)
  }
  let gap = 0
  /** When the store can be read again, which has a connection of its own: who empties a cache reads it next. */
  const reportGap = async (): Promise<void> => {
    // At the start nobody has missed anything.
    if (gapListeners.size === 0) return
    gap += 1
    const own = gap
    while (!(await connection.once((redis) => redis.ping()).catch(() => null))) {
      await delay(askAgainMs, undefined, { ref: false })
      if (own !== gap) return
    }
    for (const listener of gapListeners) listener()
  }
  const subscription = await connection.listen(channel, {
    message: (text) => {
      try {
        receive(text)
      } catch (error) {
        log.warn({ err: error }, 'notification.unreadable')
      }
    },
    opened: () => void reportGap(),
  })

  return {
    async publish(notification) {
      assertShort(notification)
      const delivered = local.publish(notification)
      const text = JSON.stringify({ from: self, ...notification })
      await connection
        .once((redis) => redis.publish(channel, text))
        .catch(() => log.debug({ topic: notification.topic }, 'notification.lost'))
      await delivered
    },
    subscribe: (topic, listener, audience) => local.subscribe(topic, listener, audience),
    onGap(listener) {
      const own = (): void => listener()
      gapListeners.add(own)
      return { [Symbol.dispose]: () => void gapListeners.delete(own) }
    },
    async close() {
      subscription[Symbol.dispose]()
      gap += 1
      gapListeners.clear()
      await local.close()
    },
  }
}
