import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible'
import { AppError } from '../../kernel/errors.ts'

export type ReservationsOptions = {
  /** Counts tries under way and wrong ones together. */
  readonly taken: RateLimiterAbstract
  /** Counts wrong ones alone, under the same rule: it tells whether waiting can help. */
  readonly wrong: RateLimiterAbstract
  /** How many may wait for a place of one key in this process. */
  readonly maxWaiting: number
}

/** Places for tries, per key: taken before the try, given back when it was right, lost when it was wrong. */
export interface Reservations {
  /**
   * Takes a place; waits while all that are taken are under way and may come back. Throws TOO_MANY_TRIES (`data.retryAfterSeconds`)
   * where wrong tries have used them up, or after 20 s.
   */
  take(key: string, signal: AbortSignal): Promise<void>
  giveBack(key: string): Promise<void>
  lose(key: string): Promise<void>
}

const patienceMs = 20_000
const lookAgainMs = 100

export function createReservations({ taken, wrong, maxWaiting }: ReservationsOptions): Reservations {
  const queues = new Map<string, Queue>()

  const tryOnce = async (key: string): Promise<boolean> => {
    try {
      await taken.consume(key)
      return true
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal
      await giveBack(key)
      return false
    }
  }
  const giveBack = async (key: string): Promise<void> => {
    const left = await taken.reward(key)
    // Its window ended meanwhile: a place of the next one must not come from it.
    if (left.consumedPoints < 0) await taken.delete(key)
  }
  const tooMany = async (key: string): Promise<AppError> => {
    const msLeft = (await taken.get(key))?.msBeforeNext ?? 1_000
    return new AppError('TOO_MANY_TRIES', { data: { retryAfterSeconds: Math.max(1, Math.ceil(msLeft / 1_000)) } })
  }
  const isUsedUp = async (key: string): Promise<boolean> => ((await wrong.get(key))?.consumedPoints ?? 0) >= wrong.points

  const waitAsFirst = async (key: string, queue: Queue, signal: AbortSignal): Promise<void> => {
    const giveUpAt = performance.now() + patienceMs
    while (!(await tryOnce(key))) {
      if ((await isUsedUp(key)) || performance.now() > giveUpAt || signal.aborted) throw await tooMany(key)
      await queue.update(lookAgainMs)
    }
  }

  return {
    async take(key, signal) {
      const standing = queues.get(key)
      if (!standing && (await tryOnce(key))) return
      const queue = queues.get(key) ?? createQueue()
      if (queue.length() >= maxWaiting) throw await tooMany(key)
      queues.set(key, queue)
      await queue
        .inTurn(() => waitAsFirst(key, queue, signal))
        .finally(() => {
          if (queue.length() === 0) queues.delete(key)
        })
    },
    async giveBack(key) {
      await giveBack(key)
      queues.get(key)?.tell()
    },
    async lose(key) {
      await wrong.penalty(key)
      queues.get(key)?.tell()
    },
  }
}

type Queue = ReturnType<typeof createQueue>

/** Those who wait, one after the other; the first is told when something changes. */
function createQueue() {
  let last: Promise<unknown> = Promise.resolve()
  let length = 0
  let wake: () => void = () => undefined
  return {
    length: () => length,
    tell: () => wake(),
    update: (ms: number) =>
      new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      }),
    inTurn<T>(step: () => Promise<T>): Promise<T> {
      length += 1
      const turn = last.then(step, step)
      last = turn.catch(() => undefined)
      return turn.finally(() => {
        length -= 1
      })
    },
  }
}
