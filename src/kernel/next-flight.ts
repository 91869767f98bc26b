import type { SingleFlight } from './single-flight.ts'

/**
 * Concurrent callers of one key share an execution that begins after they asked, so its result is never older than the question. Of a key one
 * execution runs, and at most one waits for it.
 */
export function createNextFlight<T>(): SingleFlight<T> {
  const last = new Map<string, Flight<T>>()
  return {
    run(key, step) {
      const before = last.get(key)
      if (before && !before.hasBegun) return before.result
      const flight: Flight<T> = { hasBegun: false, result: execute() }
      last.set(key, flight)
      return flight.result

      async function execute(): Promise<T> {
        // At least until all callers of this step of the event loop have asked.
        await before?.result.catch(() => undefined)
        await Promise.resolve()
        flight.hasBegun = true
        try {
          return await step()
        } finally {
          if (last.get(key) === flight) last.delete(key)
        }
      }
    },
  }
}

type Flight<T> = { hasBegun: boolean; readonly result: Promise<T> }
