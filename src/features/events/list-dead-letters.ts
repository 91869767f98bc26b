import { z } from 'zod'
import type { Actor } from '../../access/actor.ts'
import { isoMoment } from '../../kernel/clock.ts'
import { type Connection, type PageRequest, readConnection } from '../../kernel/connection.ts'
import type { DeadLetter } from '../../ports/dead-letters.ts'
import { type NonRetryableReason, nonRetryableReasons } from '../../ports/non-retryable-error.ts'
import { deadLetterSubject, type DeadLetterSubject } from './dead-letter-subject.ts'
import { type EventPorts, visibleWorkspaceIds } from './event-ports.ts'

/** A dead letter as managers see it: of its content only what it is about. `deadAt`: ISO 8601. */
export type ShownDeadLetter = Pick<DeadLetter, 'id' | 'topic' | 'eventId' | 'receiver'> &
  DeadLetterSubject & {
    readonly reason: NonRetryableReason | 'OTHER'
    readonly detail: string | null
    readonly deadAt: string
  }

const positionSchema = z.object({ deadAt: z.number(), id: z.string() })

/** A page of the dead letters that the manager may see, newest first. Errors: INVALID_INPUT, STORE_UNAVAILABLE. */
export async function listDeadLetters(
  ports: Pick<EventPorts, 'bus' | 'servedWorkspaces'>,
  { principal: { workspaceId } }: Actor,
  page: PageRequest,
): Promise<Connection<ShownDeadLetter>> {
  const workspaceIds = visibleWorkspaceIds(ports, workspaceId)
  return readConnection({ name: 'dead-letters', workspaceId, position: positionSchema }, page, async (before, limit) => {
    const found = await ports.bus.deadLetters.list({ workspaceIds, limit, before })
    return { entries: found.map((deadLetter) => ({ node: shown(deadLetter), position: { deadAt: deadLetter.deadAt, id: deadLetter.id } })) }
  })
}

function shown({ id, topic, eventId, key, value, receiver, reason, deadAt }: DeadLetter): ShownDeadLetter {
  return { id, topic, eventId, ...deadLetterSubject({ key, value }), receiver, ...shownReason(reason), deadAt: isoMoment(deadAt) }
}

/** The stored text is a reason, or `reason: detail`. */
function shownReason(stored: string): Pick<ShownDeadLetter, 'reason' | 'detail'> {
  const [name, ...detail] = stored.split(': ')
  const reason = nonRetryableReasons.find((known) => known === name)
  return reason ? { reason, detail: detail.length === 0 ? null : detail.join(': ') } : { reason: 'OTHER', detail: stored }
}
