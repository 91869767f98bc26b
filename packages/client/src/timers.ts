/** The clock and timers that a client uses. Tests give their own. */
export interface Timers {
  /** Milliseconds since 1970. */
  now(): number
  /** Runs the function once, after so many milliseconds. Returns what cancels it. */
  after(ms: number, run: () => void): () => void
}

export const realTimers: Timers = {
  now: () => Date.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}

/** Resolves after so many milliseconds, or at once when the signal is aborted. */
export function pause(timers: Timers, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const end = (): void => {
      cancel()
      signal.removeEventListener('abort', end)
      resolve()
    }
    const cancel = timers.after(ms, end)
    signal.addEventListener('abort', end)
  })
}

/** A wait before the next try: doubled with each failed one up to half a minute, of which chance takes up to a half. */
export function backOffMs(failures: number): number {
  return Math.round(Math.min(30_000, 1_000 * 2 ** Math.min(failures, 5)) * (0.5 + Math.random() / 2))
}
