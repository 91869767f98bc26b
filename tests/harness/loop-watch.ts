/** How long the event loop of this process was held. Reading starts a new measurement. */
export type LoopWatch = Disposable & { read(): LoopHold }

/** `wallMs`: the longest time between two turns of the loop. `cpuMs`: the most processor time in one, which a busy machine does not change. */
export type LoopHold = { readonly wallMs: number; readonly cpuMs: number }

export function watchLoop(): LoopWatch {
  let longest = { wallMs: 0, cpuMs: 0 }
  let turnedAt = performance.now()
  let used = process.threadCpuUsage()
  const turn = (): void => {
    const now = performance.now()
    const { user, system } = process.threadCpuUsage(used)
    longest = { wallMs: Math.max(longest.wallMs, now - turnedAt - 1), cpuMs: Math.max(longest.cpuMs, (user + system) / 1_000) }
    turnedAt = now
    used = process.threadCpuUsage()
  }
  const timer = setInterval(turn, 1)
  return {
    read() {
      turn()
      const read = longest
      longest = { wallMs: 0, cpuMs: 0 }
      return read
    },
    [Symbol.dispose]: () => clearInterval(timer),
  }
}
