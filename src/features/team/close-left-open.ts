import { LRUCache } from 'lru-cache'
import type { Actor } from '../../access/actor.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { asPerson } from '../../ports/record-access.ts'
import type { InviteLinks } from './invite-link.ts'
import type { WorkspaceTurns } from './workspace-lease.ts'

export type CloseLeftOpenOptions = {
  readonly links: InviteLinks
  readonly turns: WorkspaceTurns
  readonly clock: Clock
  readonly log: Log
}

/** How often a manager's requests lead to a look at the journal, per workspace and instance. */
const lookEveryMs = 10_000

/**
 * Closes a public invite link that a crash left open, with the token of the manager who asks next. A creation under way, which has its
 * link open rightly, is left alone. Neither function throws.
 */
export function createCloseLeftOpen({ links, turns, clock, log }: CloseLeftOpenOptions) {
  const lookedAt = new LRUCache<string, number>({ max: 1_000 })

  const closeLeftOpen = async ({ principal: { workspaceId }, accessToken }: Omit<Actor, 'clientAddress'>): Promise<void> => {
    try {
      if ((await links.leftOpenSince(workspaceId)) === null) return
      await turns.takeIfFree(workspaceId, async (signal) => {
        if ((await links.leftOpenSince(workspaceId)) === null) return
        const closed = await links.close({ ...asPerson(workspaceId, accessToken), signal })
        if (closed) log.warn({ workspaceId }, 'a public invite link that had been left open was closed')
      })
    } catch (error) {
      log.warn({ err: error, workspaceId }, 'whether an invite link was left open could not be seen')
    }
  }

  return {
    /** Waits until it is closed. */
    closeLeftOpen,
    /** For every request of a member: answers at once. */
    seen: (caller: Omit<Actor, 'clientAddress'>): void => {
      const { role, workspaceId } = caller.principal
      if (role !== 'MANAGER' || clock.now() - (lookedAt.get(workspaceId) ?? Number.NEGATIVE_INFINITY) < lookEveryMs) return
      lookedAt.set(workspaceId, clock.now())
      void closeLeftOpen(caller)
    },
  }
}
