import type { Principal } from '../../access/principal.ts'
import type { Audit } from '../../ports/audit.ts'
import { AppError } from '../../kernel/errors.ts'
import type { EventBus } from '../../ports/event-bus.ts'
import type { DeadLetter, DeadLettersOf } from '../../ports/dead-letters.ts'

export type ReplayDeadLettersDeps = {
  readonly bus: Pick<EventBus, 'dead' | 'replay'>
  readonly audit: Audit
  readonly deadLettersOf: DeadLettersOf
}
export type Replaying = { readonly manager: Principal; readonly ip: string }
export type Replayed = { readonly replayed: number; readonly remaining: boolean }

const atOnce = 1_000
const pageSize = 100

/**
 * Hands dead letters to their consumers again: one by its id, or all of the workspace. Each leaves the shelf when it is on its way, so what a
 * crash left between is replayed once more, which consumers stand. Errors: NOT_FOUND, STORE_UNAVAILABLE, PROVIDER_UNAVAILABLE.
 */
export function createReplayDeadLetters({ bus, audit, deadLettersOf }: ReplayDeadLettersDeps) {
  const replay = async (deadLetter: DeadLetter, { manager, ip }: Replaying): Promise<void> => {
    await bus.replay(deadLetter)
    await bus.dead.remove(deadLetter.id)
    const { id, topic, eventId, receiver, reason } = deadLetter
    await audit.record(manager.workspaceId, {
      actor: { userId: manager.userId, memberId: manager.memberId, ip },
      action: 'deadLetter.replayed',
      target: { kind: 'deadLetter', id },
      details: { topic, eventId, receiver, reason },
    })
  }

  const all = async ({ workspaceId }: Principal): Promise<readonly DeadLetter[]> => {
    const deadLetters: DeadLetter[] = []
    for (let page: readonly DeadLetter[] = []; deadLetters.length <= atOnce;) {
      page = await bus.dead.list({ workspaceIds: [workspaceId], limit: pageSize, before: deadLetters.at(-1) ?? null })
      deadLetters.push(...page)
      if (page.length < pageSize) break
    }
    return deadLetters
  }

  return {
    async one(id: string, replaying: Replaying): Promise<Replayed> {
      const deadLetter = await bus.dead.read(id)
      if (!deadLetter || !deadLettersOf(replaying.manager.workspaceId).includes(deadLetter.workspaceId))
        throw new AppError('NOT_FOUND', { detail: 'There is no such dead letter' })
      await replay(deadLetter, replaying)
      return { replayed: 1, remaining: false }
    },
    async all(replaying: Replaying): Promise<Replayed> {
      const deadLetters = await all(replaying.manager)
      const now = deadLetters.slice(-atOnce).toReversed()
      for (const deadLetter of now) await replay(deadLetter, replaying)
      return { replayed: now.length, remaining: deadLetters.length > atOnce }
    },
  }
}
