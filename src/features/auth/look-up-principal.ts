import { type RoleNames, applicationRoleOf } from '../../access/application-role.ts'
import { AppError } from '../../kernel/errors.ts'
import type { AuthPorts } from './auth-ports.ts'
import type { FoundPrincipal } from './principals.ts'
import { requireServed } from './workspace.ts'

/** Asks the platform whose token this is. Errors: TOKEN_REFUSED, WORKSPACE_NOT_SERVED, those of the platform. */
export async function lookUpPrincipal(
  ports: Pick<AuthPorts, 'identity' | 'lastKnownConfiguration' | 'agentRecordCache' | 'servedWorkspaces' | 'defaultRoleNames'>,
  accessToken: string,
): Promise<FoundPrincipal> {
  const { roles, workspace, ...person } = await ports.identity.profile(accessToken)
  requireServed(workspace.subdomain, ports.servedWorkspaces)
  const member = { workspaceId: workspace.id, memberId: person.memberId }
  const [names, { record, readAt }] = await Promise.all([
    roleNamesOf(ports, workspace.id),
    ports.agentRecordCache.ofMember(member, accessToken),
  ])
  const agentId = record?.id ?? null
  const role = applicationRoleOf(roles, { names, isAgent: agentId !== null })
  return { principal: { ...person, workspaceId: workspace.id, workspace: workspace.subdomain, role, agentId }, readAt }
}

/** The configured names of the two platform roles; the defaults if the store is away, so that people can still sign in. */
async function roleNamesOf(
  { lastKnownConfiguration, defaultRoleNames }: Pick<AuthPorts, 'lastKnownConfiguration' | 'defaultRoleNames'>,
  workspaceId: string,
): Promise<RoleNames> {
  try {
    return (await lastKnownConfiguration.read(workspaceId, 'platform')).roles
  } catch (error) {
    if (error instanceof AppError && error.reason === 'STORE_UNAVAILABLE') return defaultRoleNames
    throw error
  }
}
