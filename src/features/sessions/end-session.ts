import type { Member } from '../../ports/agents.ts'
import type { Announce } from './session-events.ts'
import type { CurrentSession } from './current-session.ts'
import type { EndSession } from './close-session.ts'

export type AgentLogout = { readonly released: boolean; readonly providerSignedOut: boolean }

/**
 * Ends the member's own session, signs out at the provider and forgets the agent's configuration. Where there is no such session nothing
 * happens: `released` is false. Errors: STORE_UNAVAILABLE.
 */
export type LogOut = (member: Member, lockedAt?: string | null) => Promise<AgentLogout>

export type LogOutOptions = {
  readonly current: CurrentSession
  readonly endSession: EndSession
  readonly forgetConfiguration: (member: Member) => Promise<void>
  readonly announce: Announce
}

export function createLogOut({ current, endSession, forgetConfiguration, announce }: LogOutOptions): LogOut {
  return async (member, lockedAt) => {
    const own = await current(member, lockedAt)
    if (!own) return { released: false, providerSignedOut: false }
    const { released, providerSignedOut } = await endSession(own.agentKey, own.lock)
    await forgetConfiguration(member)
    if (released) await announce(own.agentKey, { agentId: own.agentId, lockedAt: own.lock.lockedAt, state: 'SIGNED_OUT' })
    return { released, providerSignedOut }
  }
}
