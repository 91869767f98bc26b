import { type Actor, auditActor } from '../../access/actor.ts'
import { AppError } from '../../kernel/errors.ts'
import type { DeadLetter } from '../../ports/dead-letters.ts'
import { type EventPorts, visibleWorkspaceIds } from './event-ports.ts'

/** `remaining`: whether there are more dead letters to replay. */
export type Replayed = { readonly replayed: number; readonly remaining: boolean }

/** Delivers one dead letter to its consumer again. Errors: NOT_FOUND, STORE_UNAVAILABLE, PROVIDER_UNAVAILABLE. */
export async function replayDeadLetter(ports: EventPorts, actor: Actor, id: string): Promise<Replayed> {
  const deadLetter = await ports.bus.deadLetters.read(id)
  if (!deadLetter || !visibleWorkspaceIds(ports, actor.principal.workspaceId).includes(deadLetter.workspaceId))
    throw new AppError('NOT_FOUND', { detail: 'There is no such dead letter' })
  await replay(ports, actor, deadLetter)
  return { replayed: 1, remaining: false }
}

/** Removes the dead letter only after it is sent and audited. After a crash in between it is sent again, which consumers tolerate. */
export async function replay({ bus, audit }: Pick<EventPorts, 'bus' | 'audit'>, actor: Actor, deadLetter: DeadLetter): Promise<void> {
  await bus.replay(deadLetter)
  const { id, topic, eventId, receiver, reason } = deadLetter
  await audit.record(actor.principal.workspaceId, {
    actor: auditActor(actor),
    action: 'deadLetter.replayed',
    target: { kind: 'deadLetter', id, name: topic },
    details: { topic, eventId, receiver, reason },
  })
  await bus.deadLetters.remove(id)
}
