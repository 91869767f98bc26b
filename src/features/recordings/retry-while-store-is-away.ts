import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '../../kernel/errors.ts'

const pauseMs = 250
const defaultTries = 20

type RetryOptions = { readonly tries?: number; readonly signal?: AbortSignal }

/**
 * Repeats an idempotent step while the store is unavailable, so that a short outage does not waste a paid transcription. Gives up after
 * `tries` (default 20), or when `signal` aborts.
 */
export async function retryWhileStoreIsAway<T>(step: () => Promise<T>, { tries = defaultTries, signal }: RetryOptions = {}): Promise<T> {
  for (let count = 1; ; count += 1) {
    try {
      return await step()
    } catch (error) {
      const isUnavailable = error instanceof AppError && error.reason === 'STORE_UNAVAILABLE'
      if (!isUnavailable || count >= tries || signal?.aborted === true) throw error
      await delay(pauseMs)
    }
  }
}
