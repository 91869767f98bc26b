/** How long the event loop of this process was held. Reading starts a new measurement. */
export type LoopWatch = Disposable & { read(): LoopHold }

/** `wallMs`: the longest time between two rounds of the loop. `cpuMs`: the most processor time in one, which a busy machine does not change. */
export type LoopHold = { readonly wallMs: number; readonly cpuMs: number }

export function watchLoop(): LoopWatch {
  let longest = { wallMs: 0, cpuMs: 0 }
  let measuredAt = performance.now()
  let used = process.threadCpuUsage()
  const measure = (): void => {
    const now = performance.now()
    const { user, system } = process.threadCpuUsage(used)
    longest = { wallMs: Math.max(longest.wallMs, now - measuredAt - 1), cpuMs: Math.max(longest.cpuMs, (user + system) / 1_000) }
    measuredAt = now
    used = process.threadCpuUsage()
  }
  const timer = setInterval(measure, 1)
  return {
    read() {
      measure()
      const read = longest
      longest = { wallMs: 0, cpuMs: 0 }
      return read
    },
    [Symbol.dispose]: () => clearInterval(timer),
  }
}
