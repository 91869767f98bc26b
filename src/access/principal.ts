import type { AcceptedRoles } from './platform-role.ts'

/** Application roles; each role may do everything that the roles before it may do. */
export const applicationRoles = ['USER', 'AGENT', 'MANAGER'] as const
export type ApplicationRole = (typeof applicationRoles)[number]

/** The member that an access token belongs to, as the platform reports it. */
export type Principal = {
  readonly userId: string
  readonly memberId: string
  readonly workspaceId: string
  /** Null if the member has no application role: then no field of this service may be used. */
  readonly role: ApplicationRole | null
  /** What `role` follows from: the labels of the member's platform roles, and those that count in the workspace. */
  readonly roleBasis: { readonly labels: readonly string[]; readonly accepted: AcceptedRoles }
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  /** The workspace's subdomain. */
  readonly workspace: string
  /** The member's agent record on the platform; null if the member handles no calls. */
  readonly agentId: string | null
  /** The platform, which is away, has said all this some minutes ago. It may have taken a right since. */
  readonly isLastKnown?: true
}

/** What a member is called: first and last name, or the e-mail address of a member without one. */
export function memberName({ firstName, lastName, email }: Pick<Principal, 'firstName' | 'lastName' | 'email'>): string {
  return `${firstName} ${lastName}`.trim() || email
}

/** Whether `role` may do what requires the role `least`. */
export function hasRole(role: ApplicationRole | null, least: ApplicationRole): boolean {
  return role !== null && applicationRoles.indexOf(role) >= applicationRoles.indexOf(least)
}
