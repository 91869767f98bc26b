import type { Configuration } from '../../ports/configuration/configuration.ts'
import { AppError } from '../../kernel/errors.ts'
import type { MemberDirectory, PlatformRole, TeamAccess } from '../../ports/members.ts'
import type { TeamRole } from './team-input.ts'

/** The platform's roles of a workspace, seen as the two that count here. */
export type RolesOfTeam = {
  /** Null where the member has neither. */
  of(memberId: string): TeamRole | null
  /** The label of the member's role on the platform. */
  labelOf(memberId: string): string | null
  managers: readonly string[]
  /** The platform's role behind ours. NOT_CONFIGURED where it has none of that name. */
  require(role: TeamRole): PlatformRole
}

/** Errors: those of the platform, STORE_UNAVAILABLE. */
export type ReadRoles = (access: TeamAccess) => Promise<RolesOfTeam>

export function createReadRoles({ directory, configuration }: { directory: MemberDirectory; configuration: Configuration }): ReadRoles {
  return async (access) => {
    const [roles, { roles: names }] = await Promise.all([directory.roles(access), configuration.read(access.workspaceId, 'platform')])
    const named = (role: TeamRole) => {
      const name = role === 'MANAGER' ? names.manager : names.user
      return { name, found: roles.find(({ label }) => label.trim() === name.trim()) }
    }
    const has = (role: TeamRole, memberId: string): boolean => named(role).found?.memberIds.includes(memberId) === true
    return {
      of: (memberId) => (has('MANAGER', memberId) ? 'MANAGER' : has('USER', memberId) ? 'USER' : null),
      labelOf: (memberId) => roles.find(({ memberIds }) => memberIds.includes(memberId))?.label ?? null,
      managers: named('MANAGER').found?.memberIds ?? [],
      require(role) {
        const { name, found } = named(role)
        if (found) return found
        const field = role === 'MANAGER' ? 'roles.manager' : 'roles.user'
        throw new AppError('NOT_CONFIGURED', {
          detail: `The platform has no role called "${name}". Make it there, or name another one as ${field} in the platform configuration`,
        })
      },
    }
  }
}
