import type { Member } from '../../ports/agents.ts'
import { closeSession } from './close-session.ts'
import { currentSession, type MemberSession } from './current-session.ts'
import type { ProviderAgentKey } from './provider-agent-key.ts'
import { publishSessionState } from './session-events.ts'
import type { SessionPorts } from './session-ports.ts'
import { writeSessionRecord } from './session-records.ts'

/**
 * The member's live session with another agent of the provider than now: somebody changed the agent's id there, and the lock of the new one does
 * not exclude the session. Null if there is none. Throws STORE_UNAVAILABLE.
 */
export async function formerSession(
  ports: Pick<SessionPorts, 'store' | 'sessionBox'>,
  member: Member,
  { providerAgentId }: ProviderAgentKey,
): Promise<MemberSession | null> {
  const session = await currentSession(ports, member)
  return session?.agentKey.providerAgentId === providerAgentId ? null : session
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

/** The new session was abandoned: this one is the member's again. Throws STORE_UNAVAILABLE. */
export async function restoreFormerSession(
  ports: Pick<SessionPorts, 'store' | 'sessionBox'>,
  { agentKey, record }: MemberSession,
): Promise<void> {
  if (record) await writeSessionRecord(ports, agentKey, record)
}
