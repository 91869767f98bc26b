import { deadlineSignal } from '../../kernel/deadlines.ts'
import { AppError } from '../../kernel/errors.ts'
import { LeaseOf } from '../../ports/stored/lease-of.ts'
import type { TeamPorts } from './team-ports.ts'

type LeasePorts = Pick<TeamPorts, 'store' | 'log' | 'teamMutex' | 'isShared'>

const maxWaitMs = 20_000
const maxStepMs = 22_000
const maxPending = 200

export const teamLease = new LeaseOf({
  name: 'team:*:change',
  key: (workspaceId: string) => [workspaceId],
  // After a crash another instance can change the team after this time.
  lifetime: 10_000,
  what: 'a change of the team under way',
})

/**
 * Runs a change of a team while no other change of this workspace runs, on all instances. Waits for other changes for at most 20 s, then
 * throws OVERLOADED; also if too many wait. The step's signal aborts after 22 s, and if the lease is lost; then the step must stop. Throws
 * STORE_UNAVAILABLE.
 */
export async function withTeamLease<T>(ports: LeasePorts, workspaceId: string, step: (signal: AbortSignal) => Promise<T>): Promise<T> {
  if (ports.teamMutex.pending(workspaceId) >= maxPending) throw busy()
  const giveUpAt = performance.now() + maxWaitMs
  return ports.teamMutex.run(workspaceId, async () => {
    const waitMs = giveUpAt - performance.now()
    if (waitMs <= 0) throw busy()
    // A single process owns its store: the mutex is enough, and a crash leaves no lease behind.
    if (!ports.isShared) return step(deadlineSignal(maxStepMs))
    return teamLease.run(ports, workspaceId, {
      log: ports.log,
      waitMs,
      onBusy: busy,
      step: (lost) => step(AbortSignal.any([deadlineSignal(maxStepMs), lost])),
    })
  })
}

/** Runs the step only if no change of this team runs or waits. Throws STORE_UNAVAILABLE. */
export async function ifTeamIsFree(ports: LeasePorts, workspaceId: string, step: (signal: AbortSignal) => Promise<void>): Promise<void> {
  if (ports.teamMutex.pending(workspaceId) > 0) return
  await ports.teamMutex.run(workspaceId, async () => {
    const late = deadlineSignal(maxStepMs)
    if (!ports.isShared) return step(late)
    await using lease = await teamLease.acquire(ports, workspaceId, { log: ports.log })
    if (lease) await step(AbortSignal.any([late, lease.lost]))
  })
}

function busy(): AppError {
  return new AppError('OVERLOADED', { detail: 'Other changes of this team are still running', data: { retryAfterSeconds: 5 } })
}
