import { z } from 'zod'
import type { Actor } from '../../access/actor.ts'
import { isoMoment } from '../../kernel/clock.ts'
import { invalidInput } from '../../kernel/errors.ts'
import type { DeadLetter, DeadLetterPage } from '../../ports/dead-letters.ts'
import { type NonRetryableReason, nonRetryableReasons } from '../../ports/non-retryable-error.ts'
import { type EventPorts, visibleWorkspaceIds } from './event-ports.ts'

/** A dead letter as managers see it, without its content. `deadAt`: ISO 8601. */
export type ShownDeadLetter = Pick<DeadLetter, 'id' | 'topic' | 'eventId' | 'key' | 'receiver'> & {
  readonly reason: NonRetryableReason | 'OTHER'
  readonly detail: string | null
  readonly deadAt: string
}
export type ShownDeadLetters = { readonly deadLetters: readonly ShownDeadLetter[]; readonly nextCursor: string | null }
/** `after`: the cursor of the previous page; null for the first page. */
export type DeadLetterQuery = { readonly first: number; readonly after: string | null }

const cursorSchema = z.tuple([z.number(), z.string()])

/** A page of the dead letters that the manager may see, newest first. Errors: INVALID_INPUT, STORE_UNAVAILABLE. */
export async function listDeadLetters(
  ports: Pick<EventPorts, 'bus' | 'servedWorkspaces'>,
  { principal }: Actor,
  query: DeadLetterQuery,
): Promise<ShownDeadLetters> {
  const { first } = query
  const found = await ports.bus.deadLetters.list({
    workspaceIds: visibleWorkspaceIds(ports, principal.workspaceId),
    limit: first + 1,
    before: query.after === null ? null : positionOf(query.after),
  })
  const deadLetters = found.slice(0, first)
  const last = found.length > first ? deadLetters.at(-1) : undefined
  return { deadLetters: deadLetters.map(shown), nextCursor: last ? cursorOf(last) : null }
}

function shown({ id, topic, eventId, key, receiver, reason, deadAt }: DeadLetter): ShownDeadLetter {
  return { id, topic, eventId, key, receiver, ...shownReason(reason), deadAt: isoMoment(deadAt) }
}

/** The stored text is a reason, or `reason: detail`. */
function shownReason(stored: string): Pick<ShownDeadLetter, 'reason' | 'detail'> {
  const [name, ...detail] = stored.split(': ')
  const reason = nonRetryableReasons.find((known) => known === name)
  return reason ? { reason, detail: detail.length === 0 ? null : detail.join(': ') } : { reason: 'OTHER', detail: stored }
}

function cursorOf({ deadAt, id }: DeadLetter): string {
  return Buffer.from(JSON.stringify([deadAt, id])).toString('base64url')
}

function positionOf(cursor: string): NonNullable<DeadLetterPage['before']> {
  try {
    const [deadAt, id] = cursorSchema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))
    return { deadAt, id }
  } catch {
    throw invalidInput('after', 'must be the nextCursor of the page before')
  }
}
