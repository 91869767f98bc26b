import { AppError } from '../../src/kernel/errors.ts'
import type { Store } from '../../src/ports/store.ts'

/** The store, but what is asked of the keys that are meant fails as one that is away does. */
export function failingStore(store: Store, isMeant: (key: string) => boolean): Store {
  return new Proxy(store, {
    get(target, name, receiver) {
      const method: unknown = Reflect.get(target, name, receiver)
      if (typeof method !== 'function') return method
      return (...args: unknown[]): unknown => {
        const [first] = args
        const keys: readonly unknown[] = Array.isArray(first) ? first : [first]
        if (keys.some((key) => typeof key === 'string' && isMeant(key))) return Promise.reject(new AppError('STORE_UNAVAILABLE'))
        return Reflect.apply(method, target, args)
      }
    },
  })
}
