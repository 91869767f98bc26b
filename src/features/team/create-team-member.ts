import { type Actor, auditActor } from '../../access/actor.ts'
import { memberName } from '../../access/principal.ts'
import { AppError } from '../../kernel/errors.ts'
import { hashOf } from '../../kernel/ids.ts'
import { parseInput } from '../../kernel/input.ts'
import type { MemberRecord, TeamAccess } from '../../ports/members.ts'
import { checkAgent, writeAgent } from './agent-of-member.ts'
import { beginCreation, finishCreation, readCreation, wantedOf } from './creations.ts'
import { proveSignIn } from './prove-sign-in.ts'
import { signUpMember } from './sign-up-member.ts'
import { type NewMember, newMemberInput } from './team-input.ts'
import { withTeamLease } from './team-lease.ts'
import { describeMember, teamAccess } from './describe-members.ts'
import type { TeamMember } from './team-member.ts'
import type { TeamPorts } from './team-ports.ts'
import { readTeamRoles, type TeamRoles } from './team-roles.ts'
import type { PasswordOwner } from './temporary-passwords.ts'

/**
 * Creates a member without an e-mail: account, role, name, agent record, temporary password. Equal requests at the same time get one answer,
 * and a repeated request finishes what stopped half way. Errors: INVALID_INPUT, WRONG_STATE (a member already, or an account outside this
 * workspace), NOT_CONFIGURED (role or agent records missing), PLATFORM_REFUSED, OVERLOADED, STORE_UNAVAILABLE, those of the platform.
 */
export async function createTeamMember(ports: TeamPorts, actor: Actor, input: unknown): Promise<TeamMember> {
  const wanted = parseInput(newMemberInput, input, 'input')
  const { workspaceId, userId } = actor.principal
  const request = hashOf(JSON.stringify([workspaceId, userId, wanted]))
  return ports.memberCreations.run(request, () =>
    withTeamLease(ports, workspaceId, (signal) => create(ports, { actor, access: teamAccess(actor, signal), wanted })),
  )
}

type Request = { readonly actor: Actor; readonly access: TeamAccess; readonly wanted: NewMember }

async function create(ports: TeamPorts, request: Request): Promise<TeamMember> {
  const { access, wanted } = request
  const owner: PasswordOwner = { workspaceId: access.workspaceId, email: wanted.email }
  const [roles, found, creation] = await Promise.all([
    readTeamRoles(ports, access),
    ports.members.findByEmail(access, wanted.email),
    readCreation(ports, owner),
  ])
  roles.require(wanted.role)
  const isOurs = creation !== null && (!creation.isFinished || creation.wanted === wantedOf(wanted))
  if (found && !isOurs) throw isMemberAlready(found)
  if (wanted.agent) await checkAgent(ports, access, { agent: wanted.agent, memberId: found?.id ?? null, path: 'input.agent' })
  if (!found || !creation?.isFinished) await beginCreation(ports, owner, wanted)
  const member = found ?? (await signUpMember(ports, access, { email: wanted.email, isRepeated: creation?.isFinished === false }))
  const isNew = !found || creation?.isFinished !== true
  return finish(ports, request, { owner, member, roles, isNew })
}

type Found = { readonly owner: PasswordOwner; readonly member: MemberRecord; readonly roles: TeamRoles; readonly isNew: boolean }

/** Each of its steps is repeatable. */
async function finish(ports: TeamPorts, { actor, access, wanted }: Request, found: Found): Promise<TeamMember> {
  const { members, principals, agentRecordCache, audit } = ports
  const { owner, roles, isNew } = found
  const { workspaceId } = access
  const memberId = found.member.id
  const member = { ...found.member, firstName: wanted.firstName, lastName: wanted.lastName }
  // The role first: the platform's default role may allow more than the requested one.
  if (roles.of(memberId) !== wanted.role) await members.setRole(access, memberId, roles.require(wanted.role).id)
  const hasName = found.member.firstName === wanted.firstName && found.member.lastName === wanted.lastName
  if (!hasName) await members.setName(access, memberId, wanted)
  if (wanted.agent) await writeAgent(ports, access, { member, agent: wanted.agent })
  await agentRecordCache.forget({ workspaceId, memberId })
  await principals.forget({ workspaceId, memberId })
  if (isNew) {
    await proveSignIn(ports, owner, actor.principal.workspace)
    await audit.record(workspaceId, {
      actor: auditActor(actor),
      action: 'member.created',
      target: { kind: 'member', id: memberId, name: memberName(member) },
      details: { role: wanted.role, agent: Boolean(wanted.agent) },
    })
    await finishCreation(ports, owner, wanted)
  }
  return describeMember(ports, actor, { access, member })
}

function isMemberAlready({ id }: MemberRecord): AppError {
  const detail = `This person is a member of the workspace already; change role, name or agent with PUT /api/team/members/${id} (updateTeamMember)`
  return new AppError('WRONG_STATE', { detail, data: { memberId: id } })
}
