import { type Actor, auditActor } from '../../access/actor.ts'
import { isoMoment } from '../../kernel/clock.ts'
import type { Ports } from '../../ports/ports.ts'
import type { RaisedAlert } from './alert.ts'
import { changeAlert } from './alert-store.ts'
import { alertTopic } from './evaluate-alerts.ts'

/** Says that the manager has seen the alert. It stays active; the first manager remains named. Errors: NOT_FOUND, STORE_UNAVAILABLE. */
export async function acknowledgeAlert(
  ports: Pick<Ports, 'audit' | 'clock' | 'notifications' | 'store'>,
  actor: Actor,
  id: string,
): Promise<RaisedAlert> {
  const { workspaceId } = actor.principal
  const { memberId, name } = auditActor(actor)
  const acknowledgement = { acknowledgedAt: isoMoment(ports.clock.now()), acknowledgedBy: { memberId, name } }
  const { before, after } = await changeAlert(
    ports,
    { workspaceId, id },
    {
      change: (alert) => (alert.acknowledgedAt === null ? { ...alert, ...acknowledgement } : alert),
      audit(former, { kind, subject }) {
        if (former.acknowledgedAt !== null) return null
        return ports.audit.entryOf(workspaceId, {
          actor: auditActor(actor),
          action: 'alert.acknowledged',
          target: { kind: 'alert', id, name: kind },
          details: { kind, subject: subject?.name ?? null },
        })
      },
    },
  )
  if (before === after) return after
  await ports.notifications.publish({ topic: alertTopic, workspaceId, payload: id })
  return after
}
