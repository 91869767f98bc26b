import { AppError } from '../../kernel/errors.ts'
import type { Member } from '../../ports/agents.ts'
import { closeSession } from './close-session.ts'
import { currentSession, type MemberSession } from './current-session.ts'
import type { ProviderAgentKey } from './provider-agent-key.ts'
import { publishSessionState } from './session-events.ts'
import type { SessionPorts } from './session-ports.ts'
import { agentKeyOfMember, restoreAgentOfMember } from './session-records.ts'

/**
 * The member's live session with another agent of the provider than now: somebody changed the agent's id there, and the lock of the new one does
 * not exclude the session. Null if there is none, or if its record cannot be read: that must not stop a sign-in. Throws STORE_UNAVAILABLE.
 */
export async function formerSession(
  ports: Pick<SessionPorts, 'store' | 'sessionBox' | 'log'>,
  member: Member,
  { providerAgentId }: ProviderAgentKey,
): Promise<MemberSession | null> {
  const before = await agentKeyOfMember(ports, member)
  if (before === null || before.providerAgentId === providerAgentId) return null
  return currentSession(ports, member).catch((error: unknown) => {
    if (error instanceof AppError && error.reason === 'STORE_UNAVAILABLE') throw error
    ports.log.warn({ err: error, workspaceId: member.workspaceId }, 'session.former-not-ended')
    return null
  })
}

/** The member has a new session: ends this one, and signs its agent out at the provider. Never throws. */
export async function endFormerSession(ports: SessionPorts, former: MemberSession): Promise<void> {
  const { agentKey, agentId, lock } = former
  try {
    const { released } = await closeSession(ports, former)
    if (released) await publishSessionState(ports, agentKey, { agentId, lockedAt: lock.lockedAt, state: 'SIGNED_OUT' })
  } catch (error) {
    ports.log.warn({ err: error, workspaceId: agentKey.workspaceId }, 'session.former-not-ended')
  }
}

/** The new session was abandoned: this one is the member's again, unless there is another one by now. Throws STORE_UNAVAILABLE. */
export function restoreFormerSession(
  ports: Pick<SessionPorts, 'store'>,
  former: MemberSession,
  abandoned: ProviderAgentKey,
): Promise<void> {
  return restoreAgentOfMember(ports, former.lock.memberId, { from: abandoned, to: former.agentKey })
}
