import { AppError } from '../../kernel/errors.ts'
import { withLease } from '../../ports/lease.ts'
import type { Store } from '../../ports/store.ts'

/** Runs the steps of one key after each other, on all instances. Waits 20 s at most, then throws OVERLOADED. Errors: STORE_UNAVAILABLE. */
export type OneAtATime = <T>(key: string, step: () => Promise<T>) => Promise<T>

export function createOneAtATime(store: Store): OneAtATime {
  return (key, step) => withLease(store, key, { ttlMs: 8_000, waitMs: 20_000, step, onBusy })
}

function onBusy(): AppError {
  return new AppError('OVERLOADED', { detail: 'This is being done already; ask again in a moment', data: { retryAfterSeconds: 5 } })
}
