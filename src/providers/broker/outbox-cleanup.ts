import type { Clock } from '../../kernel/clock.ts'
import { workspaceIn } from '../../ports/event-catalogue.ts'
import type { Delivery, Outbox } from '../../ports/outbox.ts'
import { eventRetentionMs } from './outbox-limits.ts'

type Cleaned = Pick<Outbox, 'moveToDeadLetters'> & {
  readonly clock: Clock
  /** The oldest events that were added before this time (epoch milliseconds), of every receiver, at most `limit`. */
  readonly addedBefore: (time: number, limit: number) => Promise<readonly Delivery[]>
  /** Deletes dead letters that are too old. */
  readonly purge: () => Promise<void>
}

const everyMs = 3_600_000
const batch = 500

/**
 * Gives what an outbox stores an end: events whose receiver no longer exists become dead letters, and old dead letters are deleted. It is due
 * once an hour; a run that fails is repeated an hour later.
 */
export function createOutboxCleanup({ clock, addedBefore, moveToDeadLetters, purge }: Cleaned) {
  let dueAt = 0
  const clean = async (): Promise<void> => {
    const expired = await addedBefore(clock.now() - eventRetentionMs, batch)
    for (const delivery of expired) await moveToDeadLetters(delivery, { reason: 'NOT_DELIVERED', workspaceId: workspaceIn(delivery.body) })
    // There may be more.
    if (expired.length === batch) dueAt = 0
    await purge()
  }
  return {
    async runIfDue(): Promise<void> {
      if (clock.now() < dueAt) return
      dueAt = clock.now() + everyMs
      await clean().catch(() => undefined)
    },
  }
}
