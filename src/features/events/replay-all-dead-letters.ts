import type { Actor } from '../../access/actor.ts'
import type { DeadLetter } from '../../ports/dead-letters.ts'
import { type EventPorts, visibleWorkspaceIds } from './event-ports.ts'
import { type Replayed, replay } from './replay-dead-letter.ts'

const maxReplayed = 1_000
const pageSize = 100

/**
 * Delivers the dead letters that the manager may see to their consumers again, the oldest first, at most 1,000 per call. Errors:
 * STORE_UNAVAILABLE, PROVIDER_UNAVAILABLE.
 */
export async function replayDeadLetters(ports: EventPorts, actor: Actor): Promise<Replayed> {
  const deadLetters = await readNewest(ports, visibleWorkspaceIds(ports, actor.principal.workspaceId))
  const oldest = deadLetters.slice(-maxReplayed).toReversed()
  for (const deadLetter of oldest) await replay(ports, actor, deadLetter)
  return { replayed: oldest.length, remaining: deadLetters.length > maxReplayed }
}

/** Newest first: all, or somewhat more than `maxReplayed`. */
async function readNewest({ bus }: EventPorts, workspaceIds: readonly (string | null)[]): Promise<readonly DeadLetter[]> {
  const deadLetters: DeadLetter[] = []
  while (deadLetters.length <= maxReplayed) {
    const page = await bus.deadLetters.list({ workspaceIds, limit: pageSize, before: deadLetters.at(-1) ?? null })
    deadLetters.push(...page)
    if (page.length < pageSize) break
  }
  return deadLetters
}
