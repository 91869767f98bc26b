import { z } from 'zod'
import { type Actor, auditActor } from '../../access/actor.ts'
import { memberName } from '../../access/principal.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Member } from '../../ports/agents.ts'
import type { TeamAccess } from '../../ports/members.ts'
import { Family } from '../../ports/stored/family.ts'
import { writeAgentSecrets } from '../sessions/agent-secrets.ts'
import { endMemberSession } from '../sessions/end-member-session.ts'
import { forgetCreation } from './creations.ts'
import { withTeamLease } from './team-lease.ts'
import { teamAccess } from './describe-members.ts'
import type { TeamPorts } from './team-ports.ts'
import { readTeamRoles, requireOtherManager } from './team-roles.ts'
import { deleteTemporaryPassword } from './temporary-passwords.ts'

/** `sessionEnded`: whether the deactivation ended an agent session. */
export type DeactivatedMember = { readonly memberId: string; readonly sessionEnded: boolean }

const removalSchema = z.object({
  email: z.string(),
  name: z.string().nullable().default(null),
  userId: z.string().nullable().default(null),
  agentId: z.string().nullable(),
})
/** What must be known of a member after the removal. */
type Removal = z.output<typeof removalSchema>

export const removals = new Family({
  name: 'team:*:removal',
  key: ({ workspaceId, memberId }: Member) => [workspaceId, memberId],
  schema: removalSchema,
  lifetime: 24 * 3_600_000,
  about: 'agent',
  what: 'a removal of a member that is not finished: name and address',
})

/**
 * Removes a member from the workspace, ends their session at once (lock, provider, tokens) and deletes their passwords. Errors: NOT_FOUND,
 * WRONG_STATE (oneself, the last manager), PLATFORM_REFUSED, OVERLOADED, STORE_UNAVAILABLE, those of the platform. A repeated request finishes
 * what stopped half way.
 */
export async function deactivateTeamMember(ports: TeamPorts, actor: Actor, memberId: string): Promise<DeactivatedMember> {
  const { workspaceId } = actor.principal
  if (memberId === actor.principal.memberId) {
    throw new AppError('WRONG_STATE', { detail: 'Nobody can deactivate themselves; ask another manager' })
  }
  return withTeamLease(ports, workspaceId, async (signal) => {
    const { members, audit } = ports
    const access = teamAccess(actor, signal)
    const key = { workspaceId, memberId }
    const removal = (await begin(ports, access, memberId)) ?? (await removals.read(ports, key))
    if (!removal) throw new AppError('NOT_FOUND', { detail: 'There is no such member in this workspace' })
    await removals.write(ports, key, { value: removal })
    // Also after a failure: its answer may be lost, and the member gone.
    await members.remove(access, memberId).finally(() => ports.principals.forget(key))
    const sessionEnded = await cleanUp(ports, access, { memberId, removal })
    await audit.record(workspaceId, {
      actor: auditActor(actor),
      action: 'member.deactivated',
      target: { kind: 'member', id: memberId, name: removal.name },
      details: { sessionEnded },
    })
    await removals.delete(ports, key)
    return { memberId, sessionEnded }
  })
}

/** Null if the platform has no such member, or no longer has it. */
async function begin(ports: TeamPorts, access: TeamAccess, memberId: string): Promise<Removal | null> {
  const member = await ports.members.byId(access, memberId)
  if (!member) return null
  const [roles, agentOf] = await Promise.all([readTeamRoles(ports, access), ports.teamAgents.ofMembers(access, [memberId])])
  requireOtherManager(roles, memberId)
  return { email: member.email, name: memberName(member), userId: member.userId, agentId: agentOf.get(memberId)?.id ?? null }
}

type Removed = { readonly memberId: string; readonly removal: Removal }

/** Returns whether a session was ended. */
async function cleanUp(ports: TeamPorts, access: TeamAccess, { memberId, removal: { email, userId, agentId } }: Removed): Promise<boolean> {
  const { workspaceId } = access
  if (userId !== null) await ports.signIns.endAll({ workspaceId, userId }, 'REMOVAL')
  const sessionEnded = await endMemberSession(ports, { workspaceId, memberId })
  await deleteTemporaryPassword(ports, { workspaceId, email })
  await forgetCreation(ports, { workspaceId, email })
  if (agentId !== null) {
    await writeAgentSecrets(ports, { workspaceId, agentId, memberId }, { sipPassword: null, providerAgentPassword: null })
    await ports.teamAgents.unlink(access, agentId).catch(ignoreNotFound)
  }
  return sessionEnded
}

function ignoreNotFound(error: unknown): void {
  if (!(error instanceof AppError && error.reason === 'NOT_FOUND')) throw error
}
