import { type RoleNames, applicationRoleOf } from '../../access/application-role.ts'
import type { Identity } from '../../ports/identity.ts'
import type { Principal } from '../../access/principal.ts'
import { type ServedWorkspaces, requireServed } from './workspace.ts'

export type LookUpPrincipalOptions = {
  readonly identity: Identity
  readonly served: ServedWorkspaces
  readonly roleNamesOf: (workspaceId: string) => Promise<RoleNames>
  /** The member's agent record, at most a minute old; `readAt` is epoch milliseconds. */
  readonly agentOf: (
    member: { readonly workspaceId: string; readonly memberId: string },
    accessToken: string,
  ) => Promise<{ readonly agentId: string | null; readonly readAt: number }>
}

/** A principal and the moment (epoch ms) of the oldest fact in it. */
export type FoundPrincipal = { readonly principal: Principal; readonly readAt: number }

/** Asks the platform who the token belongs to. Errors: TOKEN_REFUSED, WORKSPACE_NOT_SERVED, those of the platform. */
export type LookUpPrincipal = (accessToken: string) => Promise<FoundPrincipal>

export function createLookUpPrincipal({ identity, served, roleNamesOf, agentOf }: LookUpPrincipalOptions): LookUpPrincipal {
  return async (accessToken) => {
    const { roles, workspace, ...person } = await identity.profile(accessToken)
    requireServed(workspace.subdomain, served)
    const member = { workspaceId: workspace.id, memberId: person.memberId }
    const [names, { agentId, readAt }] = await Promise.all([roleNamesOf(workspace.id), agentOf(member, accessToken)])
    const role = applicationRoleOf(roles, { names, isAgent: agentId !== null })
    return { principal: { ...person, workspaceId: workspace.id, workspace: workspace.subdomain, role, agentId }, readAt }
  }
}
