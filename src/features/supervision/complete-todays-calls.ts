import { AppError } from '../../kernel/errors.ts'
import { workspacesWithCalls } from '../calls/state/record-queue.ts'
import { clinicDayAt } from '../../kernel/clinic-day.ts'
import { loggedReason } from '../../kernel/logged-error.ts'
import { ensureStoredSince } from './day-completeness.ts'
import { type RebuildPorts, rebuildDay } from './rebuild-day.ts'
import type { SupervisionPorts } from './supervision-ports.ts'

export type CompletePorts = RebuildPorts & Pick<SupervisionPorts, 'configuration' | 'workspaceStats'>

/** Reads today's missing calls from the platform, for all workspaces that have calls or whose overview was read lately. */
export async function completeTodaysCalls(ports: CompletePorts): Promise<void> {
  const workspaceIds = new Set([...(await workspacesWithCalls(ports)), ...ports.workspaceStats.workspaceIds()])
  await Promise.all([...workspaceIds].map((workspaceId) => completeWorkspace(ports, workspaceId)))
}

async function completeWorkspace(ports: CompletePorts, workspaceId: string): Promise<void> {
  try {
    await ensureStoredSince(ports, workspaceId)
    const { visits } = await ports.configuration.read(workspaceId, 'platform')
    await rebuildDay(ports, workspaceId, clinicDayAt(ports.clock.now(), visits.timeZone))
  } catch (error) {
    // Without an API key there is nothing to read. After all other errors the next run tries again.
    if (error instanceof AppError && error.reason === 'NOT_CONFIGURED') return
    ports.log.warn({ workspaceId, reason: loggedReason(error) }, 'supervision.rebuild-failed')
  }
}
