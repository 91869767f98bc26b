import { endMemberSession } from '../sessions/end-member-session.ts'
import type { AuthPorts } from './auth-ports.ts'
import { readClaims } from '../../access/token-claims.ts'

/**
 * Ends the session of a member who left the workspace and drops what is cached about them. Call it when the platform answered to this access
 * token that its member is gone (not merely that it has expired). The token's own claims name the member, because the platform gives that
 * answer only to genuine tokens. Never throws.
 */
export async function signOutGoneMember(ports: AuthPorts, accessToken: string): Promise<void> {
  const claims = readClaims(accessToken)
  if (!claims?.workspaceId || !claims.memberId) return
  const member = { workspaceId: claims.workspaceId, memberId: claims.memberId }
  try {
    await ports.principals.forget(member)
    // Not all of the user's: they may be a member again.
    await ports.signIns.end(accessToken, 'REMOVAL')
    if (await endMemberSession(ports, member)) ports.log.info(member, 'session.member-gone')
  } catch (error) {
    ports.log.warn({ err: error, ...member }, 'session.member-gone-not-ended')
  }
}
