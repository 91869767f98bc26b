import type { DeadLetter } from '../../ports/dead-letters.ts'
import type { Burial, Delivery } from '../../ports/outbox.ts'
import { derivedId } from '../../kernel/ids.ts'

/** The letter that an event of the outbox becomes; the same one however often it is buried. */
export function deadLetterOf({ receiver, sequence, eventId, topic, key, body }: Delivery, burial: Burial, deadAt: number): DeadLetter {
  const id = derivedId('dead', receiver, topic, eventId, sequence)
  return {
    ...burial,
    id,
    topic,
    receiver,
    eventId: eventId.split('#')[0] ?? eventId,
    key,
    deadAt,
    value: Buffer.from(body).toString('base64'),
    headers: {},
  }
}
