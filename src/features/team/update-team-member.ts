import { type Actor, auditActor } from '../../access/actor.ts'
import { memberName } from '../../access/principal.ts'
import { AppError } from '../../kernel/errors.ts'
import { parseInput } from '../../kernel/input.ts'
import type { MemberRecord, TeamAccess } from '../../ports/members.ts'
import { checkAgent, renameAgent, writeAgent } from './agent-of-member.ts'
import { forgetCreation } from './creations.ts'
import { type MemberChange, memberChangeInput, type TeamRole } from './team-input.ts'
import { withTeamLease } from './team-lease.ts'
import { describeMember, teamAccess } from './describe-members.ts'
import type { TeamMember } from './team-member.ts'
import type { TeamPorts } from './team-ports.ts'
import { readTeamRoles, requireOtherManager } from './team-roles.ts'

/**
 * Changes a member's name, role or agent record; what is left out does not change. A role counts at once, on every instance. Errors:
 * INVALID_INPUT, NOT_FOUND, WRONG_STATE (the last manager), NOT_CONFIGURED, PLATFORM_REFUSED (for example for one's own role), OVERLOADED,
 * STORE_UNAVAILABLE, those of the platform. Repeatable.
 */
export async function updateTeamMember(
  ports: TeamPorts,
  actor: Actor,
  { memberId, change: input }: { readonly memberId: string; readonly change: unknown },
): Promise<TeamMember> {
  const change = parseInput(memberChangeInput, input, 'change')
  const { workspaceId } = actor.principal
  return withTeamLease(ports, workspaceId, async (signal) => {
    const access = teamAccess(actor, signal)
    const found = await ports.members.byId(access, memberId)
    if (!found) throw new AppError('NOT_FOUND', { detail: 'There is no such member in this workspace' })
    if (change.agent) await checkAgent(ports, access, { agent: change.agent, memberId, path: 'change.agent' })
    await forgetCreation(ports, { workspaceId, email: found.email })
    const member = await apply(ports, access, { member: found, change }).finally(() => forget(ports, workspaceId, memberId))
    await ports.audit.record(workspaceId, {
      actor: auditActor(actor),
      action: 'member.updated',
      target: { kind: 'member', id: memberId, name: memberName(member) },
      details: { role: change.role ?? null, name: Boolean(change.firstName ?? change.lastName), agent: Boolean(change.agent) },
    })
    return describeMember(ports, actor, { access, member })
  })
}

async function apply(
  ports: TeamPorts,
  access: TeamAccess,
  { member, change }: { readonly member: MemberRecord; readonly change: MemberChange },
): Promise<MemberRecord> {
  if (change.role) await applyRole(ports, access, { memberId: member.id, role: change.role })
  const renamed = { ...member, firstName: change.firstName ?? member.firstName, lastName: change.lastName ?? member.lastName }
  const hasName = renamed.firstName === member.firstName && renamed.lastName === member.lastName
  if (!hasName) {
    await renameAgent(ports, access, { before: member, after: renamed })
    await ports.members.setName(access, member.id, renamed)
  }
  if (change.agent) await writeAgent(ports, access, { member: renamed, agent: change.agent })
  return renamed
}

async function applyRole(
  ports: TeamPorts,
  access: TeamAccess,
  { memberId, role }: { readonly memberId: string; readonly role: TeamRole },
): Promise<void> {
  const roles = await readTeamRoles(ports, access)
  const { id } = roles.require(role)
  if (roles.of(memberId) === role) return
  if (role !== 'MANAGER') requireOtherManager(roles, memberId)
  await ports.members.setRole(access, memberId, id)
}

/** Also after a failure: its answer may be lost, and the change made. */
async function forget({ principals, agentRecordCache }: TeamPorts, workspaceId: string, memberId: string): Promise<void> {
  await agentRecordCache.forget({ workspaceId, memberId })
  await principals.forget({ workspaceId, memberId })
}
