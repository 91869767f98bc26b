/** Concurrent callers of one key share one execution and its result; a call after it has ended starts a new one. In this process only. */
export type SingleFlight<T> = {
  run(key: string, step: () => Promise<T>): Promise<T>
}

export function createSingleFlight<T>(): SingleFlight<T> {
  const running = new Map<string, Promise<T>>()
  return {
    run(key, step) {
      const known = running.get(key)
      if (known) return known
      const execution = step().finally(() => running.delete(key))
      running.set(key, execution)
      return execution
    },
  }
}
