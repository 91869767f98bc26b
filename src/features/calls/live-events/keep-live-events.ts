import { AppError } from '../../../kernel/errors.ts'
import type { CallPorts } from '../state/call-ports.ts'
import { subscribeLiveEvents } from './subscribe-live-events.ts'

/**
 * Subscribes the live events of every workspace that lacks them. Run again and again, it finds a start, saved configuration, a new webhook key
 * and the end of an outage, whichever instance they happened on. A workspace that fails does not delay the others.
 */
export async function keepLiveEvents(
  ports: Parameters<typeof subscribeLiveEvents>[0] & Pick<CallPorts, 'servedWorkspaces' | 'workspaces'>,
): Promise<void> {
  await Promise.all(ports.servedWorkspaces.workspaces.map((subdomain) => keepFor(ports, subdomain)))
}

async function keepFor(ports: Parameters<typeof keepLiveEvents>[0], subdomain: string): Promise<void> {
  try {
    const workspaceId = await ports.workspaces.idOf(subdomain)
    if (workspaceId !== null) await subscribeLiveEvents(ports, workspaceId)
  } catch (error) {
    // The store or the platform is away, which /health shows. The next run tries again.
    if (!(error instanceof AppError)) throw error
    ports.log.debug({ subdomain, reason: error.reason }, 'live-events.not-checked')
  }
}
