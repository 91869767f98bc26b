import type { Member } from '../../ports/agents.ts'
import type { Announce } from './session-events.ts'
import type { CurrentSession } from './current-session.ts'
import type { EndSession } from './close-session.ts'

/**
 * Ends whatever session a member has, because the member is gone from the workspace or may take no more calls; forgets the agent's
 * configuration. True where a session ended. Repeatable. Throws STORE_UNAVAILABLE.
 */
export type EndMemberSession = (member: Member) => Promise<boolean>

export type EndMemberSessionOptions = {
  readonly current: CurrentSession
  readonly endSession: EndSession
  readonly forgetConfiguration: (member: Member) => Promise<void>
  readonly announce: Announce
}

export function createEndMemberSession({ current, endSession, forgetConfiguration, announce }: EndMemberSessionOptions): EndMemberSession {
  return async (member) => {
    await forgetConfiguration(member)
    const standing = await current(member)
    if (!standing) return false
    const { released } = await endSession(standing.agentKey, standing.lock)
    if (released) await announce(standing.agentKey, { agentId: standing.agentId, lockedAt: standing.lock.lockedAt, state: 'SIGNED_OUT' })
    return released
  }
}
