import { useSyncExternalStore } from 'react'

/** A value that components follow. */
export type Readable<Value> = {
  readonly get: () => Value
  /** Calls the listener after each change. Returns what removes it. */
  readonly subscribe: (listener: () => void) => () => void
}
export type Store<Value> = Readable<Value> & { readonly set: (value: Value) => void }

export function createStore<Value>(initial: Value): Store<Value> {
  let current = initial
  const listeners = new Set<() => void>()
  return {
    get: () => current,
    set(value) {
      if (Object.is(value, current)) return
      current = value
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

export function useStore<Value>({ subscribe, get }: Readable<Value>): Value {
  return useSyncExternalStore(subscribe, get)
}
