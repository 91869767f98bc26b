import type { CallPorts } from '../state/call-ports.ts'
import { workspacesWithCalls } from '../state/record-queue.ts'
import { reconcileCalls, type ReconcilePorts } from './reconcile-calls.ts'

export interface Reconciliation {
  /** One step for each workspace that is due. Errors: STORE_UNAVAILABLE. */
  run(): Promise<void>
}

/** Between two runs of this job; after a longer pause this process was away, and may have missed webhooks. */
const longestPauseMs = 30_000

/** Makes up for webhooks that did not arrive, for the served workspaces and those that have calls. */
export function createReconciliation(ports: ReconcilePorts & Pick<CallPorts, 'servedWorkspaces' | 'workspaces'>): Reconciliation {
  const { clock, log, servedWorkspaces, workspaces } = ports
  let lastRunAt = Number.NEGATIVE_INFINITY
  let awaySince = 0

  const workspaceIds = async (): Promise<readonly string[]> => {
    const served = servedWorkspaces.workspaces.map((subdomain) => workspaces.idOf(subdomain).catch(() => null))
    const ids = (await Promise.all(served)).filter((id) => id !== null)
    return [...new Set([...ids, ...(await workspacesWithCalls(ports))])]
  }
  const step = async (workspaceId: string): Promise<void> => {
    // One workspace's failure leaves the others.
    await reconcileCalls(ports, { workspaceId, awaySince }).catch((error: unknown) =>
      log.warn({ err: error, workspaceId }, 'call-reconciliation.step-failed'),
    )
  }

  return {
    async run() {
      const now = clock.now()
      if (now - lastRunAt > longestPauseMs) awaySince = now
      lastRunAt = now
      await Promise.all((await workspaceIds()).map(step))
      lastRunAt = clock.now()
    },
  }
}
