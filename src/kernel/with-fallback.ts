/**
 * Runs a step that the caller can do without: answers `otherwise` where it fails or takes longer than the patience, and after that
 * does not try again for a while, so that something that hangs costs its callers one short wait and not one each.
 */
export type WithFallback = <T>(step: () => Promise<T>, otherwise: T) => Promise<T>

export type WithFallbackOptions = { readonly patienceMs: number; readonly pauseMs: number }

/** `patienceMs`: the longest that one step is waited for; `pauseMs`: how long none is tried after one that failed. */
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

/** Thrown in place of an answer that did not come in time. */
export class TookTooLong extends Error {
  constructor(ms: number) {
    super(`no answer within ${ms} ms`)
    this.name = 'TookTooLong'
  }
}

/**
 * Settles as the promise does, or rejects with TookTooLong after `ms`; what the promise stands for goes on all the same. An answer that
 * has arrived counts, also where this process was too busy to read it in time.
 */
export async function withDeadline<T>(promise: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    // Between the timer and the immediate, the event loop reads what has arrived.
    timer = setTimeout(() => setImmediate(() => reject(new TookTooLong(ms))), ms)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
