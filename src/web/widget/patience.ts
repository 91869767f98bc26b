import { type Failure, toFailure } from './failure.ts'

/** The pauses between tries; after the last one it is given up. */
const pausesMs = [500, 1_000, 2_000, 4_000, 8_000]
/** For a longer wait the visitor gets a message instead. */
const longestWaitSeconds = 20

/** The pause before the next try, at least what the service asks for; null for no further try. */
export function pauseAfter(failure: Failure, tries: number): number | null {
  const pauseMs = pausesMs[tries]
  if (pauseMs === undefined || !failure.isPassing) return null
  const { retryAfterSeconds } = failure
  if (retryAfterSeconds !== null) return retryAfterSeconds > longestWaitSeconds ? null : retryAfterSeconds * 1_000
  return pauseMs * (0.5 + Math.random() / 2)
}

/** Waits, and if the browser is offline, until it is online; ends when the signal aborts. */
export async function waitFor(pauseMs: number, signal?: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, pauseMs)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
  if (navigator.onLine || signal?.aborted) return
  await new Promise<void>((resolve) => {
    addEventListener('online', () => resolve(), { once: true })
    signal?.addEventListener('abort', () => resolve())
  })
}

/** Tries again, within the budget, what failed for a passing reason. */
export async function patiently<Value>(attempt: () => Promise<Value>): Promise<Value> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await attempt()
    } catch (error) {
      const failure = toFailure(error)
      const pauseMs = pauseAfter(failure, tries)
      if (pauseMs === null) throw failure
      await waitFor(pauseMs)
    }
  }
}
