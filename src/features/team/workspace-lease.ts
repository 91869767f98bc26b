import { setTimeout as pause } from 'node:timers/promises'
import { AppError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { Store } from '../../ports/store.ts'
import { createKeyedMutex } from '../../kernel/keyed-mutex.ts'

/**
 * One change of a team at a time per workspace. The step's signal aborts after its time, and where the turn was lost; then nothing of it
 * may go on.
 */
export interface WorkspaceTurns {
  /** Waits for the turn, at most 20 s; OVERLOADED after that, or where too many wait. Throws STORE_UNAVAILABLE. */
  take<T>(workspaceId: string, step: (signal: AbortSignal) => Promise<T>): Promise<T>
  /** Runs the step only where the turn is free. */
  takeIfFree(workspaceId: string, step: (signal: AbortSignal) => Promise<void>): Promise<void>
}

export type WorkspaceTurnsOptions = {
  /** Through which instances keep out of each other's way; null where there is one only, which owns the data directory. */
  readonly sharedStore: Store | null
  readonly longestStepMs?: number
}

const patienceMs = 20_000
const lookEveryMs = 50
/** After a crash the turn is free again after this. */
const heldMs = 10_000
const renewEveryMs = 3_000
const maxWaiting = 200

export function createWorkspaceTurns({ sharedStore, longestStepMs = 22_000 }: WorkspaceTurnsOptions): WorkspaceTurns {
  const mutex = createKeyedMutex()
  const waiting = new Map<string, number>()
  const count = (workspaceId: string, by: number): void => {
    const now = (waiting.get(workspaceId) ?? 0) + by
    if (now === 0) waiting.delete(workspaceId)
    else waiting.set(workspaceId, now)
  }
  const run = async <T>(step: (signal: AbortSignal) => Promise<T>, lost?: AbortSignal): Promise<T> => {
    const late = AbortSignal.timeout(longestStepMs)
    return step(lost ? AbortSignal.any([late, lost]) : late)
  }

  return {
    async take(workspaceId, step) {
      if ((waiting.get(workspaceId) ?? 0) >= maxWaiting) throw busy()
      const giveUpAt = performance.now() + patienceMs
      count(workspaceId, 1)
      return mutex
        .run(workspaceId, async () => {
          if (performance.now() > giveUpAt) throw busy()
          if (!sharedStore) return run(step)
          await using held = await hold(sharedStore, workspaceId, giveUpAt)
          if (!held) throw busy()
          // Awaited here: the lock is held until the step is over.
          return await run(step, held.lost)
        })
        .finally(() => count(workspaceId, -1))
    },
    async takeIfFree(workspaceId, step) {
      if (waiting.has(workspaceId)) return
      count(workspaceId, 1)
      await mutex
        .run(workspaceId, async () => {
          if (!sharedStore) return run(step)
          await using held = await hold(sharedStore, workspaceId, performance.now())
          if (held) await run(step, held.lost)
        })
        .finally(() => count(workspaceId, -1))
    },
  }
}

type Held = AsyncDisposable & { readonly lost: AbortSignal }

/** Takes the workspace's lock in the store and keeps it until disposed of; null where it is not free in time. */
async function hold(store: Store, workspaceId: string, giveUpAt: number): Promise<Held | null> {
  const key = `team:${workspaceId}:turn`
  const mine = newId()
  while (!(await store.setIfAbsent(key, mine, { ttlMs: heldMs }))) {
    if (performance.now() >= giveUpAt) return null
    await pause(lookEveryMs)
  }
  const lost = new AbortController()
  let renewedAt = performance.now()
  const renew = async (): Promise<void> => {
    const isMine = await store.compareAndSet(key, { expected: mine, value: mine, ttlMs: heldMs }).catch(() => null)
    if (isMine) renewedAt = performance.now()
    if (isMine === false || performance.now() - renewedAt > heldMs - renewEveryMs) lost.abort(busy())
  }
  const timer = setInterval(() => void renew(), renewEveryMs).unref()
  return {
    lost: lost.signal,
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      // What cannot be released now ends by itself soon.
      await store.compareAndDelete(key, mine).catch(() => false)
    },
  }
}

function busy(): AppError {
  return new AppError('OVERLOADED', { detail: 'Other changes of this team are still under way', data: { retryAfterSeconds: 5 } })
}
