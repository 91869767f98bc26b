import type { Log } from '../../kernel/log.ts'
import type { EndMemberSession } from '../sessions/end-member-session.ts'
import type { Principals } from './principals.ts'
import { readClaims } from './token-claims.ts'

export type MemberGoneOptions = {
  readonly principals: Principals
  readonly endMemberSession: EndMemberSession
  readonly log: Log
}

/**
 * To be called when the platform answered to this access token that its member is gone (not merely that it has expired): ends their
 * session and drops what is cached. The token's own claims say who that is; the platform says it only of tokens that are genuine.
 * Never throws.
 */
export type MemberGone = (accessToken: string) => Promise<void>

export function createMemberGone({ principals, endMemberSession, log }: MemberGoneOptions): MemberGone {
  return async (accessToken) => {
    const claims = readClaims(accessToken)
    if (!claims?.workspaceId || !claims.memberId) return
    const member = { workspaceId: claims.workspaceId, memberId: claims.memberId }
    try {
      await principals.forget(member)
      if (await endMemberSession(member)) log.info(member, 'the session of a member who is gone was ended')
    } catch (error) {
      log.warn({ err: error, ...member }, 'the session of a member who is gone could not be ended; it runs out by itself')
    }
  }
}
