import { scaled } from '../../kernel/deadlines.ts'
import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible'
import type { RequestContext } from '../../access/request-context.ts'
import { AppError } from '../../kernel/errors.ts'
import { givePointBack } from '../../kernel/give-point-back.ts'
import { createKeyedMutex } from '../../kernel/keyed-mutex.ts'

export type AttemptLimits = {
  /** Counts attempts under way and wrong ones together. */
  readonly taken: RateLimiterAbstract
  /** Counts wrong attempts alone, under the same rule: only if they have not used up the limit can waiting help. */
  readonly wrong: RateLimiterAbstract
  /** How many may wait for a permit of one key in this process. */
  readonly maxWaiting: number
}

/** Who waits for a permit. `pausing` runs the wait: the request makes no work meanwhile. */
export type Patience = { readonly signal: AbortSignal; readonly pausing?: RequestContext['pausing'] }

/** Permits for sign-in attempts, per key: taken before the attempt, returned after a right one, used up by a wrong one. */
export interface AttemptPermits {
  /**
   * Takes a permit. Waits if attempts under way have them all, because they may return them. Throws TOO_MANY_TRIES
   * (`data.retryAfterSeconds`) if wrong attempts have used them up, after 20 s, or if too many wait.
   */
  take(key: string, patience: Patience): Promise<void>
  giveBack(key: string): Promise<void>
  useUp(key: string): Promise<void>
}

const maxWaitMs = 20_000
/** How often to check for permits that another instance returned. */
const pollMs = 100

export function createAttemptPermits(limits: AttemptLimits): AttemptPermits {
  const queue = createKeyedMutex()
  const wakeUps = createWakeUps()

  const takeAsFirst = async (key: string, signal: AbortSignal): Promise<void> => {
    const giveUpAt = performance.now() + scaled(maxWaitMs)
    while (!(await tryToTake(limits, key))) {
      if ((await isUsedUp(limits, key)) || performance.now() > giveUpAt || signal.aborted) throw await tooManyAttempts(limits, key)
      await wakeUps.wait(key, pollMs)
    }
  }

  return {
    async take(key, { signal, pausing = (wait) => wait() }) {
      if (queue.pending(key) === 0 && (await tryToTake(limits, key))) return
      if (queue.pending(key) >= limits.maxWaiting) throw await tooManyAttempts(limits, key)
      await pausing(() => queue.run(key, () => takeAsFirst(key, signal)))
    },
    async giveBack(key) {
      await givePointBack(limits.taken, key)
      wakeUps.wake(key)
    },
    async useUp(key) {
      await limits.wrong.penalty(key)
      wakeUps.wake(key)
    },
  }
}

async function tryToTake(limits: AttemptLimits, key: string): Promise<boolean> {
  try {
    await limits.taken.consume(key)
    return true
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal
    await givePointBack(limits.taken, key)
    return false
  }
}

async function isUsedUp({ wrong }: AttemptLimits, key: string): Promise<boolean> {
  return ((await wrong.get(key))?.consumedPoints ?? 0) >= wrong.points
}

async function tooManyAttempts({ taken }: AttemptLimits, key: string): Promise<AppError> {
  const msLeft = (await taken.get(key))?.msBeforeNext ?? 1_000
  const retryAfterSeconds = Math.max(1, Math.ceil(msLeft / 1_000))
  const minutes = Math.ceil(retryAfterSeconds / 60)
  const wait = retryAfterSeconds < 60 ? `${retryAfterSeconds} s` : minutes === 1 ? '1 minute' : `${minutes} minutes`
  return new AppError('TOO_MANY_TRIES', { detail: `Too many attempts; try again in ${wait}`, data: { retryAfterSeconds } })
}

/** Lets one waiter per key sleep until it is woken or a time has passed. */
function createWakeUps() {
  const sleepers = new Map<string, () => void>()
  return {
    wait: (key: string, ms: number) =>
      new Promise<void>((resolve) => {
        const wake = (): void => {
          clearTimeout(timer)
          sleepers.delete(key)
          resolve()
        }
        const timer = setTimeout(wake, ms)
        sleepers.set(key, wake)
      }),
    wake: (key: string): void => sleepers.get(key)?.(),
  }
}
