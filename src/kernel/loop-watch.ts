import { type EventLoopUtilization, performance } from 'node:perf_hooks'

/** What the event loop of a thread did since the last reading: its usual delay, and its share of time at work. */
export type LoopReading = { readonly delayMs: number; readonly utilization: number }

export type LoopWatch = Disposable & { read(): LoopReading }

const resolutionMs = 10

/**
 * Watches the event loop of the thread that calls it, by a timer. Node's own histogram of delays has no value at all if each round of the loop takes
 * longer than the time between two readings.
 */
export function watchLoop(): LoopWatch {
  let [last, delays]: [number, number[]] = [performance.now(), []]
  const lateMs = (now: number): number => Math.max(0, now - last - resolutionMs)
  const timer = setInterval(() => {
    const now = performance.now()
    delays.push(lateMs(now))
    last = now
  }, resolutionMs)
  timer.unref()
  let before: EventLoopUtilization = performance.eventLoopUtilization()
  return {
    read() {
      const now = performance.eventLoopUtilization()
      const { utilization } = performance.eventLoopUtilization(now, before)
      before = now
      const seen = delays.length > 0 ? delays.toSorted((one, other) => one - other) : [lateMs(performance.now())]
      delays = []
      return { delayMs: seen[Math.floor(seen.length / 2)] ?? 0, utilization }
    },
    [Symbol.dispose]: () => clearInterval(timer),
  }
}
