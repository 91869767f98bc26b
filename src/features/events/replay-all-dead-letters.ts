import type { Actor } from '../../access/actor.ts'
import type { DeadLetter } from '../../ports/dead-letters.ts'
import type { EventPorts } from './event-ports.ts'
import { type Replayed, replay } from './replay-dead-letter.ts'

const maxReplayed = 1_000
const pageSize = 100

/**
 * Delivers the dead letters of the manager's workspace to their consumers again, the oldest first, at most 1,000 per call. Errors:
 * STORE_UNAVAILABLE, PROVIDER_UNAVAILABLE.
 */
export async function replayDeadLetters(ports: Pick<EventPorts, 'bus' | 'audit'>, actor: Actor): Promise<Replayed> {
  const deadLetters = await readNewest(ports, actor.principal.workspaceId)
  const oldest = deadLetters.slice(-maxReplayed).toReversed()
  for (const deadLetter of oldest) await replay(ports, actor, deadLetter)
  return { replayed: oldest.length, remaining: deadLetters.length > maxReplayed }
}

/** Newest first: all, or somewhat more than `maxReplayed`. */
async function readNewest({ bus }: Pick<EventPorts, 'bus'>, workspaceId: string): Promise<readonly DeadLetter[]> {
  const deadLetters: DeadLetter[] = []
  while (deadLetters.length <= maxReplayed) {
    const page = await bus.deadLetters.list({ workspaceIds: [workspaceId], limit: pageSize, before: deadLetters.at(-1) ?? null })
    deadLetters.push(...page)
    if (page.length < pageSize) break
  }
  return deadLetters
}
