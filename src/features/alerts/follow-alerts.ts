import type { Actor } from '../../access/actor.ts'
import type { Ports } from '../../ports/ports.ts'
import type { AuthPorts } from '../auth/auth-ports.ts'
import { watchActor } from '../auth/watch-actor.ts'
import { liveStream } from '../calls/streams/live-stream.ts'
import type { RaisedAlert } from './alert.ts'
import { readActiveAlerts, readAlert } from './alert-store.ts'
import { alertTopic } from './evaluate-alerts.ts'

const maxActive = 200

/**
 * Alerts as they are raised, acknowledged and cleared; the active ones come first. Ends when `signal` aborts or the actor's token ends. Errors:
 * TOKEN_REFUSED, ROLE_MISSING, OVERLOADED (read too slowly), STORE_UNAVAILABLE.
 */
export async function* followAlerts(
  ports: Pick<Ports, 'clock' | 'notifications' | 'store'> & Pick<AuthPorts, 'principals'>,
  actor: Actor,
  signal: AbortSignal,
): AsyncGenerator<RaisedAlert> {
  const { workspaceId } = actor.principal
  const changes = liveStream({
    notifications: ports.notifications,
    topic: alertTopic,
    workspaceId,
    end: { signal, allowed: watchActor(ports, actor) },
    existing: async () => (await readActiveAlerts(ports, workspaceId)).slice(0, maxActive).map(({ id }) => id),
  })
  for await (const { key: id } of changes) {
    const alert = await readAlert(ports, { workspaceId, id })
    if (alert) yield alert
  }
}
