import { AppError } from '../../kernel/errors.ts'
import type { PlatformRole, TeamAccess } from '../../ports/members.ts'
import type { Ports } from '../../ports/ports.ts'
import type { TeamRole } from './team-input.ts'

/** The two platform roles that count here. */
export type TeamRoles = {
  /** Null if the member has neither role. */
  of(memberId: string): TeamRole | null
  /** The label of the member's role on the platform. */
  labelOf(memberId: string): string | null
  managers: readonly string[]
  /** The platform's role for ours. Throws NOT_CONFIGURED if the platform has no role with that name. */
  require(role: TeamRole): PlatformRole
}

/** Errors: those of the platform, STORE_UNAVAILABLE. */
export async function readTeamRoles(
  { members, configuration }: Pick<Ports, 'members' | 'configuration'>,
  access: TeamAccess,
): Promise<TeamRoles> {
  const [roles, { roles: names }] = await Promise.all([members.roles(access), configuration.read(access.workspaceId, 'platform')])
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
        detail: `The platform has no role called "${name}". Create it there, or set "${field}" in the platform configuration to another role`,
      })
    },
  }
}

/** Throws WRONG_STATE if the workspace has no other manager than this member. */
export function requireOtherManager({ managers }: TeamRoles, memberId: string): void {
  if (!managers.includes(memberId) || managers.some((manager) => manager !== memberId)) return
  throw new AppError('WRONG_STATE', { detail: 'This is the last manager of the workspace; make another member a manager first' })
}
