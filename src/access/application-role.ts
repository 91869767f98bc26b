import type { ApplicationRole } from './principal.ts'

/** Names of the platform's roles that count here. */
export type RoleNames = { readonly manager: string; readonly user: string }

/**
 * The application role behind the labels of a member's platform roles: the Manager role makes a manager, the User role with an agent
 * record an agent, the User role alone a user; neither: null. Labels are free text; outer blanks do not count.
 */
export function applicationRoleOf(
  labels: readonly string[],
  { names, isAgent }: { names: RoleNames; isAgent: boolean },
): ApplicationRole | null {
  const has = (name: string): boolean => labels.some((label) => label.trim() === name.trim())
  if (has(names.manager)) return 'MANAGER'
  if (has(names.user)) return isAgent ? 'AGENT' : 'USER'
  return null
}
