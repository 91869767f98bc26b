import type { Log } from '../../kernel/log.ts'
import { assertShort, type Notification, type Notifications } from '../../ports/notifications.ts'

/** Notifications within one process. Listeners run after the publisher's current step, never inside it. */
export function createInProcessNotifications({ log }: { readonly log: Log }): Notifications {
  const topics = new Map<string, Listeners>()

  return {
    async publish(notification) {
      assertShort(notification)
      await Promise.resolve()
      for (const { listener } of topics.get(notification.topic)?.of(notification) ?? []) {
        try {
          listener(notification)
        } catch (error) {
          log.error({ err: error, topic: notification.topic }, 'notification.listener-failed')
        }
      }
    },
    subscribe(topic, listener, audience) {
      const listeners = topics.get(topic) ?? createListeners()
      topics.set(topic, listeners)
      // The same function may be subscribed twice.
      const subscription = { listener, audience }
      listeners.add(subscription)
      return {
        [Symbol.dispose]() {
          listeners.remove(subscription)
          if (listeners.isEmpty() && topics.get(topic) === listeners) topics.delete(topic)
        },
      }
    },
    onGap: () => ({ [Symbol.dispose]: () => undefined }),
    close: async () => topics.clear(),
  }
}

type Subscription = { readonly listener: (notification: Notification) => void; readonly audience: readonly string[] | undefined }
type Listeners = ReturnType<typeof createListeners>

/** Who listens to a topic. Found by audience, because a notification to one of a thousand agents must not cost a thousand calls. */
function createListeners() {
  const all = new Set<Subscription>()
  const toEverything = new Set<Subscription>()
  const byId = new Map<string, Set<Subscription>>()
  return {
    add(subscription: Subscription): void {
      all.add(subscription)
      if (!subscription.audience) toEverything.add(subscription)
      for (const id of subscription.audience ?? []) byId.set(id, (byId.get(id) ?? new Set()).add(subscription))
    },
    remove(subscription: Subscription): void {
      all.delete(subscription)
      toEverything.delete(subscription)
      for (const id of subscription.audience ?? []) {
        const listening = byId.get(id)
        if (listening?.delete(subscription) === true && listening.size === 0) byId.delete(id)
      }
    },
    of({ audience }: Notification): Iterable<Subscription> {
      if (!audience) return all
      const found = new Set(toEverything)
      for (const id of audience) for (const subscription of byId.get(id) ?? []) found.add(subscription)
      return found
    },
    isEmpty: () => all.size === 0,
  }
}
