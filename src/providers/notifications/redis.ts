import { z } from 'zod'
import { newId } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import { assertShort, type Notifications } from '../../ports/notifications.ts'
import type { RedisConnection } from '../redis/connection.ts'
import { createInProcessNotifications } from './in-process.ts'

const messageSchema = z.object({ from: z.string(), topic: z.string(), workspaceId: z.string(), payload: z.string() })

/**
 * Notifications over Redis publish/subscribe: this process hears its own at once, without Redis; others through one channel. Resolves when
 * the channel is open, or after a while without it.
 */
export async function connectRedisNotifications({ connection, log }: { connection: RedisConnection; log: Log }): Promise<Notifications> {
  const self = newId()
  const channel = connection.channel('notifications')
  const local = createInProcessNotifications({ log })
  const gapListeners = new Set<() => void>()

  const receive = (text: string): void => {
    const { from, ...notice } = messageSchema.parse(JSON.parse(text))
    if (from !== self) void local.publish(notice)
  }
  const subscription = await connection.listen(channel, {
    message: (text) => {
      try {
        receive(text)
      } catch (error) {
        log.warn({ err: error }, 'A notice that cannot be read was dropped')
      }
    },
    opened: () => {
      for (const listener of gapListeners) listener()
    },
  })

  return {
    async publish(notice) {
      assertShort(notice)
      const heard = local.publish(notice)
      const text = JSON.stringify({ from: self, ...notice })
      await connection.once((redis) => redis.publish(channel, text)).catch(() => log.debug({ topic: notice.topic }, 'A notice was lost'))
      await heard
    },
    subscribe: (topic, listener) => local.subscribe(topic, listener),
    onGap(listener) {
      const own = (): void => listener()
      gapListeners.add(own)
      return { [Symbol.dispose]: () => void gapListeners.delete(own) }
    },
    async close() {
      subscription[Symbol.dispose]()
      gapListeners.clear()
      await local.close()
    },
  }
}
