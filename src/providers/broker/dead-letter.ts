import type { DeadLetter } from '../../ports/dead-letters.ts'
import type { DeadLetterCause, Delivery, Outbox } from '../../ports/outbox.ts'
import { derivedId, newId } from '../../kernel/ids.ts'

/** The dead letter that an event of the outbox becomes. The same delivery always gets the same id. */
export function deadLetterOf({ receiver, sequence, eventId, topic, key, body }: Delivery, cause: DeadLetterCause, now: number): DeadLetter {
  return {
    ...cause,
    id: derivedId('dead', receiver, topic, eventId, sequence),
    topic,
    receiver,
    eventId: eventId.split('#')[0] ?? eventId,
    key,
    deadAt: now,
    value: Buffer.from(body).toString('base64'),
    headers: {},
  }
}

/** Adds the event again for the receiver that gave it up. */
export async function replayInOutbox(outbox: Pick<Outbox, 'add'>, deadLetter: DeadLetter): Promise<void> {
  const { id, eventId, topic, key, value, receiver } = deadLetter
  const body = Buffer.from(value, 'base64').toString()
  await outbox.add({ id: `${eventId ?? id}#${newId()}`, topic, key: key ?? id, body, receivers: [receiver] })
}
