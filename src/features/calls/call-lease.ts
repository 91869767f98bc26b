import { AppError } from '../../kernel/errors.ts'
import { withLease } from '../../ports/lease.ts'
import type { Ports } from '../../ports/ports.ts'
import type { CallKey } from './call-state-store.ts'

/** Within the deadline of a request, and longer than one request to the provider. */
const waitMs = 12_000

/**
 * Runs a step that acts on a call, one at a time over all instances: a second click waits, and sees what the first one did. Errors:
 * WRONG_STATE (another action takes longer), STORE_UNAVAILABLE, those of the step.
 */
export async function withCallLease<T>(
  { store, log }: Pick<Ports, 'log' | 'store'>,
  { workspaceId, ucid }: CallKey,
  step: (lost: AbortSignal) => Promise<T>,
): Promise<T> {
  const onBusy = () => new AppError('WRONG_STATE', { detail: 'Another action on this call is under way: try again in a moment' })
  return withLease(store, `call-action:${workspaceId}:${ucid}`, { waitMs, log, step, onBusy })
}
