import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { Store } from '../../ports/store.ts'

/** Runs the steps of one key after each other, on all instances. Waits 20 s at most, then throws OVERLOADED. Errors: STORE_UNAVAILABLE. */
export type OneAtATime = <T>(key: string, step: () => Promise<T>) => Promise<T>

const patienceMs = 20_000
const lookEveryMs = 50
/** What a process that died began is free again after this; a step that goes on renews it. */
const heldMs = 8_000
const renewEveryMs = 2_000

export function createOneAtATime(store: Store): OneAtATime {
  return async (key, step) => {
    const holder = newId()
    const giveUpAt = performance.now() + patienceMs
    while (!(await store.setIfAbsent(key, holder, { ttlMs: heldMs }))) {
      if (performance.now() > giveUpAt) {
        throw new AppError('OVERLOADED', { detail: 'This is being done already; ask again in a moment', data: { retryAfterSeconds: 5 } })
      }
      await delay(lookEveryMs)
    }
    // A renewal that is lost is made up by the next one; what is guarded stands two steps at once all the same.
    const renewing = setInterval(() => {
      store.compareAndSet(key, { expected: holder, value: holder, ttlMs: heldMs }).catch(() => false)
    }, renewEveryMs)
    try {
      return await step()
    } finally {
      clearInterval(renewing)
      await store.compareAndDelete(key, holder).catch(() => false)
    }
  }
}
