import { AppError } from '../../../kernel/errors.ts'
import type { Ports } from '../../../ports/ports.ts'
import { LeaseOf } from '../../../ports/stored/lease-of.ts'
import type { CallKey } from '../state/call-state-store.ts'

/** Within the deadline of a request, and longer than one request to the provider. */
const waitMs = 12_000

export const callActionLease = new LeaseOf({
  name: 'call-action',
  key: ({ workspaceId, ucid }: CallKey) => [workspaceId, ucid],
  what: 'an action on a call under way',
})

/**
 * Runs a step that acts on a call, one at a time over all instances: a second click waits, and sees what the first one did. Errors:
 * WRONG_STATE (another action takes longer), STORE_UNAVAILABLE, those of the step.
 */
export async function withCallLease<T>(
  ports: Pick<Ports, 'log' | 'store'>,
  call: CallKey,
  step: (lost: AbortSignal) => Promise<T>,
): Promise<T> {
  const onBusy = () => new AppError('WRONG_STATE', { detail: 'Another action on this call is under way: try again in a moment' })
  return callActionLease.run(ports, call, { waitMs, log: ports.log, step, onBusy })
}
