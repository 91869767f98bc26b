import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '../../kernel/errors.ts'
import type { TeamAccess } from '../../ports/members.ts'
import type { Store } from '../../ports/store.ts'
import { SortedList } from '../../ports/stored/sorted-list.ts'
import type { TeamPorts } from './team-ports.ts'

export type LinkPorts = Pick<TeamPorts, 'members' | 'store' | 'clock' | 'log'>

/** Workspace ids by the time when their link was opened. */
export const openInviteLinks = new SortedList({
  name: 'team:open-invite-links',
  scope: 'installation',
  key: () => [],
  lifetime: 3_650 * 86_400_000,
  about: 'workspace',
  what: 'invite links that are still to be closed, by workspace',
})
const maxWorkspaces = 10_000
const retryDelaysMs = [200, 1_000]

/**
 * Opens the workspace's public invite link, runs the step, and closes what it opened, even if the step fails. Sign-up needs an open link. What
 * we open is recorded until it is closed, so that after a crash the next manager's request closes it. Call it only while holding the team
 * lease. Errors: those of the step and of the member directory, STORE_UNAVAILABLE.
 */
export async function withOpenInviteLink<T>(ports: LinkPorts, access: TeamAccess, step: (inviteHash: string) => Promise<T>): Promise<T> {
  const { members, store, clock, log } = ports
  const { workspaceId } = access
  const [since, link] = await Promise.all([leftOpenSince(store, workspaceId), members.inviteLink(access)])
  if (link.workspaceId !== workspaceId) {
    throw new AppError('PROVIDER_ANSWER_INVALID', { detail: 'The platform answered for another workspace' })
  }
  if (link.inviteHash === null) {
    throw new AppError('NOT_CONFIGURED', { detail: 'This workspace has no invite link; create one in the settings of the platform' })
  }
  // A member of the workspace opened it and has to close it.
  if (link.isEnabled && since === null) return step(link.inviteHash)
  await openInviteLinks.add(ports, null, { member: workspaceId, score: since ?? clock.now() })
  if (!link.isEnabled) await open(ports, access)
  try {
    return await step(link.inviteHash)
  } finally {
    await closeInviteLink(ports, access).catch((error: unknown) =>
      log.error({ err: error, workspaceId }, 'team.closed-invite-link-still-recorded'),
    )
  }
}

/** When we opened a link that is still open (epoch ms); null if there is none. Throws STORE_UNAVAILABLE. */
export async function leftOpenSince(store: Store, workspaceId: string): Promise<number | null> {
  return (await leftOpenLinks(store)).find((link) => link.workspaceId === workspaceId)?.since ?? null
}

/** Every link that we opened and did not close yet. Throws STORE_UNAVAILABLE. */
export async function leftOpenLinks(store: Store): Promise<readonly { readonly workspaceId: string; readonly since: number }[]> {
  const entries = await openInviteLinks.range({ store }, null, { limit: maxWorkspaces })
  return entries.map(({ member, score }) => ({ workspaceId: member, since: score }))
}

/** Closes a link that we opened. Returns false and logs the error if the platform does not close it. Throws STORE_UNAVAILABLE. */
export async function closeInviteLink(ports: LinkPorts, access: TeamAccess): Promise<boolean> {
  if (!(await disable(ports, access))) return false
  await openInviteLinks.remove(ports, null, access.workspaceId)
  return true
}

async function open(ports: LinkPorts, access: TeamAccess): Promise<void> {
  try {
    await ports.members.setInviteLink(access, true)
  } catch (error) {
    // After a refusal there is nothing to close. If the answer was lost, the link may still open later: it stays recorded.
    if (isRefusal(error)) await openInviteLinks.remove(ports, null, access.workspaceId)
    else await disable(ports, access)
    throw error
  }
}

/** Without the actor's signal: the link is closed even when the time of the request is over. */
async function disable({ members, log }: LinkPorts, { kind, workspaceId, accessToken }: TeamAccess): Promise<boolean> {
  for (const [attempt, delayMs] of [0, ...retryDelaysMs].entries()) {
    if (delayMs > 0) await delay(delayMs)
    try {
      await members.setInviteLink({ kind, workspaceId, accessToken }, false)
      return true
    } catch (error) {
      if (attempt < retryDelaysMs.length && !isRefusal(error)) continue
      log.error({ err: error, workspaceId }, 'team.invite-link-not-closed')
      return false
    }
  }
  return false
}

function isRefusal(error: unknown): boolean {
  return error instanceof AppError && (error.reason === 'PLATFORM_REFUSED' || error.reason === 'TOKEN_REFUSED')
}
