import { applicationRoleOf } from '../../access/application-role.ts'
import { type AcceptedRoles, acceptedRoles } from '../../access/platform-role.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Member } from '../../ports/agents.ts'
import type { Profile } from '../../ports/identity.ts'
import type { AuthPorts } from './auth-ports.ts'
import type { FoundPrincipal, RoleIf } from './principals.ts'
import { readClaims } from '../../access/token-claims.ts'
import { requireServed } from './workspace.ts'

/**
 * Asks the platform whose token this is. `isJustIssued`: the platform itself has just returned the token, so its claims are true, and the agent
 * record is read while the profile is. A client's token may be forged: nothing is read for it before its profile. `onRole`: called before the agent
 * record is known. Errors: TOKEN_REFUSED, WORKSPACE_NOT_SERVED, those of the platform.
 */
export async function lookUpPrincipal(
  ports: Pick<AuthPorts, 'identity' | 'lastKnownConfiguration' | 'agentRecordCache' | 'servedWorkspaces' | 'installedRoles'>,
  accessToken: string,
  { isJustIssued = false, onRole = null }: { readonly isJustIssued?: boolean; readonly onRole?: ((roleIf: RoleIf) => void) | null } = {},
): Promise<FoundPrincipal> {
  const claimed = isJustIssued ? claimedMember(accessToken) : null
  const profile = readProfile(ports, accessToken)
  const early = claimed && ports.agentRecordCache.ofMember(claimed, accessToken, { confirmed: profile })
  // Counts below, if it is the member's.
  early?.catch(() => {})
  const { roles, workspace, ...person } = await profile
  const member = { workspaceId: workspace.id, memberId: person.memberId }
  const isClaimed = claimed?.workspaceId === member.workspaceId && claimed.memberId === member.memberId
  const reading = isClaimed && early ? early : ports.agentRecordCache.ofMember(member, accessToken)
  reading.catch(() => {})
  const accepted = await acceptedRolesOf(ports, workspace.id)
  const roleIf: RoleIf = (isAgent) => applicationRoleOf(roles, { accepted, isAgent })
  onRole?.(roleIf)
  const { record, readAt } = await reading
  const agentId = record?.id ?? null
  const role = roleIf(agentId !== null)
  const roleBasis = { labels: roles.map(({ label }) => label), accepted }
  return { principal: { ...person, workspaceId: workspace.id, workspace: workspace.subdomain, role, roleBasis, agentId }, readAt }
}

async function readProfile(
  { identity, servedWorkspaces }: Pick<AuthPorts, 'identity' | 'servedWorkspaces'>,
  accessToken: string,
): Promise<Profile> {
  const profile = await identity.profile(accessToken)
  requireServed(profile.workspace.subdomain, servedWorkspaces)
  return profile
}

/** Null if the token does not name its member, as those of old platforms. */
function claimedMember(accessToken: string): Member | null {
  const { workspaceId = null, memberId = null } = readClaims(accessToken) ?? {}
  return workspaceId !== null && memberId !== null ? { workspaceId, memberId } : null
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
