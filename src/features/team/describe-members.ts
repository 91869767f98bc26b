import type { Actor } from '../../access/actor.ts'
import type { MemberRecord, TeamAccess } from '../../ports/members.ts'
import { asPerson } from '../../ports/record-access.ts'
import { listSessions } from '../sessions/list-sessions.ts'
import type { TeamMember } from './team-member.ts'
import type { TeamPorts } from './team-ports.ts'
import { readTeamRoles } from './team-roles.ts'
import { haveTemporaryPasswords } from './temporary-passwords.ts'

type Described<Members> = { readonly access: TeamAccess; readonly members: Members }

/** Adds role, agent record, session and password state to members (at most 100). Errors: those of the platform, STORE_UNAVAILABLE. */
export async function describeMembers(
  ports: TeamPorts,
  { principal }: Actor,
  { access, members }: Described<readonly MemberRecord[]>,
): Promise<readonly TeamMember[]> {
  const { workspaceId } = principal
  const [roles, agentOf, sessions, hasPassword] = await Promise.all([
    readTeamRoles(ports, access),
    ports.teamAgents.ofMembers(
      access,
      members.map(({ id }) => id),
    ),
    listSessions(ports, { principal }),
    haveTemporaryPasswords(
      ports,
      members.map(({ email }) => ({ workspaceId, email })),
    ),
  ])
  const sessionOf = new Map(sessions.map((session) => [session.memberId, session]))
  return members.map((member, index) => {
    const agent = agentOf.get(member.id) ?? null
    return {
      ...member,
      role: roles.of(member.id),
      platformRole: roles.labelOf(member.id),
      agentId: agent?.id ?? null,
      agent,
      session: sessionOf.get(member.id) ?? null,
      hasTemporaryPassword: hasPassword[index] === true,
    }
  })
}

/** The same for one member. */
export async function describeMember(
  ports: TeamPorts,
  actor: Actor,
  { access, member }: { readonly access: TeamAccess; readonly member: MemberRecord },
): Promise<TeamMember> {
  const [described] = await describeMembers(ports, actor, { access, members: [member] })
  if (!described) throw new TypeError('a member was not described')
  return described
}

export function teamAccess({ principal, accessToken }: Actor, signal?: AbortSignal): TeamAccess {
  return { ...asPerson(principal.workspaceId, accessToken), ...(signal && { signal }) }
}
