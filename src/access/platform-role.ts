/** A member's role on the platform. */
export type PlatformRole = {
  /** Free text; leading and trailing blanks are ignored. */
  readonly label: string
  /** Whether the platform lets its holders change all settings of the workspace. */
  readonly mayChangeSettings: boolean
}

/** The labels of the two platform roles that give application roles; null where none is named. */
export type NamedRoles = { readonly manager: string | null; readonly user: string | null }

/** The accepted labels for each application role, in the order in which a role for a new member is chosen. */
export type AcceptedRoles = { readonly manager: readonly [string, ...string[]]; readonly user: readonly [string, ...string[]] }

/** A call center's own roles, and those of a fresh platform. */
const standardRoles: AcceptedRoles = { manager: ['Manager', 'Admin'], user: ['User', 'Member'] }

/** The labels that count in a workspace. Its configuration takes precedence over the installation's settings, and these over the standard. */
export function acceptedRoles(configured: NamedRoles, installed: NamedRoles): AcceptedRoles {
  const accepted = (kind: keyof NamedRoles): readonly [string, ...string[]] => {
    const named = configured[kind] ?? installed[kind]
    return named === null ? standardRoles[kind] : [named]
  }
  return { manager: accepted('manager'), user: accepted('user') }
}

/**
 * What a platform role gives here. Somebody who may change all settings of the workspace is always a manager, so that no configuration keeps
 * everybody out.
 */
export function roleGivenBy({ label, mayChangeSettings }: PlatformRole, accepted: AcceptedRoles): 'MANAGER' | 'USER' | null {
  const isOneOf = (labels: readonly string[]): boolean => labels.some((other) => isSameLabel(label, other))
  if (mayChangeSettings || isOneOf(accepted.manager)) return 'MANAGER'
  return isOneOf(accepted.user) ? 'USER' : null
}

export function isSameLabel(label: string, other: string): boolean {
  return label.trim() === other.trim()
}
