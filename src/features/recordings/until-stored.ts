import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '../../kernel/errors.ts'

const pauseMs = 250
const usualTries = 20

type Patience = { readonly tries?: number; readonly signal?: AbortSignal }

/**
 * Repeats a step that may be repeated while the store is away for a moment: what has been paid for is not thrown away for that. Gives up
 * after `tries` (20 where left out), or when `signal` aborts.
 */
export async function untilStored<T>(step: () => Promise<T>, { tries = usualTries, signal }: Patience = {}): Promise<T> {
  for (let count = 1; ; count += 1) {
    try {
      return await step()
    } catch (error) {
      const isAway = error instanceof AppError && error.reason === 'STORE_UNAVAILABLE'
      if (!isAway || count >= tries || signal?.aborted === true) throw error
      await delay(pauseMs)
    }
  }
}
