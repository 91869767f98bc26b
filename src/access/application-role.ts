import type { ApplicationRole } from './principal.ts'

/** The names of the two platform roles that give application roles. */
export type RoleNames = { readonly manager: string; readonly user: string }

/**
 * The application role of a member with these platform roles: MANAGER for the manager role, AGENT for the user role with an agent record,
 * USER for the user role alone, otherwise null. Labels are free text; leading and trailing blanks are ignored.
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
