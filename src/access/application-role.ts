import { type AcceptedRoles, type PlatformRole, roleGivenBy } from './platform-role.ts'
import type { ApplicationRole } from './principal.ts'

/** The application role of a member with these platform roles; AGENT is USER with an agent record. */
export function applicationRoleOf(
  roles: readonly PlatformRole[],
  { accepted, isAgent }: { readonly accepted: AcceptedRoles; readonly isAgent: boolean },
): ApplicationRole | null {
  const given = new Set(roles.map((role) => roleGivenBy(role, accepted)))
  if (given.has('MANAGER')) return 'MANAGER'
  if (given.has('USER')) return isAgent ? 'AGENT' : 'USER'
  return null
}
