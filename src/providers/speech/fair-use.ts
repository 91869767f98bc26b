import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '../../kernel/errors.ts'
import { hashOf, newId } from '../../kernel/ids.ts'
import type { Store } from '../../ports/store.ts'
import { type Speech, speechDeadlineMs } from '../../ports/speech.ts'

export type FairUseOptions = { readonly store: Store; readonly account: string; readonly mostAtOnce: number }

const slotMs = 30_000
const renewEveryMs = 10_000
const lookEveryMs = 250
const longestPauseMs = 30_000

/**
 * Holds an account to what its provider allows: at most so many requests under way over all instances (others wait for their turn), and "too
 * many" is waited out, both until the deadline.
 */
export function withFairUse(speech: Speech, { store, account, mostAtOnce }: FairUseOptions): Speech {
  const keys = Array.from({ length: mostAtOnce }, (_, index) => `speech-slot:${hashOf(account)}:${index}`)
  return {
    isInside: speech.isInside,
    async transcribe(request) {
      const signal = AbortSignal.any([request.signal, AbortSignal.timeout(speechDeadlineMs)])
      for (;;) {
        await using slot = await takeSlot(store, keys, signal)
        try {
          return await speech.transcribe({ ...request, signal: AbortSignal.any([signal, slot.lost]) })
        } catch (error) {
          const seconds = error instanceof AppError && error.reason === 'PROVIDER_UNAVAILABLE' ? error.data?.retryAfterSeconds : undefined
          if (seconds === undefined) throw error
          await pause(Math.min(longestPauseMs, seconds * 1_000) * (0.75 + Math.random() / 2), signal)
        }
      }
    },
  }
}

type Slot = AsyncDisposable & { readonly lost: AbortSignal }

async function takeSlot(store: Store, keys: readonly string[], signal: AbortSignal): Promise<Slot> {
  const holder = newId()
  for (;;) {
    for (const key of inAnyOrder(keys)) {
      // Where the store is away, nobody gets a turn; the next look tells.
      if (await store.setIfAbsent(key, holder, { ttlMs: slotMs }).catch(isAway)) return held(store, key, holder)
    }
    await pause(lookEveryMs * (0.5 + Math.random()), signal)
  }
}

function held(store: Store, key: string, holder: string): Slot {
  const lost = new AbortController()
  const renew = (): void =>
    void store
      .compareAndSet(key, { expected: holder, value: holder, ttlMs: slotMs })
      .then((kept) => kept || lost.abort(new AppError('OVERLOADED', { detail: 'The turn at the speech provider was lost' })))
      // The store is away for a moment: the next renewal tells.
      .catch(() => {})
  const timer = setInterval(renew, renewEveryMs)
  return {
    lost: lost.signal,
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await store.compareAndDelete(key, holder).catch(() => {})
    },
  }
}

function isAway(error: unknown): false {
  if (error instanceof AppError && error.reason === 'STORE_UNAVAILABLE') return false
  throw error
}

function inAnyOrder(keys: readonly string[]): readonly string[] {
  const from = Math.floor(Math.random() * keys.length)
  return [...keys.slice(from), ...keys.slice(0, from)]
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, { signal })
  } catch {
    const reason: unknown = signal.reason
    throw reason instanceof AppError ? reason : new AppError('DEADLINE_PASSED', { detail: 'The speech provider was busy for too long' })
  }
}
