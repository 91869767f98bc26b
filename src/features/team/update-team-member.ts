import { type Actor, auditActor } from '../../access/actor.ts'
import type { Principals } from '../auth/principals.ts'
import type { Audit } from '../../ports/audit.ts'
import { AppError } from '../../kernel/errors.ts'
import { parseInput } from '../../kernel/input.ts'
import type { AgentRecordCache } from '../sessions/agent-record-cache.ts'
import type { Creations } from './creations.ts'
import { requireOtherManager } from './manager-remains.ts'
import type { MemberDirectory, MemberRecord, TeamAccess } from '../../ports/members.ts'
import { type MemberChange, memberChangeInput, type TeamRole } from './team-input.ts'
import { accessOf, type DescribeMembers, type TeamMember } from './team-member.ts'
import type { ReadRoles } from './team-roles.ts'
import type { WorkspaceTurns } from './workspace-lease.ts'
import type { AgentDesk } from './write-agent.ts'

/**
 * Changes a member's name, role or agent record; what is not given stays. A role counts at once, on every instance. Errors: INVALID_INPUT,
 * NOT_FOUND, WRONG_STATE (the last manager), NOT_CONFIGURED, PLATFORM_REFUSED (such as for one's own role), OVERLOADED, STORE_UNAVAILABLE,
 * those of the platform. Repeatable.
 */
export type UpdateTeamMember = (caller: Actor, memberId: string, change: unknown) => Promise<TeamMember>

export type UpdateTeamMemberOptions = {
  readonly directory: MemberDirectory
  readonly readRoles: ReadRoles
  readonly agentDesk: AgentDesk
  readonly creations: Creations
  readonly turns: WorkspaceTurns
  readonly principals: Pick<Principals, 'forget'>
  readonly agentRecordCache: Pick<AgentRecordCache, 'forget'>
  readonly describe: DescribeMembers
  readonly audit: Audit
}

export function createUpdateTeamMember(options: UpdateTeamMemberOptions): UpdateTeamMember {
  const { directory, agentDesk, creations, turns, audit, describe } = options
  return async (caller, memberId, input) => {
    const change = parseInput(memberChangeInput, input, 'change')
    const { workspaceId } = caller.principal
    return turns.take(workspaceId, async (signal) => {
      const access = accessOf(caller, signal)
      const found = await directory.byId(access, memberId)
      if (!found) throw new AppError('NOT_FOUND', { detail: 'There is no such member in this workspace' })
      if (change.agent) await agentDesk.check(access, change.agent, { memberId, path: 'change.agent' })
      await creations.forget({ workspaceId, email: found.email })
      const member = await apply(options, access, { member: found, change }).finally(() => forget(options, access, memberId))
      await audit.record(workspaceId, {
        actor: auditActor(caller),
        action: 'member.updated',
        target: { kind: 'member', id: memberId },
        details: { role: change.role ?? null, name: Boolean(change.firstName ?? change.lastName), agent: Boolean(change.agent) },
      })
      const [described] = await describe(caller, access, [member])
      if (!described) throw new TypeError('a member was not described')
      return described
    })
  }
}

async function apply(
  options: UpdateTeamMemberOptions,
  access: TeamAccess,
  { member, change }: { member: MemberRecord; change: MemberChange },
): Promise<MemberRecord> {
  if (change.role) await applyRole(options, access, { memberId: member.id, role: change.role })
  const renamed = { ...member, firstName: change.firstName ?? member.firstName, lastName: change.lastName ?? member.lastName }
  const hasName = renamed.firstName === member.firstName && renamed.lastName === member.lastName
  if (!hasName) {
    await options.agentDesk.rename(access, member, renamed)
    await options.directory.setName(access, member.id, renamed)
  }
  if (change.agent) await options.agentDesk.write(access, renamed, change.agent)
  return renamed
}

async function applyRole(
  { directory, readRoles }: UpdateTeamMemberOptions,
  access: TeamAccess,
  { memberId, role }: { memberId: string; role: TeamRole },
): Promise<void> {
  const roles = await readRoles(access)
  const { id } = roles.require(role)
  if (roles.of(memberId) === role) return
  if (role !== 'MANAGER') requireOtherManager(roles, memberId)
  await directory.setRole(access, memberId, id)
}

/** Also after a failure: its answer may have been lost, and the change made. */
async function forget(
  { principals, agentRecordCache }: UpdateTeamMemberOptions,
  { workspaceId }: TeamAccess,
  memberId: string,
): Promise<void> {
  await agentRecordCache.forget({ workspaceId, memberId })
  await principals.forget({ workspaceId, memberId })
}
