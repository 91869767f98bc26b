import { deadlineSignal } from '../../kernel/deadlines.ts'
import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '../../kernel/errors.ts'
import { hashOf } from '../../kernel/ids.ts'
import type { Lease } from '../../ports/lease.ts'
import { type Speech, speechDeadlineMs } from '../../ports/speech.ts'
import type { Store } from '../../ports/store.ts'
import { LeaseOf } from '../../ports/stored/lease-of.ts'

export type FairUseOptions = { readonly store: Store; readonly account: string; readonly maxConcurrent: number }

/** `slot`: from 0 to the most requests at a time. */
type Slot = { readonly account: string; readonly slot: number }

export const speechSlots = new LeaseOf({
  name: 'speech-slot',
  scope: 'installation',
  key: ({ account, slot }: Slot) => [hashOf(account), String(slot)],
  what: 'a request to the speech provider under way',
})

const pollMs = 250
const maxPauseMs = 30_000
/** A request that did not wait for its slot ends at the adapter's own deadline first, which counts against the provider. */
const afterDeadlineMs = 1_000

/**
 * Respects the provider's limit for an account: over all instances at most `maxConcurrent` requests at a time, the others wait. A request
 * that the provider rejects for its rate limit is repeated after the pause that the provider asks for. Both until the deadline.
 */
export function withFairUse(speech: Speech, { store, account, maxConcurrent }: FairUseOptions): Speech {
  const slots = Array.from({ length: maxConcurrent }, (_, slot) => ({ account, slot }))
  return {
    isPrivate: speech.isPrivate,
    async transcribe(request) {
      const signal = AbortSignal.any([request.signal, deadlineSignal(speechDeadlineMs + afterDeadlineMs)])
      for (;;) {
        await using slot = await acquireSlot(store, slots, signal)
        try {
          return await speech.transcribe({ ...request, signal: AbortSignal.any([signal, slot.lost]) })
        } catch (error) {
          const seconds = error instanceof AppError && error.reason === 'PROVIDER_UNAVAILABLE' ? error.data?.retryAfterSeconds : undefined
          if (seconds === undefined) throw error
          await pause(Math.min(maxPauseMs, seconds * 1_000) * (0.75 + Math.random() / 2), signal)
        }
      }
    },
  }
}

async function acquireSlot(store: Store, slots: readonly Slot[], signal: AbortSignal): Promise<Lease> {
  for (;;) {
    for (const slot of fromRandomStart(slots)) {
      const lease = await speechSlots.acquire({ store }, slot, {}).catch(nullIfUnavailable)
      if (lease) return lease
    }
    await pause(pollMs * (0.5 + Math.random()), signal)
  }
}

/** While the store is unavailable nobody gets a slot; the next poll tries again. */
function nullIfUnavailable(error: unknown): null {
  if (error instanceof AppError && error.reason === 'STORE_UNAVAILABLE') return null
  throw error
}

function fromRandomStart(slots: readonly Slot[]): readonly Slot[] {
  const from = Math.floor(Math.random() * slots.length)
  return [...slots.slice(from), ...slots.slice(0, from)]
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, { signal })
  } catch {
    const reason: unknown = signal.reason
    throw reason instanceof AppError ? reason : new AppError('DEADLINE_PASSED', { detail: 'The speech provider was busy for too long' })
  }
}
