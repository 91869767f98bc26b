import type { Log } from '../../kernel/log.ts'
import { assertShort, type Notifications } from '../../ports/notifications.ts'

/** Notifications of a process that is alone. Listeners run after the publisher's own step, never inside it. */
export function createInProcessNotifications({ log }: { readonly log: Log }): Notifications {
  type Listener = Parameters<Notifications['subscribe']>[1]
  const topics = new Map<string, Set<Listener>>()

  return {
    async publish(notice) {
      assertShort(notice)
      await Promise.resolve()
      for (const listener of topics.get(notice.topic) ?? []) {
        try {
          listener(notice)
        } catch (error) {
          log.error({ err: error, topic: notice.topic }, 'A listener of notices failed')
        }
      }
    },
    subscribe(topic, listener) {
      const own: Listener = (notice) => listener(notice)
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
