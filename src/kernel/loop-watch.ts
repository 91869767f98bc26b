import { type EventLoopUtilization, monitorEventLoopDelay, performance } from 'node:perf_hooks'

/** What the event loop of a thread did since the last reading: its usual delay, and its share of time at work. */
export type LoopReading = { readonly delayMs: number; readonly utilization: number }

export type LoopWatch = Disposable & { read(): LoopReading }

const resolutionMs = 10

/** Watches the event loop of the thread that calls it. */
export function watchLoop(): LoopWatch {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs })
  delays.enable()
  let before: EventLoopUtilization = performance.eventLoopUtilization()
  return {
    read() {
      const now = performance.eventLoopUtilization()
      const { utilization } = performance.eventLoopUtilization(now, before)
      before = now
      const delayMs = delays.count === 0 ? 0 : delays.percentile(50) / 1e6 - resolutionMs
      delays.reset()
      return { delayMs, utilization }
    },
    [Symbol.dispose]: () => void delays.disable(),
  }
}
