import { setImmediate as nextRound } from 'node:timers/promises'
import type { EventBus } from '../../src/ports/event-bus.ts'
import type { Store } from '../../src/ports/store.ts'

const storeWrites: ReadonlySet<string> = new Set([
  'set',
  'setIfAbsent',
  'compareAndSet',
  'compareAndDelete',
  'delete',
  'increment',
  'sortedAdd',
  'sortedAddLowest',
  'sortedMove',
  'sortedRemove',
  'sortedTrim',
] satisfies (keyof Store)[])

/**
 * The store, but a write is made some rounds of the event loop later, as on a network, and a read answers at once: a test notices whether the
 * code waited for the write.
 */
export function lateStore(store: Store): Store {
  return late(store, storeWrites)
}

/** The bus, but an event is stored some rounds of the event loop later. */
export function lateBus(bus: EventBus): EventBus {
  return late(bus, new Set(['publish'] satisfies (keyof EventBus)[]))
}

function late<T extends object>(port: T, writes: ReadonlySet<string>): T {
  return new Proxy(port, {
    get(target, name, receiver) {
      const method: unknown = Reflect.get(target, name, receiver)
      if (typeof method !== 'function' || typeof name !== 'string' || !writes.has(name)) return method
      return async (...args: unknown[]): Promise<unknown> => {
        for (let rounds = 0; rounds < 3; rounds += 1) await nextRound()
        return Reflect.apply(method, target, args)
      }
    },
  })
}
