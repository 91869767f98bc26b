import { type Actor, auditActor } from '../../access/actor.ts'
import { isoMoment } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Ports } from '../../ports/ports.ts'
import type { RaisedAlert } from './alert.ts'
import { changeAlert, readAlert } from './alert-store.ts'
import { alertTopic } from './evaluate-alerts.ts'

/** Says that the manager has seen the alert. It stays active; the first manager remains named. Errors: NOT_FOUND, STORE_UNAVAILABLE. */
export async function acknowledgeAlert(
  ports: Pick<Ports, 'audit' | 'clock' | 'notifications' | 'store'>,
  actor: Actor,
  id: string,
): Promise<RaisedAlert> {
  const { workspaceId } = actor.principal
  const known = await readAlert(ports, { workspaceId, id })
  if (!known) throw new AppError('NOT_FOUND', { detail: 'There is no such alert' })
  if (known.acknowledgedAt !== null) return known
  const { memberId, name } = auditActor(actor)
  const acknowledgement = { acknowledgedAt: isoMoment(ports.clock.now()), acknowledgedBy: { memberId, name } }
  const alert = await changeAlert(ports, { workspaceId, id }, (before) =>
    before.acknowledgedAt === null ? { ...before, ...acknowledgement } : before,
  )
  await ports.audit.record(workspaceId, {
    actor: auditActor(actor),
    action: 'alert.acknowledged',
    target: { kind: 'alert', id, name: known.kind },
    details: { kind: known.kind, subject: known.subject?.name ?? null },
  })
  await ports.notifications.publish({ topic: alertTopic, workspaceId, payload: id })
  return alert ?? known
}
