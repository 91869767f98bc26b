import { type Actor, auditActor } from '../../access/actor.ts'
import type { Identity } from '../../ports/identity.ts'
import type { Principals } from '../auth/principals.ts'
import type { Audit } from '../../ports/audit.ts'
import { AppError } from '../../kernel/errors.ts'
import { hashOf } from '../../kernel/ids.ts'
import { parseInput } from '../../kernel/input.ts'
import type { Log } from '../../kernel/log.ts'
import type { AgentRecordCache } from '../sessions/agent-record-cache.ts'
import { type Creations, wantedOf } from './creations.ts'
import type { KeptPasswords, PasswordOwner } from './stored-passwords.ts'
import type { MemberDirectory, MemberRecord, TeamAccess } from '../../ports/members.ts'
import { proveSignIn } from './prove-sign-in.ts'
import type { SignUpMember } from './sign-up-member.ts'
import { type NewMember, newMemberInput } from './team-input.ts'
import { accessOf, type DescribeMembers, type TeamMember } from './team-member.ts'
import type { ReadRoles, RolesOfTeam } from './team-roles.ts'
import type { WorkspaceTurns } from './workspace-lease.ts'
import type { AgentDesk } from './write-agent.ts'

/**
 * Makes a member in place, without an e-mail: account, role, name, agent record, temporary password. Whoever asks for the same at once
 * gets the same answer, and asking again finishes what stopped half way. Errors: INVALID_INPUT, WRONG_STATE (a member already, or an
 * account outside this workspace), NOT_CONFIGURED (role or agent records missing), PLATFORM_REFUSED, OVERLOADED, STORE_UNAVAILABLE,
 * those of the platform.
 */
export type CreateTeamMember = (caller: Actor, input: unknown) => Promise<TeamMember>

export type CreateTeamMemberOptions = {
  readonly directory: MemberDirectory
  readonly readRoles: ReadRoles
  readonly agentDesk: AgentDesk
  readonly signUpMember: SignUpMember
  readonly identity: Identity
  readonly creations: Creations
  readonly passwords: KeptPasswords
  readonly turns: WorkspaceTurns
  readonly principals: Pick<Principals, 'forget'>
  readonly agentRecordCache: Pick<AgentRecordCache, 'forget'>
  readonly describe: DescribeMembers
  readonly audit: Audit
  readonly log: Log
}

export function createCreateTeamMember(options: CreateTeamMemberOptions): CreateTeamMember {
  const underWay = new Map<string, Promise<TeamMember>>()
  return async (caller, input) => {
    const wanted = parseInput(newMemberInput, input, 'input')
    const { workspaceId, userId } = caller.principal
    const question = hashOf(JSON.stringify([workspaceId, userId, wanted]))
    const standing = underWay.get(question)
    if (standing) return standing
    const creating = options.turns
      .take(workspaceId, (signal) => create(options, { caller, access: accessOf(caller, signal), wanted }))
      .finally(() => underWay.delete(question))
    underWay.set(question, creating)
    return creating
  }
}

type Making = { readonly caller: Actor; readonly access: TeamAccess; readonly wanted: NewMember }

async function create(options: CreateTeamMemberOptions, making: Making): Promise<TeamMember> {
  const { directory, creations, readRoles, agentDesk, signUpMember } = options
  const { access, wanted } = making
  const owner: PasswordOwner = { workspaceId: access.workspaceId, email: wanted.email }
  const [roles, found, creation] = await Promise.all([
    readRoles(access),
    directory.findByEmail(access, wanted.email),
    creations.read(owner),
  ])
  roles.require(wanted.role)
  const isOurs = creation !== null && (!creation.isFinished || creation.wanted === wantedOf(wanted))
  if (found && !isOurs) throw isMemberAlready(found)
  if (wanted.agent) await agentDesk.check(access, wanted.agent, { memberId: found?.id ?? null, path: 'input.agent' })
  if (!found || !creation?.isFinished) await creations.begin(owner, wanted)
  const member = found ?? (await signUpMember(access, wanted.email, { isAgain: creation?.isFinished === false }))
  const isNew = !found || creation?.isFinished !== true
  return finish(options, making, { owner, member, roles, isNew })
}

type Found = { readonly owner: PasswordOwner; readonly member: MemberRecord; readonly roles: RolesOfTeam; readonly isNew: boolean }

/** Every step of it may be repeated. */
async function finish(options: CreateTeamMemberOptions, { caller, access, wanted }: Making, found: Found): Promise<TeamMember> {
  const { directory, agentDesk, creations, principals, agentRecordCache, audit, describe } = options
  const { owner, roles, isNew } = found
  const { workspaceId } = access
  const memberId = found.member.id
  const member = { ...found.member, firstName: wanted.firstName, lastName: wanted.lastName }
  // The role first: the platform's default role may allow more than the one that was asked for.
  if (roles.of(memberId) !== wanted.role) await directory.setRole(access, memberId, roles.require(wanted.role).id)
  const hasName = found.member.firstName === wanted.firstName && found.member.lastName === wanted.lastName
  if (!hasName) await directory.setName(access, memberId, wanted)
  if (wanted.agent) await agentDesk.write(access, member, wanted.agent)
  await agentRecordCache.forget({ workspaceId, memberId })
  await principals.forget({ workspaceId, memberId })
  if (isNew) {
    await proveSignIn(options, owner, caller.principal.workspace)
    await audit.record(workspaceId, {
      actor: auditActor(caller),
      action: 'member.created',
      target: { kind: 'member', id: memberId },
      details: { role: wanted.role, agent: Boolean(wanted.agent) },
    })
    await creations.finish(owner, wanted)
  }
  const [described] = await describe(caller, access, [member])
  if (!described) throw new TypeError('a member was not described')
  return described
}

function isMemberAlready({ id }: MemberRecord): AppError {
  const detail = `This person is a member of the workspace already; change role, name or agent with PUT /api/team/members/${id} (updateTeamMember)`
  return new AppError('WRONG_STATE', { detail, data: { memberId: id } })
}
