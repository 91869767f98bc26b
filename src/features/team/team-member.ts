import type { Actor } from '../../access/actor.ts'
import { asPerson } from '../../ports/record-access.ts'
import { type ListedSession, listSessions } from '../sessions/list-sessions.ts'
import type { SessionPorts } from '../sessions/session-ports.ts'
import type { KeptPasswords } from './stored-passwords.ts'
import type { MemberRecord, TeamAccess, TeamAgents } from '../../ports/members.ts'
import type { AgentProfile } from '../../ports/records/agent.ts'
import type { TeamRole } from './team-input.ts'
import type { ReadRoles } from './team-roles.ts'

/** A member as managers see one. */
export type TeamMember = MemberRecord & {
  /** Null where the member's role on the platform is none of the two. */
  readonly role: TeamRole | null
  readonly platformRole: string | null
  readonly agentId: string | null
  readonly agent: AgentProfile | null
  /** The live agent session. */
  readonly session: ListedSession | null
  readonly hasTemporaryPassword: boolean
}

/** Adds to members what they are here. At most 100 of one workspace. Errors: those of the platform, STORE_UNAVAILABLE. */
export type DescribeMembers = (caller: Actor, access: TeamAccess, members: readonly MemberRecord[]) => Promise<readonly TeamMember[]>

export type DescribeMembersOptions = {
  readonly readRoles: ReadRoles
  readonly agents: TeamAgents
  readonly sessionPorts: SessionPorts
  readonly passwords: KeptPasswords
}

export function createDescribeMembers({ readRoles, agents, sessionPorts, passwords }: DescribeMembersOptions): DescribeMembers {
  return async ({ principal }, access, members) => {
    const { workspaceId } = principal
    const [roles, agentOf, sessions, kept] = await Promise.all([
      readRoles(access),
      agents.ofMembers(
        access,
        members.map(({ id }) => id),
      ),
      listSessions(sessionPorts, { principal }),
      passwords.areKept(members.map(({ email }) => ({ workspaceId, email }))),
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
        hasTemporaryPassword: kept[index] === true,
      }
    })
  }
}

export function accessOf({ principal, accessToken }: Actor, signal?: AbortSignal): TeamAccess {
  return { ...asPerson(principal.workspaceId, accessToken), ...(signal && { signal }) }
}
