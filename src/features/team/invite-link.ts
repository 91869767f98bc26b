import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import type { Store } from '../../ports/store.ts'
import type { MemberDirectory, TeamAccess } from '../../ports/members.ts'

/**
 * The workspace's public invite link, which must be open while somebody signs up. What we open is written down first, and stays written
 * down until it is closed again, so that after a crash the next manager's request closes it. For whoever has the workspace's turn.
 */
export interface InviteLinks {
  /** Runs the step with the link open, and closes what it opened, whatever comes. Errors: the step's, the directory's, STORE_UNAVAILABLE. */
  whileOpen<T>(access: TeamAccess, step: (inviteHash: string) => Promise<T>): Promise<T>
  /** Since when (epoch ms) a link that we opened is not closed; null where none is. Throws STORE_UNAVAILABLE. */
  leftOpenSince(workspaceId: string): Promise<number | null>
  /** Workspaces whose link was left open. Throws STORE_UNAVAILABLE. */
  leftOpen(): Promise<readonly { readonly workspaceId: string; readonly since: number }[]>
  /** Closes what was left open. False, with a line in the log, where the platform does not let it; never throws the platform's errors. */
  close(access: TeamAccess): Promise<boolean>
}

export type InviteLinkOptions = { readonly directory: MemberDirectory; readonly store: Store; readonly clock: Clock; readonly log: Log }

/** One sorted list for all workspaces: the workspace's id at the moment when its link was opened. */
const journal = 'team:open-invite-links'
const mostWorkspaces = 10_000
const pausesMs = [200, 1_000]

export function createInviteLinks({ directory, store, clock, log }: InviteLinkOptions): InviteLinks {
  const leftOpen: InviteLinks['leftOpen'] = async () =>
    (await store.sortedRange(journal, { limit: mostWorkspaces })).map(({ member, score }) => ({ workspaceId: member, since: score }))
  const leftOpenSince: InviteLinks['leftOpenSince'] = async (workspaceId) =>
    (await leftOpen()).find((link) => link.workspaceId === workspaceId)?.since ?? null

  /** Without the caller's signal: it is closed also when the caller's time is over. */
  const shut = async ({ kind, workspaceId, accessToken }: TeamAccess): Promise<boolean> => {
    for (const [attempt, pauseMs] of [0, ...pausesMs].entries()) {
      if (pauseMs > 0) await pause(pauseMs)
      try {
        await directory.setInviteLink({ kind, workspaceId, accessToken }, false)
        return true
      } catch (error) {
        if (attempt < pausesMs.length && !isRefusal(error)) continue
        log.error({ err: error, workspaceId }, "the public invite link could not be closed; the next manager's request tries again")
        return false
      }
    }
    return false
  }
  const strikeOut = async (workspaceId: string): Promise<void> => {
    await store.sortedRemove(journal, workspaceId)
  }
  const close: InviteLinks['close'] = async (access) => {
    if (!(await shut(access))) return false
    await strikeOut(access.workspaceId)
    return true
  }

  const open = async (access: TeamAccess): Promise<void> => {
    try {
      await directory.setInviteLink(access, true)
    } catch (error) {
      // Where the platform refused there is nothing to close. A lost answer may come true later: it stays written down.
      if (isRefusal(error)) await strikeOut(access.workspaceId)
      else await shut(access)
      throw error
    }
  }

  return {
    leftOpen,
    leftOpenSince,
    close,
    async whileOpen(access, step) {
      const { workspaceId } = access
      const [since, link] = await Promise.all([leftOpenSince(workspaceId), directory.inviteLink(access)])
      if (link.workspaceId !== workspaceId) {
        throw new AppError('PROVIDER_ANSWER_INVALID', { detail: 'The platform answered for another workspace' })
      }
      if (link.inviteHash === null) {
        throw new AppError('NOT_CONFIGURED', { detail: 'This workspace has no invite link; make one in the settings of the platform' })
      }
      // Opened by somebody of the workspace: theirs to close.
      if (link.isEnabled && since === null) return step(link.inviteHash)
      await store.sortedAdd(journal, workspaceId, since ?? clock.now())
      if (!link.isEnabled) await open(access)
      try {
        return await step(link.inviteHash)
      } finally {
        await close(access).catch((error: unknown) =>
          log.error({ err: error, workspaceId }, 'the closed invite link is still written down'),
        )
      }
    },
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof AppError && (error.reason === 'PLATFORM_REFUSED' || error.reason === 'TOKEN_REFUSED')
}
