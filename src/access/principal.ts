/** What a member may do here; each role may do what the ones before it may. */
export const applicationRoles = ['USER', 'AGENT', 'MANAGER'] as const
export type ApplicationRole = (typeof applicationRoles)[number]

/** The person behind an access token, as the platform tells it. */
export type Principal = {
  readonly userId: string
  readonly memberId: string
  readonly workspaceId: string
  /** Null: has neither application role, and may use no sidecar field. */
  readonly role: ApplicationRole | null
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  /** The workspace's subdomain. */
  readonly workspace: string
  /** The member's agent record on the platform; null where the member handles no calls. */
  readonly agentId: string | null
}

/** Whether `role` may do what asks for `least`. */
export function hasRole(role: ApplicationRole | null, least: ApplicationRole): boolean {
  return role !== null && applicationRoles.indexOf(role) >= applicationRoles.indexOf(least)
}
