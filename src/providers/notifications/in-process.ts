import type { Log } from '../../kernel/log.ts'
import { assertShort, type Notifications } from '../../ports/notifications.ts'

/** Notifications within one process. Listeners run after the publisher's current step, never inside it. */
export function createInProcessNotifications({ log }: { readonly log: Log }): Notifications {
  type Listener = Parameters<Notifications['subscribe']>[1]
  const topics = new Map<string, Set<Listener>>()

  return {
    async publish(notification) {
      assertShort(notification)
      await Promise.resolve()
      for (const listener of topics.get(notification.topic) ?? []) {
        try {
          listener(notification)
        } catch (error) {
          log.error({ err: error, topic: notification.topic }, 'notification.listener-failed')
        }
      }
    },
    subscribe(topic, listener) {
      const own: Listener = (notification) => listener(notification)
      const listeners = topics.get(topic) ?? new Set()
      topics.set(topic, listeners.add(own))
      return {
        [Symbol.dispose]() {
          listeners.delete(own)
          if (listeners.size === 0 && topics.get(topic) === listeners) topics.delete(topic)
        },
      }
    },
    onGap: () => ({ [Symbol.dispose]: () => undefined }),
    close: async () => topics.clear(),
  }
}
