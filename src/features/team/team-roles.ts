import { acceptedRoles, isSameLabel, roleGivenBy } from '../../access/platform-role.ts'
import { AppError } from '../../kernel/errors.ts'
import type { PlatformRole, TeamAccess } from '../../ports/members.ts'
import type { Ports } from '../../ports/ports.ts'
import type { TeamRole } from './team-input.ts'

/** The platform roles that count here. */
export type TeamRoles = {
  /** Null if the member's role gives nothing here. */
  of(memberId: string): TeamRole | null
  /** The label of the member's role on the platform. */
  labelOf(memberId: string): string | null
  managers: readonly string[]
  /** The platform role that a member gets for ours. Throws NOT_CONFIGURED if the platform has none of the accepted roles. */
  require(role: TeamRole): PlatformRole
}

/** Errors: those of the platform, STORE_UNAVAILABLE. */
export async function readTeamRoles(
  { members, configuration, installedRoles }: Pick<Ports, 'members' | 'configuration' | 'installedRoles'>,
  access: TeamAccess,
): Promise<TeamRoles> {
  const [roles, { roles: configured }] = await Promise.all([members.roles(access), configuration.read(access.workspaceId, 'platform')])
  const accepted = acceptedRoles(configured, installedRoles)
  const roleOf = (memberId: string): PlatformRole | undefined => roles.find(({ memberIds }) => memberIds.includes(memberId))
  return {
    of(memberId) {
      const role = roleOf(memberId)
      return role ? roleGivenBy(role, accepted) : null
    },
    labelOf: (memberId) => roleOf(memberId)?.label ?? null,
    managers: roles.flatMap((role) => (roleGivenBy(role, accepted) === 'MANAGER' ? role.memberIds : [])),
    require(role) {
      const labels = role === 'MANAGER' ? accepted.manager : accepted.user
      const found = labels.flatMap((label) => roles.find((other) => isSameLabel(other.label, label)) ?? [])[0]
      if (found) return found
      const field = role === 'MANAGER' ? 'roles.manager' : 'roles.user'
      const named = labels.map((label) => `"${label}"`).join(' or ')
      throw new AppError('NOT_CONFIGURED', {
        detail: `The platform has no role called ${named}. Run provision to create it, or set "${field}" in the platform configuration to another role`,
      })
    },
  }
}

/** Throws WRONG_STATE if the workspace has no other manager than this member. */
export function requireOtherManager({ managers }: TeamRoles, memberId: string): void {
  if (!managers.includes(memberId) || managers.some((manager) => manager !== memberId)) return
  throw new AppError('WRONG_STATE', { detail: 'This is the last manager of the workspace; make another member a manager first' })
}
