import { applicationRoleOf } from '../../access/application-role.ts'
import { type AcceptedRoles, acceptedRoles } from '../../access/platform-role.ts'
import { AppError } from '../../kernel/errors.ts'
import type { AuthPorts } from './auth-ports.ts'
import type { FoundPrincipal } from './principals.ts'
import { requireServed } from './workspace.ts'

/** Asks the platform whose token this is. Errors: TOKEN_REFUSED, WORKSPACE_NOT_SERVED, those of the platform. */
export async function lookUpPrincipal(
  ports: Pick<AuthPorts, 'identity' | 'lastKnownConfiguration' | 'agentRecordCache' | 'servedWorkspaces' | 'installedRoles'>,
  accessToken: string,
): Promise<FoundPrincipal> {
  const { roles, workspace, ...person } = await ports.identity.profile(accessToken)
  requireServed(workspace.subdomain, ports.servedWorkspaces)
  const member = { workspaceId: workspace.id, memberId: person.memberId }
  const [accepted, { record, readAt }] = await Promise.all([
    acceptedRolesOf(ports, workspace.id),
    ports.agentRecordCache.ofMember(member, accessToken),
  ])
  const agentId = record?.id ?? null
  const role = applicationRoleOf(roles, { accepted, isAgent: agentId !== null })
  const roleBasis = { labels: roles.map(({ label }) => label), accepted }
  return { principal: { ...person, workspaceId: workspace.id, workspace: workspace.subdomain, role, roleBasis, agentId }, readAt }
}

/** The roles of the settings alone if the store is away, so that people can still sign in. */
async function acceptedRolesOf(
  { lastKnownConfiguration, installedRoles }: Pick<AuthPorts, 'lastKnownConfiguration' | 'installedRoles'>,
  workspaceId: string,
): Promise<AcceptedRoles> {
  try {
    return acceptedRoles((await lastKnownConfiguration.read(workspaceId, 'platform')).roles, installedRoles)
  } catch (error) {
    if (error instanceof AppError && error.reason === 'STORE_UNAVAILABLE') return acceptedRoles(installedRoles, installedRoles)
    throw error
  }
}
