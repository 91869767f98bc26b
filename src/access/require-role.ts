import { AppError } from '../kernel/errors.ts'
import type { AcceptedRoles } from './platform-role.ts'
import { type ApplicationRole, hasRole, type Principal } from './principal.ts'

/** Returns the member's role. Throws ROLE_MISSING, which names the member's platform role, the accepted ones, and where to change that. */
export function requireRole({ role, roleBasis }: Pick<Principal, 'role' | 'roleBasis'>, least: ApplicationRole): ApplicationRole {
  if (role !== null && hasRole(role, least)) return role
  const { labels, accepted } = roleBasis
  const own = labels.length === 0 ? 'You have no platform role' : `Your platform role ${listed(labels)} gives ${role ?? 'none'}`
  throw new AppError('ROLE_MISSING', { detail: `This requires the role ${least}. ${own}. ${givers[least](accepted)}. ${advice}` })
}

/** Throws PROVIDER_UNAVAILABLE if the platform could not be asked about the member. For what must not be done with a right that was taken away. */
export function requireConfirmed({ isLastKnown }: Pick<Principal, 'isLastKnown'>): void {
  if (isLastKnown !== true) return
  const detail = 'The platform is not available, and this needs its word on your role: configuration, team, keys and exports wait for it'
  throw new AppError('PROVIDER_UNAVAILABLE', { detail, data: { retryAfterSeconds: 5 } })
}

const givers: Readonly<Record<ApplicationRole, (accepted: AcceptedRoles) => string>> = {
  USER: (accepted) => `${listed(accepted.user)} gives USER, and ${givers.MANAGER(accepted)}`,
  AGENT: ({ user }) => `${listed(user)} with an agent record gives AGENT`,
  MANAGER: ({ manager }) => `${listed(manager)} or any role that may change all settings gives MANAGER`,
}

const advice =
  'A manager can change this mapping (platform.roles in the configuration); PLATFORM_MANAGER_ROLE and PLATFORM_USER_ROLE set it for all workspaces'

function listed(labels: readonly string[]): string {
  return labels.map((label) => `"${label.trim()}"`).join(' or ')
}
