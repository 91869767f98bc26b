import { scaled } from './deadlines.ts'

/**
 * Runs an optional step. Returns `otherwise` if the step fails or takes longer than `patienceMs`. After such a failure it does not try
 * again for `pauseMs`, so that a dependency that hangs delays only one caller and not each of them.
 */
export type WithFallback = <T>(step: () => Promise<T>, otherwise: T) => Promise<T>

export type WithFallbackOptions = { readonly patienceMs: number; readonly pauseMs: number }

/** `patienceMs`: the longest wait for one step. `pauseMs`: how long steps are skipped after a failure. */
export function createWithFallback({ patienceMs, pauseMs }: WithFallbackOptions): WithFallback {
  let pausedUntil = Number.NEGATIVE_INFINITY
  return async (step, otherwise) => {
    if (performance.now() < pausedUntil) return otherwise
    try {
      return await withDeadline(step(), patienceMs)
    } catch {
      pausedUntil = performance.now() + pauseMs
      return otherwise
    }
  }
}

/** Thrown if the answer did not arrive in time. */
export class TookTooLong extends Error {
  constructor(ms: number) {
    super(`no answer within ${ms} ms`)
    this.name = 'TookTooLong'
  }
}

/**
 * Settles like the promise, or rejects with TookTooLong after `usualMs`, scaled; the work behind the promise is not cancelled. An answer that has
 * arrived in time counts, even if this process was too busy to read it in time.
 */
export async function withDeadline<T>(promise: Promise<T>, usualMs: number): Promise<T> {
  const ms = scaled(usualMs)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    // Between the timer and the immediate, the event loop reads the data that has arrived.
    timer = setTimeout(() => setImmediate(() => reject(new TookTooLong(ms))), ms)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
