import type { Member } from '../../ports/agents.ts'
import { closeSession } from './close-session.ts'
import { currentSession } from './current-session.ts'
import { publishSessionState } from './session-events.ts'
import type { SessionPorts } from './session-ports.ts'

/**
 * Ends the session of a member who left the workspace, with the tokens of its sign-in, and drops the cached agent record. Returns true if a session
 * ended. Repeatable. Throws STORE_UNAVAILABLE.
 */
export async function endMemberSession(ports: SessionPorts, member: Member): Promise<boolean> {
  await ports.agentRecordCache.forget(member)
  const session = await currentSession(ports, member)
  if (!session) return false
  const { agentKey, agentId, lock, record } = session
  if (record?.signIn) await ports.signIns.endByKey(member.workspaceId, record.signIn, 'REMOVAL')
  const { released } = await closeSession(ports, session)
  if (released) await publishSessionState(ports, agentKey, { agentId, lockedAt: lock.lockedAt, state: 'SIGNED_OUT' })
  return released
}
