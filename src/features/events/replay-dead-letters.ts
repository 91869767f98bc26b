import type { Principal } from '../../access/principal.ts'
import type { Audit } from '../../ports/audit.ts'
import { AppError } from '../../kernel/errors.ts'
import type { EventBus } from '../../ports/event-bus.ts'
import type { DeadLetter, LettersOf } from '../../ports/dead-letters.ts'

export type ReplayDeadLettersDeps = {
  readonly bus: Pick<EventBus, 'dead' | 'replay'>
  readonly audit: Audit
  readonly lettersOf: LettersOf
}
export type Replaying = { readonly manager: Principal; readonly ip: string }
export type Replayed = { readonly replayed: number; readonly remaining: boolean }

const atOnce = 1_000
const pageSize = 100

/**
 * Hands dead letters to their consumers again: one by its id, or all of the workspace. Each leaves the shelf when it is on its way, so what a
 * crash left between is replayed once more, which consumers stand. Errors: NOT_FOUND, STORE_UNAVAILABLE, PROVIDER_UNAVAILABLE.
 */
export function createReplayDeadLetters({ bus, audit, lettersOf }: ReplayDeadLettersDeps) {
  const replay = async (letter: DeadLetter, { manager, ip }: Replaying): Promise<void> => {
    await bus.replay(letter)
    await bus.dead.remove(letter.id)
    const { id, topic, eventId, receiver, reason } = letter
    await audit.record(manager.workspaceId, {
      actor: { userId: manager.userId, memberId: manager.memberId, ip },
      action: 'deadLetter.replayed',
      target: { kind: 'deadLetter', id },
      details: { topic, eventId, receiver, reason },
    })
  }

  const all = async ({ workspaceId }: Principal): Promise<readonly DeadLetter[]> => {
    const letters: DeadLetter[] = []
    for (let page: readonly DeadLetter[] = []; letters.length <= atOnce;) {
      page = await bus.dead.list({ workspaceIds: [workspaceId], limit: pageSize, before: letters.at(-1) ?? null })
      letters.push(...page)
      if (page.length < pageSize) break
    }
    return letters
  }

  return {
    async one(id: string, replaying: Replaying): Promise<Replayed> {
      const letter = await bus.dead.read(id)
      if (!letter || !lettersOf(replaying.manager.workspaceId).includes(letter.workspaceId))
        throw new AppError('NOT_FOUND', { detail: 'There is no such dead letter' })
      await replay(letter, replaying)
      return { replayed: 1, remaining: false }
    },
    async all(replaying: Replaying): Promise<Replayed> {
      const letters = await all(replaying.manager)
      const now = letters.slice(-atOnce).toReversed()
      for (const letter of now) await replay(letter, replaying)
      return { replayed: now.length, remaining: letters.length > atOnce }
    },
  }
}
